"""What a command makes of a text, or why it can't. Pure."""

from __future__ import annotations

from nebo.product.memory_files.limits import MOST_CHARS, MOST_LINES


class Impossible(ValueError):
    """An edit that isn't possible; its text is for the model."""


def replace_once(text: str, old: str, new: str, *, path: str) -> tuple[str, int]:
    """The text with `new` for the one `old`, and the line it began in, from 0. Raises Impossible."""
    places = _places(text, old) if old else []
    if not places:
        raise Impossible(f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}.")
    lines = [text.count("\n", 0, place) for place in places]
    if text.count(old) > 1:
        numbers = ", ".join(str(line + 1) for line in lines)
        raise Impossible(
            f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {numbers}. "
            "Please ensure it is unique"
        )
    return text[: places[0]] + new + text[places[0] + len(old) :], lines[0]


def insert_lines(text: str, at: int, added: str) -> str:
    """The text with lines added behind the line `at`, 0 for the beginning. Raises Impossible."""
    lines = split_lines(text)
    if not 0 <= at <= len(lines):
        raise Impossible(
            f"Error: Invalid `insert_line` parameter: {at}. "
            f"It should be within the range of lines of the file: [0, {len(lines)}]"
        )
    lines.insert(at, added.removesuffix("\n"))
    return "\n".join(lines) + "\n"


def split_lines(text: str) -> list[str]:
    """The lines, without the empty one behind a last line break."""
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def check_size(text: str, *, path: str) -> None:
    """Whether a file may be this large. Raises Impossible."""
    lines = len(split_lines(text))
    if len(text) > MOST_CHARS or lines > MOST_LINES:
        raise Impossible(
            f"Error: The file {path} would have {len(text):,} characters in {lines:,} lines. At most "
            f"{MOST_CHARS:,} characters and {MOST_LINES:,} lines are kept: use several files"
        )


def _places(text: str, part: str) -> list[int]:
    """Where a part begins, also where it overlaps itself."""
    found, at = [], text.find(part)
    while at >= 0:
        found.append(at)
        at = text.find(part, at + 1)
    return found

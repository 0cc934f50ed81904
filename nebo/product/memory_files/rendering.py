"""What the tool shows, worded as Anthropic's documentation has it. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nebo.product.memory_files.paths import is_hidden

LISTED_LEVELS = 2
NUMBER_WIDTH = 6  # characters of a line number
AROUND = 2  # lines shown on each side of a change
UNITS = ("B", "K", "M", "G")


def render_folder(path: str, sizes: Mapping[str, int]) -> str:
    """The files in a folder, two levels deep; `sizes` are bytes by path below it."""
    entries: dict[str, int] = {}
    for below, size in sizes.items():
        names = below.split("/")
        if any(is_hidden(name) for name in names[:LISTED_LEVELS]):
            continue
        for level in range(1, min(len(names), LISTED_LEVELS) + 1):
            entry = "/".join(names[:level]) + ("/" if level < len(names) else "")
            entries[entry] = entries.get(entry, 0) + size
    base = path.rstrip("/")
    return "\n".join(
        [
            f"Here're the files and directories up to 2 levels deep in {path}, "
            "excluding hidden items and node_modules:",
            f"{render_size(sum(entries[name] for name in entries if _is_direct(name)))}\t{base}",
            *(f"{render_size(entries[name])}\t{base}/{name}" for name in sorted(entries)),
        ]
    )


def render_file(path: str, lines: Sequence[str], wanted: Sequence[int] | None = None) -> str:
    """A file's lines with their numbers; `wanted` are the first and the last, -1 for the end."""
    first, last = wanted or (1, -1)
    start = max(first, 1) - 1
    end = len(lines) if last == -1 else max(last, 0)
    return f"Here's the content of {path} with line numbers:\n{number_lines(lines, start, end)}"


def render_change(lines: Sequence[str], changed: int) -> str:
    """What a replacement answers: the line it began in, and those around."""
    shown = number_lines(lines, max(changed - AROUND, 0), changed + AROUND + 1)
    return (
        "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
        f"{shown}"
    )


def number_lines(lines: Sequence[str], start: int, end: int) -> str:
    """Lines from `start` up to `end`, counted from 0 and shown from 1."""
    return "\n".join(
        f"{number:>{NUMBER_WIDTH}}\t{line}" for number, line in enumerate(lines[start:end], start + 1)
    )


def render_size(size: int) -> str:
    """Bytes as `5.5K`."""
    unit = 0
    amount = float(size)
    while amount >= 1024 and unit < len(UNITS) - 1:
        amount, unit = amount / 1024, unit + 1
    return f"{amount:.0f}{UNITS[unit]}" if amount == int(amount) else f"{amount:.1f}{UNITS[unit]}"


def _is_direct(entry: str) -> bool:
    return "/" not in entry.rstrip("/")

"""The examples of the pages: what stands indented or between fences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).parents[1]
INDENT = "    "
FENCE = "```"


@dataclass(frozen=True, slots=True)
class Example:
    """One block of a page; `language` is the fence's, or nothing."""

    page: str
    language: str
    text: str


def list_pages() -> list[str]:
    """Relative to the repository."""
    found = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "sdk/README.md"]
    return sorted(page.relative_to(ROOT).as_posix() for page in found)


def list_examples(page: str) -> list[Example]:
    """In their order."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [
        Example(page, language, block)
        for number, part in enumerate(text.split(f"\n{FENCE}"))
        for language, block in (_fenced(part) if number % 2 else _indented(part))
    ]


def _fenced(part: str) -> Iterator[tuple[str, str]]:
    language, _, block = part.partition("\n")
    yield language, block


def _indented(part: str) -> Iterator[tuple[str, str]]:
    """Lines with four spaces before them, after an empty one; empty lines in between don't end a block."""
    lines = part.split("\n")
    for is_text, paragraphs in groupby(_paragraphs(lines), key=_is_prose):
        if not is_text:
            blocks = ("\n".join(line.removeprefix(INDENT) for line in one) for one in paragraphs)
            yield "", "\n\n".join(blocks)


def _paragraphs(lines: list[str]) -> Iterator[list[str]]:
    for is_empty, paragraph in groupby(lines, key=lambda line: not line.strip()):
        if not is_empty:
            yield list(paragraph)


def _is_prose(paragraph: list[str]) -> bool:
    return not all(line.startswith(INDENT) for line in paragraph)

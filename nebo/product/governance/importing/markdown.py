"""Markdown that people keep for their agents or for themselves: CLAUDE.md, AGENTS.md, a folder of notes.

Each bullet and each paragraph is a note; the headings above it, and the bullet it hangs under, say what it is about.
Code, tables, comments and pictures are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePosixPath

from django.utils.translation import gettext as _

from nebo.errors import InvalidInput
from nebo.product.governance.importing.brought import Brought, Note
from nebo.product.governance.importing.exported_values import parse_moment
from nebo.product.governance.importing.front_matter import FrontMatter, split_front_matter
from nebo.product.governance.importing.mem0 import digest_of_place, list_tags

AGENT_FILES = frozenset({"claude", "agents", "gemini", "memory", "readme", "index"})  # names that say nothing
DATES = ("date", "created", "created_at", "updated", "modified")
ABOUT_CHARS = 80  # of one step on the way to a note
HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
UNDERLINE = re.compile(r"^ {0,3}(=+|-{2,})\s*$")
FENCE = re.compile(r"^\s*(`{3,}|~{3,})")
BULLET = re.compile(r"^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX/-]\]\s+)?(.*)$")
RULE = re.compile(r"^\s*([-*_])(?:\s*\1){2,}\s*$")
TABLE = re.compile(r"^\s*\|")
COMMENT = re.compile(r"<!--.*?-->|%%.*?%%", re.DOTALL)
REFERENCE = re.compile(r"^@\S+$")  # of another file, in CLAUDE.md
IMAGE = re.compile(r"!\[\[[^\]\n]*\]\]|!\[[^\]\n]*\]\([^)\n]*\)")
WIKI_LINK = re.compile(r"\[\[(?:[^\]|\n]*\|)?([^\]\n]+)\]\]")
LINK = re.compile(r"\[([^\]\n]+)\]\([^)\n]*\)")
STRONG = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
HASHTAG = re.compile(r"(?:^|(?<=\s))#([^\W\d][\w/-]{0,62})")
CODE_INDENT = 4
TAB_WIDTH = 4


@dataclass(slots=True)
class Block:
    """Lines that belong together, and the way to them."""

    about: tuple[str, ...]
    lines: list[str]


@dataclass(slots=True)
class Walk:
    """Where one is in a file: headings by level, bullets by indent, and the block that is being read."""

    title: tuple[str, ...]
    headings: dict[int, str] = field(default_factory=dict)
    bullets: list[tuple[int, str]] = field(default_factory=list)
    open: Block | None = None
    fence: str = ""
    done: list[Block] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)
    after_blank: bool = True

    def about(self) -> tuple[str, ...]:
        """What stands above a block that begins here."""
        return (*self.title, *self.headings.values(), *(text for _, text in self.bullets))

    def begin(self, text: str) -> None:
        self.end()
        self.open = Block(self.about(), [text])

    def end(self) -> None:
        if self.open is not None:
            self.done.append(self.open)
        self.open = None

    def skip(self, reason: str) -> None:
        self.end()
        self.left_out[reason] = self.left_out.get(reason, 0) + 1


def read_markdown(files: Mapping[str, str]) -> Brought:
    """The notes of each file, by its path. Raises InvalidInput for a date that is none."""
    brought = Brought()
    for path, text in files.items():
        matter, body = split_front_matter(text)
        if matter.keeps_out:
            brought.left_out["files that ask to be left out"] += 1
            continue
        walk = walk_lines(body, title=title_of(path, matter, alone=len(files) == 1))
        brought.left_out.update(walk.left_out)
        brought.notes.extend(_list_notes(walk.done, path, matter, date_of(matter, path)))
    return brought


def title_of(path: str, matter: FrontMatter, *, alone: bool) -> tuple[str, ...]:
    """What a file is about: its title, else its name where that says something."""
    stem = PurePosixPath(path).stem
    name = "" if alone or stem.lower() in AGENT_FILES else stem
    title = matter.text_of("title") or name
    return (title[:ABOUT_CHARS],) if title else ()


def date_of(matter: FrontMatter, path: str) -> datetime | None:
    """When it was written, as its front matter has it."""
    text = next((matter.text_of(name) for name in DATES if matter.text_of(name)), "")
    day = f"{text}T12:00:00Z" if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text) else text
    try:
        return parse_moment(day, path)
    except InvalidInput:
        return None  # people write dates in many ways


def walk_lines(body: str, *, title: tuple[str, ...]) -> Walk:
    """All blocks of a file."""
    walk = Walk(title)
    for line in COMMENT.sub("", body).expandtabs(TAB_WIDTH).splitlines():
        _step(walk, line)
        walk.after_blank = not line.strip()
    walk.end()
    return walk


def _step(walk: Walk, line: str) -> None:
    """One line further."""
    if _is_code(walk, line):
        return
    if not line.strip():
        walk.end()
    elif found := HEADING.match(line):
        _head(walk, len(found[1]), found[2])
    elif UNDERLINE.match(line) and walk.open is not None and len(walk.open.lines) == 1 and not walk.bullets:
        text, walk.open = walk.open.lines[0], None
        _head(walk, 1 if "=" in line else 2, text)
    elif RULE.match(line):
        walk.end()
        walk.bullets.clear()
    elif TABLE.match(line):
        walk.skip(_("table rows"))
    else:
        _read_text(walk, line)


def _is_code(walk: Walk, line: str) -> bool:
    """Whether a line is inside a fence, is one, or is indented as code; counted once a block."""
    fence = FENCE.match(line)
    if walk.fence:
        if fence and fence[1].startswith(walk.fence):
            walk.fence = ""
        return True
    if fence:
        walk.fence = fence[1]
        walk.skip(_("code blocks"))
        if not line[0].isspace():
            walk.bullets.clear()  # it stands beside the list, not in it
        return True
    indent = len(line) - len(line.lstrip())
    indented = bool(line.strip()) and indent >= CODE_INDENT and not walk.bullets and walk.open is None
    if indented and walk.after_blank:
        walk.skip(_("code blocks"))
    return indented


def _head(walk: Walk, level: int, text: str) -> None:
    walk.end()
    walk.bullets.clear()
    walk.headings = {one: words for one, words in walk.headings.items() if one < level}
    walk.headings[level] = plain(text)[:ABOUT_CHARS]


def _read_text(walk: Walk, line: str) -> None:
    """A bullet begins a block, other text goes on with the one that is open."""
    bullet = BULLET.match(line)
    if bullet is None:
        _go_on(walk, line)
        return
    indent, text = len(bullet[1]), bullet[2]
    walk.end()
    walk.bullets = [one for one in walk.bullets if one[0] < indent]
    walk.begin(text)
    walk.bullets.append((indent, plain(text).rstrip(":")[:ABOUT_CHARS]))


def _go_on(walk: Walk, line: str) -> None:
    text = line.strip().lstrip(">").strip()
    if walk.open is not None:
        walk.open.lines.append(text)
        return
    indent = len(line) - len(line.lstrip())
    walk.bullets = [one for one in walk.bullets if one[0] < indent]
    walk.begin(text)


def _list_notes(
    blocks: Sequence[Block], path: str, matter: FrontMatter, noted_at: datetime | None
) -> Iterator[Note]:
    for block in blocks:
        raw = " ".join(block.lines)
        text = plain(raw)
        if not text or text.endswith(":") or REFERENCE.match(text):
            continue  # it only introduces what follows, or names a file
        tags = list_tags([*matter.list_of("tags"), *HASHTAG.findall(raw)])
        origin = f"markdown:{digest_of_place(path, *block.about, text)}"
        yield Note(origin, text, tags=tags, about=block.about, noted_at=noted_at)


def plain(text: str) -> str:
    """What a reader sees: links by their words, no marks of emphasis, no pictures."""
    text = LINK.sub(r"\1", WIKI_LINK.sub(r"\1", IMAGE.sub("", text)))
    return " ".join(STRONG.sub(r"\2", text).split())

"""Summaries by rule: of a stretch of conversation, of a session, of a life, and of the task at hand."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from nebo.llm.rules.extraction import list_statements
from nebo.llm.rules.grammar import is_about, read_closings
from nebo.llm.rules.sentences import Sentence, choose, content_words, list_sentences
from nebo.llm.rules.statements import Statement, Turn
from nebo.llm.rules.wordlists import words
from nebo.llm.spine_text import SECTIONS, read_sections, write_sections
from nebo.llm.types import ChatMessage

CHARS_PER_TOKEN = 4  # characters; the usual estimate
MAX_SUMMARY_CHARS = 2_400  # characters
MAX_ONE_LINER_CHARS = 160  # characters
MAX_TASK_CHARS = 200  # characters
MAX_ITEMS = 6  # in one list of a session summary
SPINE_ITEMS = 20  # in one section of a spine
STEM_CHARS = 4  # letters by which words are taken for the same: "plays" and "play"
MAX_ROLLING_CHARS = 600  # characters; seed 002
NEW_ROLLING_CHARS = 360  # characters of it for what was said since

_GOOD = words(
    "happy glad love loved great awesome amazing wonderful excited proud thankful grateful fun enjoy "
    "enjoyed nice thanks yay haha"
)
_BAD = words(
    "sad angry upset worried stressed tired frustrated annoyed hate awful terrible scared afraid anxious "
    "hurt sorry difficult tough lonely"
)
_OBJECTIVE = re.compile(
    r"\b(?:can you|could you|help me|please|I need (?:you )?to|I want you to|I['’]?d like you to"
    r"|let['’]?s|we need to|I['’]?m (?:trying|working|building|writing)|your task|the goal is)\b",
    re.IGNORECASE,
)


def summarize(material: Sequence[ChatMessage], *, max_output_tokens: int) -> str:
    """The weightiest sentences as plain text, each with its speaker; empty for an empty conversation."""
    limit = min(MAX_SUMMARY_CHARS, max_output_tokens * CHARS_PER_TOKEN)
    return "\n".join(f"{s.speaker}: {s.text}" for s in choose(list_sentences(material), limit_chars=limit))


def summarize_session(material: Sequence[ChatMessage]) -> str:
    """A session's summary as JSON text: one_liner, what_mattered, open_loops, commitments, people, tone."""
    sentences = list_sentences(material)
    statements = [statement for _, statement in list_statements(material)]
    commitments = [s.value for s in statements if s.kind == "task" and s.todo_kind == "commitment"]
    others = [s.value for s in statements if s.kind == "task" and s.todo_kind in ("thread", "friction")]
    return json.dumps(
        {
            "one_liner": _one_liner(sentences),
            "what_mattered": [
                s.text for s in choose(sentences, limit_chars=MAX_SUMMARY_CHARS, limit=MAX_ITEMS)
            ],
            "open_loops": [*commitments, *others, *_unanswered(material)][:MAX_ITEMS],
            "commitments": commitments[:MAX_ITEMS],
            "people": _people(material, statements)[:MAX_ITEMS],
            "tone": _tone(material),
        },
        ensure_ascii=False,
    )


def roll_on(earlier: str, material: Sequence[ChatMessage]) -> str:
    """The running summary with what was said since: its newest lines stay, as many as fit beside the new ones."""
    latest = choose(list_sentences(material), limit_chars=NEW_ROLLING_CHARS, limit=MAX_ITEMS)
    lines = [f"{s.speaker}: {s.text}" for s in latest]
    room = MAX_ROLLING_CHARS - sum(len(line) + 1 for line in lines)
    for line in reversed(earlier.splitlines()):
        room -= len(line) + 1
        if room < 0:
            break
        if line not in lines:
            lines.insert(0, line)
    return "\n".join(lines)


def write_spine(material: Sequence[ChatMessage], *, earlier: str = "") -> str:
    """The standing facts so far with those of a stretch of conversation, in the four sections.

    A later statement about the same thing takes the place of an earlier one; what was settled is open no more.
    """
    stated = [s for _, s in list_statements(material)]
    statements = [s for s in stated if s.kind != "forget"]
    forgotten = [s.detail for s in stated if s.kind == "forget"]
    latest = sorted({s.key: s for s in statements}.values(), key=lambda s: (s.importance, s.kind != "event"))
    told = {
        "PROFILE": [s for s in latest if s.type == "profile" and s.kind != "task"],
        "PROJECTS": [s for s in latest if s.type == "project" or s.kind == "decision"],
        "PEOPLE": [s for s in latest if s.type == "people"],
        "OPEN_LOOPS": [s for s in latest if s.kind == "task"],
    }
    earlier_items = read_sections(earlier).items()
    known = {
        name: [item for item in items if not _is_meant(item, forgotten)] for name, items in earlier_items
    }
    sections = {name: _merge(known.get(name, []), told[name]) for name in SECTIONS}
    open_still = _without_settled(sections["OPEN_LOOPS"], material)
    sections["OPEN_LOOPS"] = [*open_still, *_unanswered(material)]
    return write_sections({name: items[-SPINE_ITEMS:] for name, items in sections.items()})


def _is_meant(item: str, forgotten: Sequence[str]) -> bool:
    """Whether it holds every word of something that is to be forgotten."""
    words = {word[:STEM_CHARS] for word in content_words(item)}
    wanted = ({word[:STEM_CHARS] for word in content_words(what)} for what in forgotten)
    return any(stems and stems <= words for stems in wanted)


def _merge(known: list[str], told: Iterable[Statement]) -> list[str]:
    items = list(known)
    for statement in told:
        items = [item for item in items if not _replaces(statement, item)]
        items.append(statement.value)
    return items


def _replaces(statement: Statement, item: str) -> bool:
    """The same again, or another word on what one has one of: a name, a home, a timezone."""
    if item == statement.value:
        return True
    stem = statement.value.split(statement.detail)[0] if statement.detail else ""
    return statement.kind in ("name", "place", "timezone") and bool(stem) and item.startswith(stem)


def _without_settled(items: list[str], material: Sequence[ChatMessage]) -> list[str]:
    """What nobody said is done; a question asked last time is not open for ever."""
    said = [m for m in material if m.role == "user"]
    closings = [closing for m in said for closing in read_closings(Turn(m.content, m.name, m.created_at))]
    return [
        item
        for item in items
        if not item.endswith("?") and not any(is_about(closing, item) for closing in closings)
    ]


def find_active_task(material: Sequence[ChatMessage]) -> str:
    """What the person last asked for, in their words and at most 200 characters; empty when they asked for nothing."""
    for message in reversed(material):
        if message.role == "user" and (asked := _objective(message.content)):
            return asked
    return ""


def _objective(text: str) -> str:
    for sentence in re.findall(r"[^.!?\n]+[.!?]*", text[:4_000]):
        if _OBJECTIVE.search(sentence):
            cut = " ".join(sentence.split())
            return cut if len(cut) <= MAX_TASK_CHARS else cut[: MAX_TASK_CHARS - 1].rsplit(" ", 1)[0] + "…"
    return ""


def _one_liner(sentences: Sequence[Sentence]) -> str:
    counts = Counter(word for s in sentences for word in set(content_words(s.text)))
    names = {s.speaker.lower() for s in sentences}
    topics = [word for word, _ in counts.most_common(12) if word not in names][:4]
    if not topics:
        return "A short exchange."
    listed = ", ".join(topics[:-1]) + f" and {topics[-1]}" if len(topics) > 1 else topics[0]
    return f"Talked about {listed}."[:MAX_ONE_LINER_CHARS]


def _unanswered(material: Sequence[ChatMessage]) -> list[str]:
    """Questions in the last message that somebody spoke: nobody has answered them yet."""
    spoken = [m for m in material if m.role in ("user", "assistant") and m.content.strip()]
    if not spoken:
        return []
    return [
        " ".join(q.split())[:MAX_TASK_CHARS]
        for q in re.findall(r"[^.!?\n]{8,}\?", spoken[-1].content[:4_000])
    ][:2]


def _people(material: Sequence[ChatMessage], statements: Iterable[Statement]) -> list[str]:
    speakers = [m.name for m in material if m.name]
    named = [s.entity for s in statements if s.type == "people" and s.entity]
    return list(dict.fromkeys([*speakers, *named]))


def _tone(material: Sequence[ChatMessage]) -> str:
    words = Counter(
        word for m in material if m.role == "user" for word in re.findall(r"[a-z']+", m.content.lower())
    )
    good, bad = sum(words[w] for w in _GOOD), sum(words[w] for w in _BAD)
    if good == bad:
        return "neutral"
    return "warm" if good > 2 * bad else "troubled" if bad > good else "mixed"

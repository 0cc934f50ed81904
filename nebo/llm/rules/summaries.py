"""Summaries by rule: of a stretch of conversation, of a session, of a life, and of the task at hand."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime

from nebo.llm.rules.sentences import Sentence as Weighed
from nebo.llm.rules.sentences import choose, content_words, list_sentences
from nebo.llm.spine_text import SECTIONS, read_sections, write_sections
from nebo.llm.types import ChatMessage
from nebo.reading.day_spans import format_day
from nebo.reading.facts import find_fact
from nebo.reading.reader import Sentence, read_text
from nebo.reading.stop_words import words
from nebo.reading.todos import FoundTodo, find_todo
from nebo.reading.values import find_person

CHARS_PER_TOKEN = 4  # characters; the usual estimate
MAX_SUMMARY_CHARS = 2_400  # characters
MAX_ONE_LINER_CHARS = 160  # characters
MAX_TASK_CHARS = 200  # characters
MAX_ITEMS = 6  # in one list of a session summary
SPINE_ITEMS = 20  # in one section of a spine
STEM_CHARS = 4  # letters by which words are taken for the same: "plays" and "play"
MAX_ROLLING_CHARS = 600  # characters; seed 002
NEW_ROLLING_CHARS = 360  # characters of it for what was said since

LOOSE_LOOPS = ("thread", "friction")  # open, but promised to nobody
NAMED = 0.5  # chance of being about somebody near, from which a name in a sentence is theirs
_SECTION_OF = {"profile": "PROFILE", "people": "PEOPLE", "project": "PROJECTS"}

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
    said = list(_list_said(material))
    tasks = [todo for _, sentence, on in said if (todo := find_todo(sentence, on))]
    commitments = [_dated(todo) for todo in tasks if todo.kind not in LOOSE_LOOPS]
    others = [_dated(todo) for todo in tasks if todo.kind in LOOSE_LOOPS]
    return json.dumps(
        {
            "one_liner": _one_liner([sentence for _, sentence, _ in said], sentences),
            "what_mattered": [
                s.text for s in choose(sentences, limit_chars=MAX_SUMMARY_CHARS, limit=MAX_ITEMS)
            ],
            "open_loops": [*commitments, *others, *_unanswered(material)][:MAX_ITEMS],
            "commitments": commitments[:MAX_ITEMS],
            "people": _people(material, [sentence for _, sentence, _ in said])[:MAX_ITEMS],
            "tone": _tone(material),
        },
        ensure_ascii=False,
    )


def _list_said(material: Sequence[ChatMessage]) -> Iterator[tuple[str, Sentence, date]]:
    """Who said which sentence, with its meaning, on which day; of people alone."""
    for message in material:
        if message.role == "user":
            on = (message.created_at or datetime.now(UTC)).date()
            yield from ((message.name, sentence, on) for sentence in read_text(message.content).sentences)


def _dated(todo: FoundTodo) -> str:
    """With its day: of "tomorrow" nobody knows later when that was."""
    return f"{todo.text} ({format_day(todo.due)})" if todo.due else todo.text


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

    Each is a person's own sentence, named for who said it; what was settled is open no more.
    """
    told: dict[str, list[str]] = {name: [] for name in SECTIONS}
    settled: list[str] = []
    for speaker, sentence, on in _list_said(material):
        if any(sentence.meaning.is_sure(kind) for kind in ("done", "dropped", "forget")):
            settled.append(sentence.text)
        elif todo := find_todo(sentence, on):
            told["OPEN_LOOPS"].append(_dated(todo))
        elif fact := find_fact(sentence, speaker=speaker, on=on):
            told[_SECTION_OF[fact.type]].append(fact.value)
    known = read_sections(earlier)
    sections = {name: list(dict.fromkeys([*known.get(name, []), *told[name]])) for name in SECTIONS}
    sections["OPEN_LOOPS"] = [
        *(item for item in sections["OPEN_LOOPS"] if not _is_settled(item, settled)),
        *_unanswered(material),
    ]
    return write_sections({name: items[-SPINE_ITEMS:] for name, items in sections.items()})


def _is_settled(item: str, settled: Sequence[str]) -> bool:
    """A question of last time is not open for ever; and what shares most words with a settled thing is settled."""
    words = _stems(content_words(item.partition(" (")[0]))  # without its day
    # "called" is a word to drop elsewhere; here it settles a call
    said = [_stems(re.findall(r"\w+", one.lower())) for one in settled]
    return item.endswith("?") or any(len(words & one) * 2 > len(words) for one in said)


def _stems(words: Iterable[str]) -> set[str]:
    return {word[:STEM_CHARS] for word in words}


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


def _one_liner(said: Sequence[Sentence], sentences: Sequence[Weighed]) -> str:
    """What the person wanted first, in their words; where they wanted nothing, the weightiest thing that was said."""
    wanted = [one.text for one in said if one.meaning.is_sure("request")]
    heaviest = [one.text for one in sorted(sentences, key=lambda one: -one.weight)]
    for text in (*wanted[:1], *heaviest[:1]):
        return " ".join(text.split())[:MAX_ONE_LINER_CHARS]
    return "A short exchange."


def _unanswered(material: Sequence[ChatMessage]) -> list[str]:
    """Questions in the last message that somebody spoke: nobody has answered them yet."""
    spoken = [m for m in material if m.role in ("user", "assistant") and m.content.strip()]
    if not spoken:
        return []
    return [
        " ".join(q.split())[:MAX_TASK_CHARS]
        for q in re.findall(r"[^.!?\n]{8,}\?", spoken[-1].content[:4_000])
    ][:2]


def _people(material: Sequence[ChatMessage], said: Iterable[Sentence]) -> list[str]:
    speakers = [m.name for m in material if m.name]
    named = [find_person(one.text) for one in said if one.meaning.chances["relative"] >= NAMED]
    return list(dict.fromkeys(filter(None, [*speakers, *named])))


def _tone(material: Sequence[ChatMessage]) -> str:
    words = Counter(
        word for m in material if m.role == "user" for word in re.findall(r"[a-z']+", m.content.lower())
    )
    good, bad = sum(words[w] for w in _GOOD), sum(words[w] for w in _BAD)
    if good == bad:
        return "neutral"
    return "warm" if good > 2 * bad else "troubled" if bad > good else "mixed"

"""What somebody and their assistant are working on: the request that still stands, in the person's own words.

A request that names something begins a task; one that is about the same goes on with it; what says that it is done or
dropped ends it. Wishes about the answers, reminders and plain questions are no tasks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from nebo.reading.meaning.kinds import Kind, Relation
from nebo.reading.meaning.one_sentence import Meaning
from nebo.reading.meaning.reader import Sentence, read_sentence, relation
from nebo.reading.requests.todos import is_led
from nebo.reading.words.naming import find_named, named_words, share_named
from nebo.reading.words.openers import without_opener

MAX_CHARS = 200  # characters of a task
ASKED = 0.6  # chance of being a request from which one counts
NO_TASK: tuple[Kind, ...] = ("wish", "forget", "asks_back", "quoted", "supposed", "joking", "passing")
DOUBT = 0.5  # chance of one of those from which a request is no task
NAMED = 2  # words that a task names, at least: "go on" and "make it shorter" name none
SAME_TASK = 0.5  # share of a request's words that the task has, from which it is about the same
ENDING: tuple[Kind, ...] = ("done", "dropped", "ended", "forget")
HINT = 0.1  # chance of one of these from which a sentence is read beside the task
OVERS: tuple[Relation, ...] = (
    "done",
    "dropped",
    "forget",
    "changes",
    "ends",
)  # what is over, of todos and of facts
OVER = 0.4  # chance of the task being that, by the pair
OF_ANSWERS = ("length", "emoji", "formality", "format", "tone")  # what a wish about the answers is about
CLEARLY = 0.6  # chance of a request being about that, from which it begins nothing
# Ties a request to what was before; read without it, it is what it asks for.
_NOW = re.compile(
    r"^(?:(?:so|and|und|y|et|e) )?(?:now|jetzt|nun|ahora|maintenant|adesso|ora)\b,?\s+", re.IGNORECASE
)
_POLITE = re.compile(
    r"(?:(?:can|could|would) you|(?:kannst|könntest|würdest) du|puedes|podrías|peux-tu|pourrais-tu|puoi|potresti)\s+\w",
    re.IGNORECASE,
)
LEFT_AFTER = 12  # messages of a person that say nothing about a task, after which it is left


def follow_task(current: str, sentences: Iterable[Sentence]) -> str:
    """The task after what a person said; empty where there is none."""
    for sentence in sentences:
        if current and is_over(current, sentence):
            current = ""
        elif begun := find_task(sentence):
            current = current if current and _is_about(current, begun) else begun
    return current


def find_task(sentence: Sentence) -> str:
    """The task that a sentence begins, at most 200 characters; empty for none."""
    bare = _NOW.sub("", sentence.text)
    meaning = sentence.meaning if bare == sentence.text else read_sentence(bare)
    if not _asks_for_work(meaning, bare):
        return ""
    text = without_opener(" ".join(sentence.text.split()))
    if len(named_words(text)) < NAMED:
        return ""
    text = text[:1].upper() + text[1:]
    return text if len(text) <= MAX_CHARS else f"{text[: MAX_CHARS - 1].rsplit(' ', 1)[0]}…"


def _asks_for_work(meaning: Meaning, text: str) -> bool:
    """Whether it is a request before anything else; one to be reminded is a todo."""
    chances = meaning.chances
    if not _asks(meaning, text) or any(chances[kind] >= DOUBT for kind in NO_TASK):
        return False
    if chances["todo"] >= DOUBT and (chances["todo"] >= chances["request"] or is_led(text)):
        return False
    return meaning.slot.partition(":")[0] not in OF_ANSWERS or meaning.slot_chance < CLEARLY


def _asks(meaning: Meaning, text: str) -> bool:
    """Whether something is asked for; "can you …?" is a question by its form alone."""
    polite = meaning.chances["question"] >= DOUBT and _POLITE.match(text) is not None
    return polite or meaning.chances["request"] >= ASKED


def is_over(task: str, sentence: Sentence) -> bool:
    """Whether a sentence says that the task is done, or that nothing is to come of it."""
    if not any(sentence.meaning.chances[kind] >= HINT for kind in ENDING):
        return False
    if not find_named(named_words(task), sentence.text):
        return False
    chances = relation(task, sentence.text)
    return sum(chances.get(kind, 0.0) for kind in OVERS) >= OVER


def is_left(task: str, sentences: Sequence[str]) -> bool:
    """Whether the last messages of a person, oldest first, are long about something else."""
    named = named_words(task)
    return len(sentences) >= LEFT_AFTER and not any(
        find_named(named, text) for text in sentences[-LEFT_AFTER:]
    )


def _is_about(task: str, request: str) -> bool:
    return share_named(named_words(request), task) >= SAME_TASK

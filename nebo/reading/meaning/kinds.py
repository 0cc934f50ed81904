"""What a sentence can be; several may hold at once. `training/README.md` says what each of them means."""

from __future__ import annotations

from typing import Literal

Kind = Literal[
    "asks_back", "forget", "wish", "wish_back", "wish_if", "todo", "done", "put_off", "dropped", "confidence",
    "remember", "correction", "ended", "lasting", "relative", "other", "event", "passing", "request", "question",
    "quoted", "supposed", "joking",
]  # fmt: skip
KINDS: tuple[Kind, ...] = (
    "asks_back", "forget", "wish", "wish_back", "wish_if", "todo", "done", "put_off", "dropped", "confidence",
    "remember", "correction", "ended", "lasting", "relative", "other", "event", "passing", "request", "question",
    "quoted", "supposed", "joking",
)  # fmt: skip

Worth = Literal["good", "trivial", "wrong"]
WORTHS: tuple[Worth, ...] = ("good", "trivial", "wrong")

# Which question a fact answers, what a wish is about, and which sort of todo one is.
SLOTS = (
    "name", "age", "birthday", "home", "origin", "timezone", "contact", "work", "education", "partner", "family",
    "friend", "pet", "diet", "allergy", "health", "body", "language", "skill", "hobby", "taste", "possession", "habit",
    "belief", "plan", "project", "decision", "tool", "money", "travel", "trait", "event", "other", "length:short",
    "length:long", "emoji:no", "emoji:yes", "formality:formal", "formality:casual", "address", "format", "tone",
    "questions", "sources", "units", "spelling", "words", "commitment", "thread", "friction",
)  # fmt: skip

OF_MANNER = (
    "length:short", "length:long", "emoji:no", "emoji:yes", "formality:formal", "formality:casual",
)  # fmt: skip  # slots of a manner that every answer has

Relation = Literal[
    "same",
    "changes",
    "ends",
    "beside",
    "other",
    "done",
    "put_off",
    "dropped",
    "not_done",
    "forget",
    "not_meant",
]
RELATIONS: tuple[Relation, ...] = (
    "same", "changes", "ends", "beside", "other", "done", "put_off", "dropped", "not_done", "forget", "not_meant",
)  # fmt: skip

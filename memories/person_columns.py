"""Which memories are also columns of the person's profile."""

from __future__ import annotations

import re

from memories.normalize import is_profile_namespace, normalize_key

COLUMN_OF_KEY = {
    "name": "display_name",
    "display-name": "display_name",
    "location": "location",
    "timezone": "timezone",
    "occupation": "occupation",
    "goals": "goals",
    "context": "context",
    "communication-style": "communication_style",
    "interests": "interests",
}
KEY_OF_COLUMN = {
    "display_name": "name",
    "location": "location",
    "timezone": "timezone",
    "occupation": "occupation",
    "goals": "goals",
    "context": "context",
    "communication_style": "communication-style",
    "interests": "interests",
}
COLUMN_MAX_CHARS = {"display_name": 200, "location": 200, "timezone": 64, "occupation": 200}
INTEREST_MAX_CHARS = 200  # characters of one interest
USER_PREFIX = "user/"  # how an extractor writes the same in the namespace `tacit`

_LEADS = {
    "name": r"(?:is )?(?:called|named|goes by|name is)",
    "display-name": r"(?:is )?(?:called|named|goes by|name is)",
    "location": r"(?:(?:currently |now )?(?:lives|resides|is based|is located|is living|is) (?:in|at|near)"
    r"|moved to)",
    "timezone": r"(?:(?:is |works |lives )?(?:in|on)(?: the)?(?: time ?zone)?|(?:'s )?time ?zone is|uses)",
    "occupation": r"(?:works as|is employed as|is|works in)(?: an?)?",
}
_SUBJECT = r"^(?:(?:the )?user|they|(?:[A-ZÀ-Þ][\w'’-]*\s?){0,3}?)?(?:['’]s)?\s*"
_LIST_BREAK = re.compile(r"\s*[,;\n]\s*")


def find_column(namespace: str, key: str) -> str | None:
    """The profile's column for a memory at this address, if it has one."""
    normal = normalize_key(key)
    if namespace == "tacit" and normal.startswith(USER_PREFIX):
        return COLUMN_OF_KEY.get(normal.removeprefix(USER_PREFIX))
    return COLUMN_OF_KEY.get(normal) if is_profile_namespace(namespace) else None


def column_value(column: str, value: str) -> str | list[str]:
    """A memory's value as its column takes it: a list for interests, cut to the column's length otherwise."""
    if column == "interests":
        return [part[:INTEREST_MAX_CHARS] for part in _LIST_BREAK.split(value.strip()) if part]
    return value[: COLUMN_MAX_CHARS.get(column, len(value))]


def memory_value(value: str | list[str]) -> str:
    """A column's value as its memory writes it."""
    return value if isinstance(value, str) else ", ".join(value)


def person_value(key: str, value: str) -> str:
    """The bare value for a profile column of a sentence: of `location`, "Caroline lives in Berlin." gives "Berlin"."""
    lead = _LEADS.get(normalize_key(key).removeprefix(USER_PREFIX))
    bare = re.sub(rf"{_SUBJECT}{lead}\s+", "", value, count=1, flags=re.IGNORECASE) if lead else value
    return bare.strip(" .") or value

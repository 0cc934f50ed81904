"""What a tenant decides for all its people: how it learns, what agents are given, how long things are kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from nebo.reading.sensitive.kinds import CLASSES
from nebo.tenants.windows import WINDOWS

LEAST_COMPACTION = 1_000  # tokens; less than a few messages and their summary
MOST_COMPACTION = 1_000_000  # tokens; the widest window a model has
SensitiveChoice = Literal["learn", "review", "never"]
LEARN: SensitiveChoice = "learn"
REVIEW: SensitiveChoice = "review"
NEVER: SensitiveChoice = "never"
CHOICES: tuple[SensitiveChoice, ...] = (LEARN, REVIEW, NEVER)
LEARNING = ("auto_extract", "compaction_tokens", "review_share")
SENSITIVE = ("sensitive_classes",)
GIVING = ("user_memory", "recall", "relevance_floor")
SHARING = ("team_memory",)
LOOKING = ("admins_look",)
SETTINGS = (*LEARNING, *SENSITIVE, *GIVING, *SHARING, *LOOKING, *WINDOWS)


def find_unknown_choice(choices: Any) -> str:
    """What is no class, or no choice, of those that somebody gave for sensitive matters; empty where all is right."""
    if not isinstance(choices, Mapping):
        return "?"
    wrong = (str(name) for name, choice in choices.items() if name not in CLASSES or choice not in CHOICES)
    return next(wrong, "")


def with_choices(held: Mapping[str, Any], changed: Mapping[str, Any]) -> dict[str, Any]:
    """What is decided once some of it is changed, as it is kept: without the classes that are learned as ever."""
    decided = {**held, **changed}
    return {name: decided[name] for name in CLASSES if decided.get(name, LEARN) != LEARN}


def all_choices(held: Mapping[str, Any]) -> dict[str, Any]:
    """What is decided of every class."""
    return {name: held.get(name, LEARN) for name in CLASSES}

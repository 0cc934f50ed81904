"""What a sentence may be to a known fact, by the reader alone."""

from __future__ import annotations

from nebo.reading.meaning.kinds import Relation
from nebo.reading.meaning.reader import relation

ABOUT_FACTS: tuple[Relation, ...] = ("same", "changes", "ends", "beside", "other")


def among_facts(known: str, stated: str) -> dict[Relation, float]:
    """The chances of what a sentence can be to a fact, adding up to one; empty where there is no reader."""
    chances = relation(known, stated)
    total = sum(chances[name] for name in ABOUT_FACTS) if chances else 0.0
    return {name: chances[name] / total for name in ABOUT_FACTS} if total else {}

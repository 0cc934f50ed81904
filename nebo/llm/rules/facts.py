"""Several facts about one subject as one line: the first whole, the others without the subject's name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nebo.llm.types import ChatMessage


def join_facts(material: Sequence[ChatMessage]) -> str:
    """`John is my cofounder; handles backend`. Each message is a fact, its `name` the subject's."""
    facts = [" ".join(message.content.split()).rstrip(" .;") for message in material]
    rest = [without_name(fact, message.name) for fact, message in zip(facts[1:], material[1:], strict=True)]
    return "; ".join([*facts[:1], *(fact for fact in rest if fact)])


def without_name(fact: str, name: str) -> str:
    """A fact that begins with the subject's name goes on after it; any other stays whole."""
    names = [name, *name.split()[:1]]
    for one in filter(None, names):
        bare = re.sub(rf"^{re.escape(one)}(?:\s+|:\s*)(?=\w)", "", fact, count=1, flags=re.IGNORECASE)
        if bare != fact:
            return bare
    return fact

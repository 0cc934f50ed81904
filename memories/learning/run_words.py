"""What a run of extraction tells of its proposals once words it rests on were withheld: a mark in their place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from memories.models import ExtractionRun
from memories.screening.placeholders import WITHHELD
from memories.withholding.withholding import list_messages
from nebo.tenants.models import Tenant

TELLING = (
    "value", "key", "memory_key", "entity_label", "text", "todo", "quote", "reason", "doubt", "tags", "entity_refs",
    "metadata",
)  # fmt: skip
Json = Any


def list_cited_words(*, tenant: Tenant | UUID, runs: Iterable[ExtractionRun]) -> dict[str, str]:
    """What agents are shown of the messages that these runs cite, by id; one query."""
    ids = {str(pk) for run in runs for pk in _cited((run.proposals, run.outcome))}
    rows = list_messages(tenant).filter(pk__in=ids) if ids else ()
    return {str(message.pk): message.words for message in rows}


def is_shown(entry: Json, words: Mapping[str, str]) -> bool:
    """Whether all that an entry quotes is shown still; of a message that is gone there is nothing to withhold."""
    if not isinstance(entry, dict):
        return True
    quote, message = entry.get("quote"), entry.get("message_id")
    own = not quote or quote in words.get(str(message), quote)
    return own and all(is_shown(one, words) for one in entry.get("observations", ()))


def silenced(data: Json, words: Mapping[str, str]) -> Json:
    """JSON in which entries that rest on withheld words say nothing of them."""
    if isinstance(data, list):
        return [silenced(one, words) for one in data]
    if not isinstance(data, dict):
        return data
    if is_shown(data, words):
        return {name: silenced(value, words) for name, value in data.items()}
    return {name: _marked(name, value, words) for name, value in data.items()}


def _marked(name: str, value: Json, words: Mapping[str, str]) -> Json:
    if name == "observations":
        return [{field: _marked(field, held, words) for field, held in seen.items()} for seen in value]
    if name not in TELLING or not value:
        return value
    return WITHHELD if isinstance(value, str) else type(value)()


def _cited(data: Json) -> Iterable[str]:
    if isinstance(data, dict):
        if data.get("message_id"):
            yield str(data["message_id"])
        data = list(data.values())
    if isinstance(data, list | tuple):
        for one in data:
            yield from _cited(one)

"""What tools give as data: less than the API, since a model reads all of it."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from memories.api.answers import VISIBILITIES, MemoryFields, Ref, Value
from memories.models import Memory
from memories.team.recalling import TeamFields
from nebo.api.shapes import Id, Moment, like, one_of


class MemoryBrief(TypedDict):
    """A memory in short."""

    id: Id
    value: Value
    key: Annotated[str, like("location")]
    namespace: Annotated[str, like("tacit/user")]
    tags: list[str]
    about: Annotated[list[Ref], like([], "People, places, projects it is about.")]
    pinned: bool
    importance: int
    status: Annotated[str, one_of(Memory.Status)]
    trust: Annotated[str, one_of(Memory.Trust)]
    visibility: Annotated[str, one_of(VISIBILITIES)]
    updated_at: Moment


class FoundBrief(TypedDict):
    """A result: a memory by its id, or a passage of a conversation."""

    text: str
    score: float
    created_at: Moment
    memory_id: NotRequired[Id]
    session_id: NotRequired[Id]


class Found(TypedDict):
    """Best first."""

    results: list[FoundBrief]
    still_learning: Annotated[
        bool, like(False, "Something was said that nobody has read yet: ask again soon.")
    ]
    team: NotRequired[Annotated[list[TeamFields], like([], "What others of the team shared about it.")]]


class Context(TypedDict):
    """What to know before an answer."""

    context: str
    session_id: Id | None


class Stored(TypedDict):
    """A memory as it was kept."""

    memory: MemoryBrief
    known_before: bool


class Changed(TypedDict):
    """A memory as it is now."""

    memory: MemoryBrief


class Listed(TypedDict):
    """A page of memories."""

    memories: list[MemoryBrief]
    next_cursor: str | None


class ToDecide(TypedDict):
    """What somebody asked to have forgotten, which could mean several memories."""

    asked: str
    memories: list[MemoryBrief]


class Kept(TypedDict):
    """What a turn left behind."""

    session_id: Id
    messages: int
    collected: Annotated[bool, like(True, "False while collection is paused: then nothing of it is kept.")]
    learned: list[MemoryBrief]
    forgotten: Annotated[list[MemoryBrief], like([], "What its words asked to have forgotten.")]
    to_decide: list[ToDecide]


class Forgotten(TypedDict):
    """Which memory is gone."""

    memory_id: Id


class SearchResult(TypedDict):
    """What a connector lists."""

    id: Id
    title: str
    url: str


class SearchResults(TypedDict):
    """Best first."""

    results: list[SearchResult]


class FetchedSource(TypedDict):
    """Where a document comes from."""

    namespace: str
    status: str
    updated_at: Moment


class Fetched(TypedDict):
    """A whole document."""

    id: Id
    title: str
    text: str
    url: str
    metadata: FetchedSource


def brief(memory: MemoryFields) -> MemoryBrief:
    """A memory of the API in short."""
    return {
        "id": memory["id"],
        "value": memory["value"],
        "key": memory["key"],
        "namespace": memory["namespace"],
        "tags": memory["tags"],
        "about": memory["entity_refs"],
        "pinned": memory["pinned"],
        "importance": memory["importance"],
        "status": memory["status"],
        "trust": memory["trust"],
        "visibility": memory["visibility"],
        "updated_at": memory["updated_at"],
    }

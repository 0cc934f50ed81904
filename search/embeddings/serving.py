"""Which models make vectors now: the one that serves, and the one that is built beside it.

A row of the database says so; every process looks again after a few seconds. A vector knows its model, so one
made before a change is compared with its own kind after it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from threading import Lock

from django.db import connection

from nebo.llm.breakers import Breaker, breaker_of
from search.embeddings.registry import get_embedder
from search.embeddings.remote import QUESTION, TRIAL, in_a_hurry
from search.embeddings.types import OWN_PROCESS, Embedder
from search.models import EmbeddingModel

LOOK_AGAIN_S = 5.0  # seconds until a process notices a change
READY = "ready"  # a text that every model takes


class Vector(list[float]):
    """Numbers, and the id of the model that made them."""

    __slots__ = ("model_id",)

    def __init__(self, numbers: Iterable[float], *, model_id: int) -> None:
        super().__init__(numbers)
        self.model_id = model_id


@dataclass(frozen=True, slots=True)
class VectorModel:
    """A model with its row; `id` is what vector rows name, `serves` whether questions are asked with it. `own`
    asks it for one team, with its account.
    """

    id: int
    provider: str
    name: str
    dimensions: int
    serves: bool
    own: Embedder | None = field(default=None, compare=False, repr=False)  # search.embeddings.own
    owner: str = field(default="", compare=False, repr=False)

    @property
    def embedder(self) -> Embedder:
        """A team's own, or this process's embedder for it. Raises ConfigurationError when the settings no longer
        allow it.
        """
        if self.own is not None:
            return self.own
        configured = get_configured()
        if self.is_same_as(configured):
            return configured
        return get_embedder(f"{self.provider}/{self.name}", dimensions=self.dimensions)

    def is_same_as(self, embedder: Embedder) -> bool:
        """Whether its vectors are this embedder's."""
        theirs = (embedder.provider, embedder.model, embedder.dimensions)
        return (self.provider, self.name, self.dimensions) == theirs

    @property
    def rests_s(self) -> float:
        """Seconds until a provider that has failed is asked again; 0 where it may be asked."""
        return 0.0 if self.provider in OWN_PROCESS else self._breaker.rests_s

    def embed(self, texts: list[str]) -> list[Vector]:
        """Vectors that know their model, for work that can wait. Raises LlmError, at once while the provider rests."""
        embedder = self.embedder
        if self.provider in OWN_PROCESS or not texts:
            return self._as_vectors(embedder.embed(texts))
        with self._breaker.ask() as tries:
            if tries:
                in_a_hurry(embedder, TRIAL).embed([READY])
            return self._as_vectors(embedder.embed(texts))

    def embed_question(self, text: str) -> Vector:
        """The vector of a question, for which somebody waits: within a second. Raises LlmError."""
        embedder = self.embedder
        if self.provider in OWN_PROCESS:
            return self._as_vectors(embedder.embed([text]))[0]
        with self._breaker.ask():
            return self._as_vectors(in_a_hurry(embedder, QUESTION).embed([text]))[0]

    @property
    def _breaker(self) -> Breaker:
        return breaker_of("embedding", provider=self.provider, model=self.name, owner=self.owner)

    def _as_vectors(self, made: Iterable[Iterable[float]]) -> list[Vector]:
        return [Vector(numbers, model_id=self.id) for numbers in made]


@dataclass(frozen=True, slots=True)
class VectorModels:
    """`serving` answers questions; `building` gets its vectors meanwhile."""

    serving: VectorModel
    building: VectorModel | None = None

    @property
    def live(self) -> tuple[VectorModel, ...]:
        """All that new chunks need vectors of."""
        return (self.serving, self.building) if self.building else (self.serving,)


_known: tuple[float, VectorModels] | None = None
_knowing = Lock()


def get_configured() -> Embedder:
    """The embedder that the settings name; another than the serving model's while they are exchanged."""
    return get_embedder()


def get_serving_model() -> VectorModel:
    """The model that questions are embedded with; at first, that is the configured one."""
    return get_models().serving


def get_models() -> VectorModels:
    """As this process knows them, or as the database says."""
    global _known
    with _knowing:
        if _known is not None and time.monotonic() < _known[0]:
            return _known[1]
    models = _read_models()
    if not connection.in_atomic_block:  # what a transaction made may yet be rolled back
        with _knowing:
            _known = (time.monotonic() + LOOK_AGAIN_S, models)
    return models


def forget_models() -> None:
    """Ask the database next time; for whoever changed it."""
    global _known
    with _knowing:
        _known = None


def model_id_of(vector: list[float]) -> int:
    """The model that made a vector; one that doesn't say is the serving model's."""
    return vector.model_id if isinstance(vector, Vector) else get_serving_model().id


def serving_model_of(vector: list[float] | None) -> VectorModel | None:
    """The model whose cosines an answer holds; None where it had to do without a question's vector."""
    return None if vector is None else get_serving_model()


def as_vector_model(row: EmbeddingModel) -> VectorModel:
    """The model of a row."""
    serves = row.state == EmbeddingModel.State.SERVING
    return VectorModel(row.pk, row.provider, row.name, row.dimensions, serves)


def find_or_make_row(embedder: Embedder, state: str) -> EmbeddingModel:
    """The row of an embedder's vectors, in whatever state it is; made in `state` if there is none."""
    row, _ = EmbeddingModel.objects.get_or_create(
        provider=embedder.provider,
        name=embedder.model,
        dimensions=embedder.dimensions,
        defaults={"state": state},
    )
    return row


def _read_models() -> VectorModels:
    state = EmbeddingModel.State
    rows = EmbeddingModel.objects.filter(state__in=[state.SERVING, state.BUILDING])
    by_state = {row.state: as_vector_model(row) for row in rows}
    if state.SERVING not in by_state:
        by_state[state.SERVING] = as_vector_model(find_or_make_row(get_configured(), state.SERVING))
    return VectorModels(by_state[state.SERVING], by_state.get(state.BUILDING))

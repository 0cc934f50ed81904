"""The model that makes vectors now: its row in the database and the embedder of this process."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection

from search.embeddings.registry import get_embedder
from search.embeddings.types import Embedder
from search.models import EmbeddingModel


@dataclass(frozen=True, slots=True)
class ServingModel:
    """`id` is what vector rows name."""

    id: int
    embedder: Embedder


_ids: dict[tuple[str, str, int], int] = {}


def get_serving_model() -> ServingModel:
    """The configured embedder with its row, which is made on first use."""
    embedder = get_embedder()
    name = (embedder.provider, embedder.model, embedder.dimensions)
    model_id = _ids.get(name)
    if model_id is None:
        model_id = _find_or_make(*name)
        if not connection.in_atomic_block:  # what a transaction made may yet be rolled back
            _ids[name] = model_id
    return ServingModel(model_id, embedder)


def _find_or_make(provider: str, model: str, dimensions: int) -> int:
    row, _ = EmbeddingModel.objects.get_or_create(provider=provider, name=model, dimensions=dimensions)
    return row.pk

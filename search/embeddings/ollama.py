"""Embeddings from a model served by Ollama."""

from collections.abc import Mapping, Sequence
from typing import Any

from nebo.llm.transport import Endpoint
from search.embeddings.remote import DEFAULT_PATIENCE, RemoteModel, RetryPolicy

DEFAULT_MODEL = "qwen3-embedding"
DEFAULT_BASE_URL = "http://127.0.0.1:11434"
DEFAULT_DIMENSIONS = 256  # docs/design.md#search-numbers
MIN_DIMENSIONS, MAX_DIMENSIONS = 32, 1024  # what qwen3-embedding can be cut to


def build_ollama_embedder(
    *,
    model: str = DEFAULT_MODEL,
    base_url: str = DEFAULT_BASE_URL,
    dimensions: int = 0,
    retry_policy: RetryPolicy = DEFAULT_PATIENCE,
) -> RemoteModel:
    """`POST {base_url}/api/embed`; `dimensions` 0 means 256. Raises ValueError outside 32–1024."""
    size = dimensions or DEFAULT_DIMENSIONS
    if not MIN_DIMENSIONS <= size <= MAX_DIMENSIONS:
        raise ValueError(
            f"Ollama embeddings have {MIN_DIMENSIONS} to {MAX_DIMENSIONS} dimensions, not {size}"
        )

    def build_payload(texts: Sequence[str]) -> Mapping[str, Any]:
        return {"model": model, "input": list(texts), "dimensions": size, "truncate": True}

    return RemoteModel(
        endpoint=Endpoint("ollama", model, f"{base_url.rstrip('/')}/api/embed"),
        dimensions=size,
        build_payload=build_payload,
        read_vectors=lambda data: data.get("embeddings"),
        retry_policy=retry_policy,
    )

"""Embeddings from OpenAI, and from everything that speaks its API."""

from collections.abc import Mapping, Sequence
from typing import Any

from nebo.llm.transport import Endpoint
from search.embeddings.remote import DEFAULT_PATIENCE, RemoteModel, RetryPolicy

DEFAULT_MODEL = "text-embedding-3-small"
DEFAULT_BASE_URL = "https://api.openai.com/v1"
# What each model gives unless told otherwise; only the newer ones can be told.
MODEL_DIMENSIONS = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
}
UNKNOWN_MODEL_DIMENSIONS = 1536


def build_openai_embedder(
    *,
    api_key: str,
    model: str = DEFAULT_MODEL,
    base_url: str = DEFAULT_BASE_URL,
    dimensions: int = 0,
    retry_policy: RetryPolicy = DEFAULT_PATIENCE,
) -> RemoteModel:
    """`POST {base_url}/embeddings`; `dimensions` 0 is the model's own number, and then it isn't sent."""
    asked = {"dimensions": dimensions} if dimensions else {}
    headers = {"authorization": f"Bearer {api_key}"} if api_key else {}

    def build_payload(texts: Sequence[str]) -> Mapping[str, Any]:
        return {"model": model, "input": list(texts), "encoding_format": "float", **asked}

    return RemoteModel(
        endpoint=Endpoint("openai", model, f"{base_url.rstrip('/')}/embeddings", headers),
        dimensions=dimensions or MODEL_DIMENSIONS.get(model, UNKNOWN_MODEL_DIMENSIONS),
        build_payload=build_payload,
        read_vectors=read_vectors,
        retry_policy=retry_policy,
    )


def read_vectors(data: Mapping[str, Any]) -> object:
    """The vectors by their `index`: the order of the list is not promised."""
    rows = data.get("data")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return None
    indexes = [row.get("index") for row in rows]
    if sorted(index for index in indexes if type(index) is int) != list(range(len(rows))):
        return None
    return [row.get("embedding") for row in sorted(rows, key=lambda row: row["index"])]

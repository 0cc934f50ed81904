"""From `provider/model` in the settings to the embedder of this process."""

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from nebo.encoders.files import E5_NAME, E5_WHEEL, MINILM_NAME, MINILM_WHEEL, has_e5, has_minilm
from nebo.env import env
from nebo.llm.errors import ConfigurationError
from search.embeddings import local, ollama, openai
from search.embeddings.hashing import HashingEmbedder
from search.embeddings.types import Embedder


class EmbeddingSettings(Protocol):
    """The part of the environment that embedders need; nebo.env's `env` is one."""

    @property
    def embedding_dimensions(self) -> int: ...
    @property
    def embedding_threads(self) -> int: ...
    @property
    def openai_api_key(self) -> str: ...
    @property
    def openai_base_url(self) -> str: ...
    @property
    def ollama_base_url(self) -> str: ...


_embedders: dict[tuple[str, int], Embedder] = {}
_building = threading.Lock()


def get_embedder(spec: str | None = None, *, dimensions: int | None = None) -> Embedder:
    """The process's one embedder for `spec`, by default the configured one; cheap until it embeds.

    `dimensions` stand in for the configured number, 0 being the model's own. Raises ConfigurationError for a
    `spec` that can't work, naming it and what is missing.
    """
    name = spec or env.embedding_model
    wanted = env.embedding_dimensions if dimensions is None else dimensions
    embedder = _embedders.get((name, wanted))
    if embedder is None:
        with _building:
            built = build_embedder(name, replace(env, embedding_dimensions=wanted))
            embedder = _embedders.setdefault((name, wanted), built)
    return embedder


def build_embedder(spec: str, settings: EmbeddingSettings) -> Embedder:
    """A new embedder for `provider/model`; raises ConfigurationError like `get_embedder`."""
    provider, _, model = (part.strip() for part in spec.partition("/"))
    if provider not in BUILDERS:
        known = ", ".join(BUILDERS)
        raise ConfigurationError(f"“{spec}” names an unknown embedding provider; known are {known}.")
    try:
        return BUILDERS[provider](model, settings)
    except ValueError as error:
        raise ConfigurationError(f"“{spec}” can't be used: {error}.") from error


def _local(model: str, settings: EmbeddingSettings) -> Embedder:
    name = model or MINILM_NAME
    if name not in local.LOADERS:
        raise ValueError(f"the local models are {' and '.join(local.LOADERS)}")
    if name == E5_NAME and not has_e5():
        raise ValueError(f"the package {E5_WHEEL} is not installed")
    if name == MINILM_NAME and not has_minilm():
        raise ValueError(f"it has no file: {MINILM_WHEEL} is not installed, or NEBO_MINILM_FILE names none")
    if settings.embedding_dimensions not in (0, local.DIMENSIONS):
        raise ValueError(f"{name} has {local.DIMENSIONS} dimensions")
    return local.LocalEmbedder(name, threads=settings.embedding_threads)


def _hashing(model: str, settings: EmbeddingSettings) -> Embedder:
    if model and not (model.isascii() and model.isdigit()):
        raise ValueError("write the number of dimensions after the slash, as in hashing/384")
    return HashingEmbedder(int(model or settings.embedding_dimensions) or HashingEmbedder().dimensions)


def _openai(model: str, settings: EmbeddingSettings) -> Embedder:
    base_url = settings.openai_base_url or openai.DEFAULT_BASE_URL
    if base_url.rstrip("/") == openai.DEFAULT_BASE_URL and not settings.openai_api_key:
        raise ValueError("it needs a key, set OPENAI_API_KEY")
    return openai.build_openai_embedder(
        api_key=settings.openai_api_key,
        model=model or openai.DEFAULT_MODEL,
        base_url=base_url,
        dimensions=settings.embedding_dimensions,
    )


def _ollama(model: str, settings: EmbeddingSettings) -> Embedder:
    return ollama.build_ollama_embedder(
        model=model or ollama.DEFAULT_MODEL,
        base_url=settings.ollama_base_url or ollama.DEFAULT_BASE_URL,
        dimensions=settings.embedding_dimensions,
    )


BUILDERS: dict[str, Callable[[str, EmbeddingSettings], Embedder]] = {
    "local": _local,
    "hashing": _hashing,
    "openai": _openai,
    "ollama": _ollama,
}

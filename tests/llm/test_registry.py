from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from nebo.llm.errors import ConfigurationError
from nebo.llm.providers.anthropic import AnthropicModel
from nebo.llm.providers.ollama import OllamaModel
from nebo.llm.providers.openai import OpenAIModel
from nebo.llm.providers.rules import RulesModel
from nebo.llm.registry import list_chat_models


@dataclass(frozen=True)
class Settings:
    chat_models: tuple[str, ...] = ()
    openai_api_key: str = ""
    openai_base_url: str = "https://api.openai.com/v1"
    anthropic_api_key: str = ""
    anthropic_base_url: str = "https://api.anthropic.com"
    ollama_base_url: str = "http://127.0.0.1:11434"


NO_KEYS = Settings()
KEYS = Settings(openai_api_key="sk-1", anthropic_api_key="sk-2")


def test_models_come_in_the_order_they_are_written() -> None:
    entries = ("ollama/qwen3:4b", "openai/gpt-x", "anthropic/claude-x", "rules/english-1")

    models = list_chat_models(replace(KEYS, chat_models=entries))

    assert [type(model) for model in models] == [OllamaModel, OpenAIModel, AnthropicModel, RulesModel]
    assert tuple(f"{model.provider}/{model.model}" for model in models) == entries


def test_the_rules_work_alone_when_no_model_is_configured() -> None:
    models = list_chat_models(NO_KEYS)

    assert [(model.provider, model.model) for model in models] == [("rules", "english-1")]


def test_a_models_name_may_have_slashes_and_an_own_endpoint_needs_no_key() -> None:
    settings = replace(
        NO_KEYS, chat_models=("openai/meta/llama-x",), openai_base_url="http://127.0.0.1:8080/v1/"
    )

    models = list_chat_models(settings)

    assert models == (OpenAIModel("meta/llama-x", "", "http://127.0.0.1:8080/v1"),)


def test_an_empty_address_means_the_providers_own() -> None:
    settings = replace(
        KEYS, chat_models=("openai/gpt-x", "anthropic/c"), openai_base_url="", anthropic_base_url=""
    )

    models = list_chat_models(settings)

    assert models == (OpenAIModel("gpt-x", "sk-1"), AnthropicModel("c", "sk-2"))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (replace(KEYS, chat_models=("gpt-x",)), "“gpt-x” is not a chat model: write it as provider/model"),
        (replace(KEYS, chat_models=("openai/",)), "“openai/” is not a chat model"),
        (
            replace(KEYS, chat_models=("opnai/gpt-x",)),
            "“opnai/gpt-x” names an unknown provider; known are openai, anthropic, ollama, rules",
        ),
        (replace(NO_KEYS, chat_models=("openai/gpt-x",)), "openai/gpt-x needs a key: set OPENAI_API_KEY"),
        (replace(NO_KEYS, chat_models=("anthropic/c",)), "anthropic/c needs a key: set ANTHROPIC_API_KEY"),
        (
            replace(KEYS, chat_models=("openai/gpt-x",), openai_api_key="sk-a b"),
            "OPENAI_API_KEY has characters that no key has",
        ),
        (
            replace(KEYS, chat_models=("openai/gpt-x",), openai_base_url="127.0.0.1:8080"),
            "OPENAI_BASE_URL is not an http or https address",
        ),
        (
            replace(KEYS, chat_models=("ollama/q",), ollama_base_url="http://host:port"),
            "OLLAMA_BASE_URL is not an http or https address",
        ),
        (
            replace(KEYS, chat_models=("rules/rules-9",)),
            "“rules/rules-9” does not exist; there is rules/english-1",
        ),
    ],
)
def test_an_entry_that_cannot_work_says_what_is_missing(settings: Settings, message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        list_chat_models(settings)

    assert message in str(caught.value)
    assert "sk-" not in str(caught.value)

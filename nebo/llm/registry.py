"""From `provider/model` in the settings to models that can be asked."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Protocol
from urllib.parse import urlsplit

from nebo.env import env
from nebo.llm.errors import ConfigurationError
from nebo.llm.providers import anthropic, ollama, openai
from nebo.llm.types import ChatModel


class ChatSettings(Protocol):
    """The part of the environment that chat models need; nebo.env's `env` is one."""

    @property
    def chat_models(self) -> tuple[str, ...]: ...
    @property
    def openai_api_key(self) -> str: ...
    @property
    def openai_base_url(self) -> str: ...
    @property
    def anthropic_api_key(self) -> str: ...
    @property
    def anthropic_base_url(self) -> str: ...
    @property
    def ollama_base_url(self) -> str: ...


def list_chat_models(settings: ChatSettings = env) -> tuple[ChatModel, ...]:
    """The configured models, cheapest first as they are written; the rules alone when there is none.

    Raises ConfigurationError for an entry that can't work, naming it and what is missing.
    """
    models = tuple(_get_model(entry, settings) for entry in settings.chat_models)
    return models or (_get_rules(),)


def _get_model(entry: str, settings: ChatSettings) -> ChatModel:
    provider, _, model = (part.strip() for part in entry.partition("/"))
    if not model:
        raise ConfigurationError(f"“{entry}” is not a chat model: write it as provider/model.")
    if provider not in BUILDERS:
        known = ", ".join(BUILDERS)
        raise ConfigurationError(f"“{entry}” names an unknown provider; known are {known}.")
    return BUILDERS[provider](model, settings)


def _openai(model: str, settings: ChatSettings) -> ChatModel:
    base_url = _base_url(settings.openai_base_url or openai.DEFAULT_BASE_URL, "OPENAI_BASE_URL")
    needed = urlsplit(base_url).hostname == urlsplit(openai.DEFAULT_BASE_URL).hostname
    key = _key(settings.openai_api_key, f"openai/{model}", "OPENAI_API_KEY", needed=needed)
    return openai.OpenAIModel(model, key, base_url)


def _anthropic(model: str, settings: ChatSettings) -> ChatModel:
    base_url = _base_url(settings.anthropic_base_url or anthropic.DEFAULT_BASE_URL, "ANTHROPIC_BASE_URL")
    key = _key(settings.anthropic_api_key, f"anthropic/{model}", "ANTHROPIC_API_KEY", needed=True)
    return anthropic.AnthropicModel(model, key, base_url)


def _ollama(model: str, settings: ChatSettings) -> ChatModel:
    return ollama.OllamaModel(
        model, _base_url(settings.ollama_base_url or ollama.DEFAULT_BASE_URL, "OLLAMA_BASE_URL")
    )


def _rules(model: str, settings: ChatSettings) -> ChatModel:
    rules = _get_rules()
    if model != rules.model:
        raise ConfigurationError(f"“rules/{model}” does not exist; there is rules/{rules.model}.")
    return rules


def _get_rules() -> ChatModel:
    """Loaded where they are asked for: with them comes all that reads."""
    rules: ChatModel = import_module("nebo.llm.providers.rules").RulesModel()
    return rules


BUILDERS: dict[str, Callable[[str, ChatSettings], ChatModel]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "ollama": _ollama,
    "rules": _rules,
}


def _key(value: str, entry: str, variable: str, *, needed: bool) -> str:
    key = value.strip()
    if needed and not key:
        raise ConfigurationError(f"{entry} needs a key: set {variable}.")
    if not (key.isascii() and (key.isprintable() and " " not in key)):
        raise ConfigurationError(f"{variable} has characters that no key has.")
    return key


def _base_url(value: str, variable: str) -> str:
    try:
        parts = urlsplit(value)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ConfigurationError(f"{variable} is not an http or https address.")
    return value.rstrip("/")

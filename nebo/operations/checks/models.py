"""The embedding model and the chat models: configured so that they can work, and, when asked to, working."""

from __future__ import annotations

import time
from collections.abc import Iterator

from nebo.env import env
from nebo.llm.errors import ConfigurationError, ProviderError
from nebo.llm.providers.rules import RulesModel
from nebo.llm.registry import list_chat_models
from nebo.llm.types import ChatMessage, ChatModel, ChatRequest
from nebo.operations.findings import Finding, broken, note, ok
from search.embeddings.registry import get_embedder
from search.embeddings.types import Embedder

ASK_S = 30.0
QUESTION = "Answer with the one word: ready"
ON_THIS_MACHINE = ("local", "hashing")
ASK_FOR_MORE = "not asked; `manage.py doctor --ask` sends a few words"


def look(*, ask: bool) -> Iterator[Finding]:
    """Embeddings first: search can't do without."""
    yield look_at_embedder(ask=ask)
    yield from look_at_chat_models(ask=ask)


def look_at_embedder(*, ask: bool) -> Finding:
    """A local model is loaded, which checks its file against its sha256; a remote one is asked if wanted."""
    name = "Embedding model"
    try:
        embedder = get_embedder()
        shown = f"{embedder.provider}/{embedder.model}, {embedder.dimensions} dimensions"
        if embedder.provider not in ON_THIS_MACHINE and not ask:
            return ok(name, f"{shown}; {ASK_FOR_MORE}")
        return ok(name, f"{shown}; answered in {_time_embedding(embedder):.2f} s")
    except ConfigurationError as error:
        return broken(name, str(error), "Mend NEBO_EMBEDDING_MODEL (docs/operations.md).")
    except ProviderError as error:
        return broken(name, str(error), _embedding_remedy())


def _time_embedding(embedder: Embedder) -> float:
    began = time.monotonic()
    embedder.embed(["ready"])
    return time.monotonic() - began


def _embedding_remedy() -> str:
    if env.embedding_model.startswith("local"):
        return "Install the packages again: `make clean run`."
    return "Is the address right and the service up? Words are found without vectors meanwhile."


def look_at_chat_models(*, ask: bool) -> Iterator[Finding]:
    """Each configured model; with none, the rules do the work."""
    try:
        models = list_chat_models()
    except ConfigurationError as error:
        yield broken("Chat models", str(error), "Mend NEBO_CHAT_MODELS and its keys (docs/operations.md).")
        return
    for model in models:
        if isinstance(model, RulesModel):
            yield note(
                "Chat models", "none: rules do the work", "NEBO_CHAT_MODELS=provider/model finds more."
            )
        else:
            yield look_at_chat_model(model, ask=ask)


def look_at_chat_model(model: ChatModel, *, ask: bool) -> Finding:
    """Configured, or asked a question of six words."""
    name, shown = "Chat model", f"{model.provider}/{model.model}"
    if not ask:
        return ok(name, f"{shown}; {ASK_FOR_MORE}")
    request = ChatRequest(
        task="summarize",
        system="You check a connection.",
        prompt=QUESTION,
        material=(ChatMessage(role="user", content=QUESTION),),
        max_output_tokens=16,
    )
    try:
        reply = model.complete(request, timeout_s=ASK_S)
    except ProviderError as error:
        return broken(name, str(error), "Check key, address and the model's name; work waits and is retried.")
    return ok(name, f"{shown}; answered in {reply.duration_ms / 1000:.1f} s")

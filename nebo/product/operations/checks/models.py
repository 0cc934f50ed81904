"""The embedding model, what reads sentences, and the chat models: able to work, and, when asked to, working."""

from __future__ import annotations

import time
from collections.abc import Iterator

from nebo.encoders.files import E5_NAME, E5_WHEEL, MINILM_NAME, EncoderError
from nebo.env import env
from nebo.llm.errors import ConfigurationError, ProviderError
from nebo.llm.providers.rules import RulesModel
from nebo.llm.registry import list_chat_models
from nebo.llm.types import ChatMessage, ChatModel, ChatRequest
from nebo.product.operations.findings import Finding, broken, note, ok
from nebo.reading.meaning import reader
from search.embeddings.registry import get_embedder
from search.embeddings.types import Embedder

ASK_S = 30.0
QUESTION = "Answer with the one word: ready"
ON_THIS_MACHINE = ("local", "hashing")
ASK_FOR_MORE = "not asked; `manage.py doctor --ask` sends a few words"
INSTALL_AGAIN = "Install the packages again: `make clean run`."
MEND_FILE = "Fix NEBO_MINILM_FILE (docs/operations.md), or unset it."
INSTALL_E5 = "On Linux or an ARM Mac: `.venv/bin/python -m pip install --no-deps -r requirements-e5.txt`."


def look(*, ask: bool) -> Iterator[Finding]:
    """Embeddings first: search can't do without."""
    yield look_at_embedder(ask=ask)
    yield look_at_reader()
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
        return MEND_FILE if env.minilm_file else INSTALL_AGAIN
    return "Is the address right and the service up? Until then search finds by words alone."


def look_at_reader() -> Finding:
    """The model that tells what kind of thing a sentence says is loaded, its files checked, and tried on a word."""
    name = "Reading"
    try:
        reader.read_sentence("ready")
        heads = reader.digest()
    except (EncoderError, OSError) as error:
        return broken(name, str(error), INSTALL_AGAIN)
    if reader.encoder_name() == reader.MULTILINGUAL:
        return ok(name, f"{E5_NAME}, heads {heads}")
    only_english = f"only English is read by its meaning, as {E5_WHEEL} is not installed"
    return note(name, f"{MINILM_NAME}, heads {heads}; {only_english}", INSTALL_E5)


def look_at_chat_models(*, ask: bool) -> Iterator[Finding]:
    """Each configured model; with none, the rules do the work."""
    try:
        models = list_chat_models()
    except ConfigurationError as error:
        yield broken("Chat models", str(error), "Fix NEBO_CHAT_MODELS and its keys (docs/operations.md).")
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

"""The job behind a provider's test button: one cheap question, and in plain words what came of it.

It is asked by a worker, which is who asks later on, too, and past the breaker: whether it works now is the question.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_noop as _

from nebo.jobs.claims import Claim
from nebo.llm.breakers import Breaker, breaker_of
from nebo.llm.errors import LlmError
from nebo.llm.routing import list_models
from nebo.llm.types import ChatMessage, ChatModel, ChatRequest, OwnedModel
from nebo.tenants.models import ModelProvider
from search.embeddings.own import asked_for
from search.embeddings.remote import RetryPolicy, in_a_hurry
from search.embeddings.serving import READY, get_serving_model
from search.embeddings.types import OWN_PROCESS

WAIT_S = 10.0  # for an answer
QUESTION = "Answer with the one word: ready"
RULES = _("No language model is asked: rules do the work.")

Outcome = dict[str, Any]


def ask_provider(claim: Claim) -> None:
    """Ask each model that is asked for this team, and keep what it said in the job's result."""
    is_chat = claim.payload["use"] == ModelProvider.Use.CHAT
    outcomes = list(_ask_chat_models() if is_chat else _ask_for_a_vector(claim.tenant_id))
    with claim.publish() as result:
        result["models"] = outcomes


def _ask_chat_models() -> Iterator[Outcome]:
    try:
        models = list_models()
    except LlmError as error:
        yield _failed("", error)
        return
    for model in models:
        yield _ask_chat_model(model)


def _ask_chat_model(model: ChatModel) -> Outcome:
    name = f"{model.provider}/{model.model}"
    if model.provider == "rules":
        return {"model": name, "works": True, "milliseconds": 0, "words": RULES, "resting": ""}
    owner = model.owner if isinstance(model, OwnedModel) else ""
    resting = _resting(breaker_of("chat", provider=model.provider, model=model.model, owner=owner))
    request = ChatRequest(
        task="summarize",
        system="You check a connection.",
        prompt=QUESTION,
        material=(ChatMessage(role="user", content=QUESTION),),
        max_output_tokens=16,
    )
    began = time.monotonic()
    try:
        model.complete(request, timeout_s=WAIT_S)
    except LlmError as error:
        return _failed(name, error, resting)
    return _answered(name, began, resting)


def _ask_for_a_vector(tenant_id: UUID) -> Iterator[Outcome]:
    name = ""
    began = time.monotonic()
    try:
        serving = get_serving_model()
        name = f"{serving.provider}/{serving.name}"
        model = asked_for(tenant_id, serving)
        breaker = breaker_of("embedding", provider=model.provider, model=model.name, owner=model.owner)
        resting = "" if model.provider in OWN_PROCESS else _resting(breaker)
        in_a_hurry(model.embedder, RetryPolicy(timeout_s=WAIT_S, pauses_s=())).embed([READY])
    except LlmError as error:
        yield _failed(name, error)
    else:
        yield _answered(name, began, resting)


def _resting(breaker: Breaker) -> str:
    return breaker.reason if breaker.is_open else ""


def _answered(name: str, began: float, resting: str) -> Outcome:
    milliseconds = round((time.monotonic() - began) * 1000)
    return {"model": name, "works": True, "milliseconds": milliseconds, "words": "", "resting": resting}


def _failed(name: str, error: LlmError, resting: str = "") -> Outcome:
    return {"model": name, "works": False, "milliseconds": None, "words": str(error), "resting": resting}

"""Whom a team's models are asked of: its own providers, where it has named any, and else the server's.

A team's words go where the team has said, and nowhere else: while its own provider fails, the server's is not asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

import structlog
from django.db import DatabaseError
from django.utils import timezone

from nebo.llm import registry
from nebo.llm.breakers import Breaker
from nebo.llm.errors import ConfigurationError
from nebo.llm.providers.anthropic import AnthropicModel
from nebo.llm.providers.ollama import OllamaModel
from nebo.llm.providers.openai import OpenAIModel
from nebo.llm.types import ChatModel, OwnedModel
from nebo.outbound.guarded import guarded_transport
from nebo.tenants.models import ModelProvider, Tenant
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.sealing import Unreadable, unseal

UNREADABLE = "the key of this team's provider can't be read any more, enter it again"
REASON_CHARS = 200

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class OwnProvider:
    """A team's provider with its key; `owner` changes whenever its settings do."""

    kind: str
    base_url: str
    model: str
    owner: str
    key: str = field(default="", repr=False)


def find_provider(*, tenant: Tenant | UUID, use: str) -> OwnProvider | None:
    """The team's own for `chat` or `embedding`. Raises ConfigurationError where its key can't be read."""
    with tenant_scope(tenant):
        row = ModelProvider.objects.for_tenant(tenant).filter(use=use).first()
    if row is None:
        return None
    try:
        key = unseal(row.sealed_key) if row.sealed_key else ""
    except Unreadable:
        raise ConfigurationError(f"{row.kind}/{row.model}: {UNREADABLE}.") from None
    return OwnProvider(row.kind, row.base_url, row.model, owner_of(row), key)


def owner_of(row: ModelProvider) -> str:
    """By which its breakers are known, until it is changed."""
    return f"{row.tenant_id}:{row.changed_at.timestamp()}"


def list_chat_models_of(tenant: Tenant | UUID) -> Sequence[ChatModel]:
    """The team's own model, or else the server's, cheapest first. Raises ConfigurationError."""
    own = find_provider(tenant=tenant, use=ModelProvider.Use.CHAT)
    return (OwnedModel(build_chat_model(own), own.owner),) if own else registry.list_chat_models()


def has_chat_model_of(tenant: Tenant | UUID) -> bool:
    """Whether a language model reads for this team, and not the rules alone. Raises ConfigurationError."""
    return any(model.provider != "rules" for model in list_chat_models_of(tenant))


def build_chat_model(own: OwnProvider) -> ChatModel:
    """What asks it, over sockets that lead only where teams may send something."""
    transport = guarded_transport(own.base_url)
    if own.kind == ModelProvider.Kind.OLLAMA:
        return OllamaModel(own.model, own.base_url, transport)
    if own.kind == ModelProvider.Kind.ANTHROPIC:
        return AnthropicModel(own.model, own.key, own.base_url, transport)
    return OpenAIModel(own.model, own.key, own.base_url, transport)


def note_breaker(breaker: Breaker) -> None:
    """Write down for the team's page that its provider is left alone, or is asked again."""
    if not breaker.owner:
        return
    tenant_id = UUID(breaker.owner.partition(":")[0])
    since = timezone.now() if breaker.is_open else None
    try:
        with tenant_scope(tenant_id):
            rows = ModelProvider.objects.for_tenant(tenant_id).filter(use=breaker.use)
            row = rows.select_for_update().first()
            if row and owner_of(row) == breaker.owner:
                row.resting_since = (row.resting_since or since) if since else None
                row.resting_reason = breaker.reason[:REASON_CHARS]
                row.save(update_fields=["resting_since", "resting_reason"])
    except DatabaseError as error:  # the call goes on; the next change of the breaker is written again
        log.warning("provider_state_not_noted", error=type(error).__name__)

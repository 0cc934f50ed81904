"""A team's own providers of chat models and vectors: set and removed by its owners and admins, each time with a line
in the log. A key goes in and never comes out; it is sent to the address alone for which it was entered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from memories.audit.log import record_audit
from nebo.errors import InvalidInput, NotFound
from nebo.jobs.models import Job
from nebo.jobs.selectors import list_jobs
from nebo.jobs.services import enqueue
from nebo.llm.providers import anthropic, openai
from nebo.outbound.addresses import check_url
from nebo.tenants.actor import Actor
from nebo.tenants.models import ModelProvider, Tenant
from nebo.tenants.sealing import seal
from search.embeddings.own import forget_own
from search.embeddings.serving import get_serving_model
from search.embeddings.types import OWN_PROCESS

TEST = "test_provider"  # the kind of job
KEY_CHARS = 500
LOOKED_THROUGH = 20  # tests, for the newest of each use
USES = tuple(ModelProvider.Use.values)
KINDS: Mapping[str, tuple[str, ...]] = {
    ModelProvider.Use.CHAT: tuple(ModelProvider.Kind.values),
    ModelProvider.Use.EMBEDDING: (ModelProvider.Kind.OPENAI.value, ModelProvider.Kind.OLLAMA.value),
}
DEFAULT_URLS = {
    ModelProvider.Kind.OPENAI: openai.DEFAULT_BASE_URL,
    ModelProvider.Kind.ANTHROPIC: anthropic.DEFAULT_BASE_URL,
}
ENTER_AGAIN = _("Enter the key again: the one that is kept was entered for another address.")


@dataclass(frozen=True, slots=True)
class NewProvider:
    """What is asked for. An empty address is the provider's own; an empty key keeps the one there is."""

    kind: str
    model: str
    base_url: str = ""
    key: str = field(default="", repr=False)


def find_own(*, tenant: Tenant | UUID, use: str) -> ModelProvider | None:
    """The team's own for this use; None while the server's is asked."""
    row: ModelProvider | None = ModelProvider.objects.for_tenant(tenant).filter(use=use).first()
    return row


def set_provider(*, tenant: Tenant | UUID, use: str, new: NewProvider, actor: Actor) -> ModelProvider:
    """Ask this one from now on; raises NotFound for an unknown use, and InvalidInput."""
    base_url = _check(use, new)
    held: ModelProvider | None = (
        ModelProvider.objects.for_tenant(tenant).select_for_update().filter(use=use).first()
    )
    sealed = seal(new.key) if new.key else _kept_key(held, new.kind, base_url)
    if not sealed and _needs_key(new.kind, base_url):
        raise InvalidInput(gettext("This provider needs a key."), field="key")
    row: ModelProvider = ModelProvider.objects.for_tenant(tenant).update_or_create(
        use=use,
        defaults={
            "kind": new.kind,
            "base_url": base_url,
            "model": new.model,
            "sealed_key": sealed,
            "changed_at": timezone.now(),
            "resting_since": None,
            "resting_reason": "",
        },
    )[0]
    detail = {"use": use, "kind": new.kind, "host": _host(base_url), "key_changed": bool(new.key)}
    _note(tenant, row, actor, "provider.set", detail)
    forget_own()
    return row


def remove_provider(*, tenant: Tenant | UUID, use: str, actor: Actor) -> None:
    """Ask the server's own again, and forget the key; raises NotFound."""
    row = find_own(tenant=tenant, use=use)
    if row is None:
        raise NotFound
    _note(tenant, row, actor, "provider.removed", {"use": use})
    ModelProvider.objects.for_tenant(tenant).filter(pk=row.pk).delete()
    forget_own()


def ask_for_test(*, tenant: Tenant | UUID, use: str) -> Job:
    """The job that asks whoever serves this team one cheap question; raises NotFound for an unknown use."""
    if use not in USES:
        raise NotFound
    return enqueue(tenant=tenant, kind=TEST, payload={"use": use}, dedupe_key=f"{TEST}:{use}")


def list_own(*, tenant: Tenant | UUID) -> dict[str, ModelProvider]:
    """All that the team has, by use."""
    return {row.use: row for row in ModelProvider.objects.for_tenant(tenant)}


def find_last_tests(*, tenant: Tenant | UUID) -> dict[str, Job]:
    """The newest of each use."""
    rows = list_jobs(tenant=tenant, kind=TEST).order_by("-created_at", "-id")[:LOOKED_THROUGH]
    return {job.payload["use"]: job for job in reversed(list(rows))}


def _check(use: str, new: NewProvider) -> str:
    """The address to ask; raises NotFound and InvalidInput."""
    if use not in USES:
        raise NotFound
    if new.kind not in KINDS[use]:
        raise InvalidInput(gettext("It offers no vectors."), field="kind")
    if not new.model.strip() or not new.model.isprintable():
        raise InvalidInput(gettext("Name a model, as the provider calls it."), field="model")
    if len(new.key) > KEY_CHARS or not _is_key(new.key):
        raise InvalidInput(gettext("It has characters that no key has."), field="key")
    if use == ModelProvider.Use.EMBEDDING:
        _check_vectors(new)
    return _check_address(new.base_url.strip() or DEFAULT_URLS.get(ModelProvider.Kind(new.kind), ""))


def _check_address(base_url: str) -> str:
    if not base_url:
        raise InvalidInput(gettext("Enter the address of your Ollama."), field="base_url")
    try:
        checked = check_url(base_url).rstrip("/")
    except InvalidInput as refused:
        raise InvalidInput(refused.detail, field="base_url") from refused
    if urlsplit(checked).query:
        raise InvalidInput(gettext("It may not have a ?."), field="base_url")
    return checked


def _check_vectors(new: NewProvider) -> None:
    """The index holds the vectors of one model; those of another can't be compared with them."""
    serving = get_serving_model()
    if serving.provider in OWN_PROCESS:
        raise InvalidInput(
            gettext("This server makes vectors itself (%(model)s); nobody is asked for them.")
            % {"model": f"{serving.provider}/{serving.name}"},
            field="kind",
        )
    if (new.kind, new.model) != (serving.provider, serving.name):
        raise InvalidInput(
            gettext("Vectors are compared with those of %(model)s: choose that.")
            % {"model": f"{serving.provider}/{serving.name}"},
            field="model",
        )


def _kept_key(held: ModelProvider | None, kind: str, base_url: str) -> str:
    """Whoever may change the address may not have the key sent to it."""
    if held is None or not held.sealed_key:
        return ""
    if (held.kind, _origin(held.base_url)) != (kind, _origin(base_url)):
        raise InvalidInput(gettext(ENTER_AGAIN), field="key")
    kept: str = held.sealed_key
    return kept


def _needs_key(kind: str, base_url: str) -> bool:
    hosted = _host(base_url) == _host(openai.DEFAULT_BASE_URL)
    return kind == ModelProvider.Kind.ANTHROPIC or (kind == ModelProvider.Kind.OPENAI and hosted)


def _is_key(text: str) -> bool:
    return text.isascii() and text.isprintable() and " " not in text


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""


def _note(
    tenant: Tenant | UUID, row: ModelProvider, actor: Actor, action: str, detail: dict[str, Any]
) -> None:
    record_audit(
        tenant=tenant,
        actor=actor,
        action=action,
        object_type="provider",
        object_id=row.pk,
        detail=detail,
    )

"""A team's own account for the model that serves: its address and key, the server's model and vectors.

Vectors of two models can't be compared, and the index is of one model. So a team's provider for vectors is asked where
it names the very model that serves; where it names another, the server's own goes on.
"""

from __future__ import annotations

import time
from dataclasses import replace
from threading import Lock
from uuid import UUID

from nebo.llm.transport import Endpoint
from nebo.outbound.guarded import guarded_transport
from nebo.tenants.models import ModelProvider, Tenant
from nebo.tenants.providers import OwnProvider, find_provider
from nebo.tenants.scoping import tenant_id_of
from search.embeddings.remote import RemoteModel
from search.embeddings.serving import LOOK_AGAIN_S, VectorModel
from search.embeddings.types import OWN_PROCESS

PATHS = {"openai": "/embeddings", "ollama": "/api/embed"}

_known: dict[UUID, tuple[float, OwnProvider | None]] = {}
_knowing = Lock()


def asked_for(tenant: Tenant | UUID, model: VectorModel) -> VectorModel:
    """The model as it is asked for this team. Raises ConfigurationError where the team's key can't be read."""
    if model.provider in OWN_PROCESS:
        return model
    own = _find_known(tenant_id_of(tenant))
    if own is None or not fits(own, model):
        return model
    return replace(model, own=own_embedder(own, model), owner=own.owner)


def fits(own: OwnProvider, model: VectorModel) -> bool:
    """Whether it would make the vectors that are in the index."""
    return (own.kind, own.model) == (model.provider, model.name)


def is_asked(row: ModelProvider, serving: VectorModel) -> bool:
    """Whether a team's provider for vectors is asked now: the model that serves may have changed since."""
    return (row.kind, row.model) == (serving.provider, serving.name)


def own_embedder(own: OwnProvider, model: VectorModel) -> RemoteModel | None:
    """The server's embedder, asked at the team's address with the team's key."""
    server = model.embedder
    if not isinstance(server, RemoteModel):
        return None
    headers = {"authorization": f"Bearer {own.key}"} if own.key else {}
    url = f"{own.base_url.rstrip('/')}{PATHS[own.kind]}"
    endpoint = Endpoint(own.kind, own.model, url, headers)
    return replace(server, endpoint=endpoint, transport=guarded_transport(url))


def forget_own() -> None:
    """Ask the database next time; for whoever changed it."""
    with _knowing:
        _known.clear()


def _find_known(tenant_id: UUID) -> OwnProvider | None:
    with _knowing:
        known = _known.get(tenant_id)
    if known and time.monotonic() < known[0]:
        return known[1]
    found = find_provider(tenant=tenant_id, use=ModelProvider.Use.EMBEDDING)
    with _knowing:
        _known[tenant_id] = (time.monotonic() + LOOK_AGAIN_S, found)
    return found

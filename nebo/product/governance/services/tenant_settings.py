"""A tenant's settings are changed as one, through a door that leaves a line in the audit log."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django.db import connection

from nebo.errors import InvalidInput
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from nebo.tenants.policy import SETTINGS
from nebo.tenants.scoping import tenant_id_of

# The app's role may not write a tenant's row: a function of the owner does, and notes it.
CHANGE = "SELECT nebo_change_settings(%s, %s, %s)"


def settings_of(tenant: Tenant) -> dict[str, Any]:
    """Every setting by its name."""
    return {name: getattr(tenant, name) for name in SETTINGS}


def version_of(tenant: Tenant) -> str:
    """Differs whenever a setting does, whoever changed it and where."""
    said = json.dumps(settings_of(tenant), sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def change_settings(
    *,
    tenant: Tenant | UUID,
    changes: Mapping[str, Any],
    actor: Actor,
    check: Callable[[Tenant], None] = lambda tenant: None,
) -> Tenant:
    """Set what `SETTINGS` names, unless `check` raises because of how it stands; nothing is noted where nothing
    differs. Raises InvalidInput for what is no setting.
    """
    unknown = [name for name in changes if name not in SETTINGS]
    if unknown:
        raise InvalidInput("There is no such setting.", field=unknown[0])
    held = Tenant.objects.select_for_update(no_key=True).get(pk=tenant_id_of(tenant))
    check(held)
    with connection.cursor() as cursor:
        cursor.execute(CHANGE, [json.dumps(dict(changes)), str(actor), actor.request_id])
    held.refresh_from_db(fields=SETTINGS)
    return held

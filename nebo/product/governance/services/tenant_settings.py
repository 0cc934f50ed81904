"""A tenant's settings are changed as one, through a door that leaves a line in the audit log."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypedDict, cast
from uuid import UUID

from django.db import connection

from nebo.api.shapes import like, one_of
from nebo.errors import InvalidInput
from nebo.postgres.layout import IS_DISTRIBUTED
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from nebo.tenants.policy import CHOICES, SETTINGS, all_choices, find_unknown_choice, with_choices
from nebo.tenants.scoping import tenant_id_of

# The app's role may not write a tenant's row: a function of the owner does, and notes it.
CHANGE = "SELECT nebo_change_settings(%s, %s, %s)"
SENSITIVE = "sensitive_classes"
LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"

Days = Annotated[int | None, like(365, "Days; 0 or null keeps for ever.")]


Choice = Annotated[
    str,
    one_of(
        CHOICES,
        about="What learning does with it: as with anything else, wait for a person, or keep nothing of it.",
    ),
]


class SensitiveFields(TypedDict):
    """What is learned of each class of sensitive matters."""

    health: Choice
    religion: Choice
    politics: Choice
    sexuality: Choice
    ethnicity: Choice
    finances: Choice
    crime: Choice


class SettingsFields(TypedDict):
    """What a tenant decides for all its people."""

    auto_extract: Annotated[bool, like(True)]
    compaction_tokens: Annotated[int, like(24_000)]
    review_share: Annotated[float, like(0.0, "0 to 1.")]
    sensitive_classes: SensitiveFields
    user_memory: Annotated[bool, like(True)]
    recall: Annotated[bool, like(True)]
    relevance_floor: Annotated[float | None, like(None, "0 to 1; null takes the measured one.")]
    team_memory: Annotated[bool, like(False, "Whether what one shares with the team others can recall.")]
    admins_look: Annotated[bool, like(False, "Whether owners and admins see everybody's memories.")]
    archive_days: Days
    event_days: Days
    trash_days: Days
    audit_days: Days
    job_days: Days
    candidate_days: Days
    export_days: Days


def settings_of(tenant: Tenant) -> SettingsFields:
    """Every setting by its name."""
    return {
        "auto_extract": tenant.auto_extract,
        "compaction_tokens": tenant.compaction_tokens,
        "review_share": tenant.review_share,
        "sensitive_classes": cast(SensitiveFields, all_choices(tenant.sensitive_classes)),
        "user_memory": tenant.user_memory,
        "recall": tenant.recall,
        "relevance_floor": tenant.relevance_floor,
        "team_memory": tenant.team_memory,
        "admins_look": tenant.admins_look,
        "archive_days": tenant.archive_days,
        "event_days": tenant.event_days,
        "trash_days": tenant.trash_days,
        "audit_days": tenant.audit_days,
        "job_days": tenant.job_days,
        "candidate_days": tenant.candidate_days,
        "export_days": tenant.export_days,
    }


def version_of(tenant: Tenant) -> str:
    """Differs whenever a setting does, whoever changed it and where."""
    document = json.dumps(settings_of(tenant), sort_keys=True)
    return hashlib.sha256(document.encode()).hexdigest()[:16]


def change_settings(
    *,
    tenant: Tenant | UUID,
    changes: Mapping[str, Any],
    actor: Actor,
    check: Callable[[Tenant], None] = lambda tenant: None,
) -> Tenant:
    """Set what `SETTINGS` names, unless `check` raises because of how it stands; nothing is noted where nothing
    differs. Of `sensitive_classes`, those that aren't named stay. Raises InvalidInput for what is no setting.
    """
    unknown = [name for name in changes if name not in SETTINGS]
    if unknown:
        raise InvalidInput("There is no such setting.", field=unknown[0])
    held = _lock(tenant_id_of(tenant))
    check(held)
    with connection.cursor() as cursor:
        cursor.execute(CHANGE, [json.dumps(_as_kept(held, changes)), str(actor), actor.request_id])
    held.refresh_from_db(fields=SETTINGS)
    return held


def _as_kept(held: Tenant, changes: Mapping[str, Any]) -> dict[str, Any]:
    """As the row has them. Raises InvalidInput for what is no class or no choice."""
    if SENSITIVE not in changes:
        return dict(changes)
    given = changes[SENSITIVE]
    if wrong := find_unknown_choice(given):
        raise InvalidInput("There is no such class, or no such choice.", field=f"{SENSITIVE}/{wrong}")
    return {**changes, SENSITIVE: with_choices(held.sensitive_classes, given)}


def _lock(tenant_id: UUID) -> Tenant:
    """Nobody else changes them meanwhile.

    In a distributed database, the owner, as whom the function changes the row, has a session of its own on each server,
    which would wait for a lock of ours on that row.
    """
    if not IS_DISTRIBUTED:
        return Tenant.objects.select_for_update(no_key=True).get(pk=tenant_id)
    with connection.cursor() as cursor:
        cursor.execute(LOCK, [f"nebo.settings:{tenant_id}"])
    return Tenant.objects.get(pk=tenant_id)

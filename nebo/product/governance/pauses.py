"""Collection off for a while: begun and ended with a line in the log, and which pauses somebody is shown."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from memories.audit.log import record_audit
from memories.models import AuditEntry
from nebo.errors import InvalidInput, NotFound
from nebo.tenants.actor import Actor
from nebo.tenants.models import ApiKey, Pause, Tenant, UserProfile
from nebo.tenants.pauses import Thing, in_force, lift_pause, set_pause
from nebo.tenants.selectors import is_id
from nebo.time_zones import find_zone

PAUSED, RESUMED = "collection.paused", "collection.resumed"
ENTRIES_SEEN = 1_000  # of a person's log, the newest, in which the keys are looked for that work for them
ABOUT = {Pause.Scope.PERSON: "person", Pause.Scope.SESSION: "session", Pause.Scope.KEY: "key"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Until when, and why; without an end until somebody resumes."""

    until: datetime | None = None
    reason: str = ""


def pause_collection(
    *, tenant: Tenant | UUID, thing: Thing, wanted: Wanted, actor: Actor, manages: bool = False
) -> Pause:
    """Begin a pause, or change the one there is. `manages`: who acts may also change what was set by hand.

    Raises InvalidInput and Forbidden.
    """
    pause, is_new = set_pause(
        tenant=tenant,
        thing=thing,
        actor=actor,
        until=wanted.until,
        reason=wanted.reason,
        manages=manages,
    )
    until = pause.until.astimezone(UTC).isoformat() if pause.until else None
    _note(tenant, thing, actor, PAUSED, {"until": until, "changed": not is_new})
    return pause


def resume_collection(
    *, tenant: Tenant | UUID, thing: Thing, actor: Actor, manages: bool = False
) -> Pause | None:
    """End a pause; what is told from now on is collected. None where there was none. Raises Forbidden."""
    ended = lift_pause(tenant=tenant, thing=thing, actor=actor, manages=manages)
    if ended is not None:
        _note(tenant, thing, actor, RESUMED, {})
    return ended


def _note(tenant: Tenant | UUID, thing: Thing, actor: Actor, action: str, detail: dict[str, object]) -> None:
    """What concerns one person stands in that person's log, too."""
    record_audit(
        tenant=tenant,
        actor=actor,
        action=action,
        object_type=ABOUT[thing.scope],
        object_id=thing.object_id or "",
        person_id=thing.person_id,
        detail={**detail, "scope": thing.scope.value, "everybody": thing.person_id is None},
    )


def get_key_for(*, tenant: Tenant | UUID, key_id: UUID, person: UserProfile | None = None) -> ApiKey:
    """A key, which may be used for that person where one is named; raises NotFound for any other."""
    keys = ApiKey.objects.for_tenant(tenant).filter(pk=key_id)
    if person is not None:
        keys = keys.filter(Q(person=None) | Q(person=person))
    found = keys.first()
    if found is None:
        raise NotFound
    return found


def list_pauses(*, tenant: Tenant | UUID, person_id: UUID) -> QuerySet[Pause]:
    """All in force that concern a person: their own, and those of keys for everybody."""
    whose = Q(person_id=person_id) | Q(person_id=None)
    rows = Pause.objects.for_tenant(tenant).filter(in_force(), whose)
    return rows.select_related("session", "key").order_by("-since", "-id")


def list_acting_keys(*, tenant: Tenant | UUID, person_id: UUID) -> list[ApiKey]:
    """Keys that still open the door and work for a person: their own, and those that their log has."""
    entries = AuditEntry.objects.for_tenant(tenant).filter(person_id=person_id).order_by("-at")
    actors = set(entries.values_list("actor", flat=True)[:ENTRIES_SEEN])
    seen = [one.removeprefix("key:") for one in actors if one.startswith("key:")]
    keys = ApiKey.objects.for_tenant(tenant).filter(revoked_at=None)
    named = Q(person_id=None, pk__in=[one for one in seen if is_id(one)])
    return list(keys.filter(Q(person_id=person_id) | named).order_by("name", "public_id"))


def read_until(text: str | None, *, zone: str) -> datetime | None:
    """When a pause ends; a day (its beginning) or a time without a zone is meant in that one. Raises InvalidInput."""
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=find_zone(zone) or UTC)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise InvalidInput(_("Must be a date, or a date and time (ISO 8601)."), field="until") from error

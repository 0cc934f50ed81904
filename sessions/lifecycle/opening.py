"""Opening a conversation, and the task it is about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import IntegrityError, transaction

from memories.screening.sensitive import redact
from nebo.errors import InvalidInput
from nebo.tenants.models import Tenant, UserProfile
from personality.models import Persona
from sessions.lifecycle.identity import KEY_LIMIT, SessionIdentity, choose_key
from sessions.models import Session
from sessions.selectors import get_session
from sessions.withheld import with_withheld


@dataclass(frozen=True, slots=True)
class OpenedSession:
    """The session, and whether this call made it."""

    session: Session
    created: bool


@dataclass(frozen=True, slots=True)
class SessionSwitches:
    """What a session does otherwise than its tenant; None as the tenant has it."""

    auto_extract: bool | None = None
    recall: bool | None = None
    index_turns: bool = True


AS_THE_TENANT = SessionSwitches()


def open_session(
    *,
    tenant: Tenant,
    person: UserProfile,
    key: str = "",
    identity: SessionIdentity | None = None,
    persona: Persona | None = None,
    switches: SessionSwitches = AS_THE_TENANT,
) -> OpenedSession:
    """Find the person's session by key or identity, or make it. Raises InvalidInput without either."""
    chosen = choose_key(key, identity)
    if not chosen:
        raise InvalidInput("a session needs a key or an identity", field="key")
    if len(chosen) > KEY_LIMIT:
        raise InvalidInput(f"at most {KEY_LIMIT} characters", field="key")
    found = find_by_key(tenant=tenant, person=person, key=chosen)
    if found is not None:
        return OpenedSession(found, created=False)
    session = Session(
        tenant=tenant,
        person=person,
        key=chosen,
        persona=persona,
        identity=identity.as_dict() if identity else {},
        auto_extract=tenant.auto_extract if switches.auto_extract is None else switches.auto_extract,
        recall=switches.recall,
        index_turns=switches.index_turns,
    )
    return _insert(tenant, session)


def _insert(tenant: Tenant, session: Session) -> OpenedSession:
    """Two callers opening the same session at once end with one."""
    try:
        with transaction.atomic():
            session.save(force_insert=True)
    except IntegrityError:
        found = find_by_key(tenant=tenant, person=session.person, key=session.key)
        if found is None:
            raise
        return OpenedSession(found, created=False)
    return OpenedSession(session, created=True)


def find_by_key(*, tenant: Tenant, person: UserProfile, key: str) -> Session | None:
    """The person's session of that key."""
    rows = with_withheld(Session.objects.for_tenant(tenant)).select_related("person", "persona")
    return rows.filter(person=person, key=key).first()


def set_active_task(*, tenant: Tenant, session: Session, text: str) -> Session:
    """Pin what the agent works on, without its secrets; it survives compaction. An empty text clears it."""
    session.active_task = redact(text.strip())
    session.save(update_fields=["active_task"])
    return get_session(tenant=tenant, session_id=session.pk)


def switch_session(*, tenant: Tenant, session: Session, changes: Mapping[str, bool | None]) -> Session:
    """Set `auto_extract` and `recall`. What was said while nothing was learned never becomes a memory."""
    held = Session.objects.for_tenant(tenant).select_for_update(no_key=True).get(pk=session.pk)
    moved: dict[str, bool | int | None] = dict(changes)
    if changes.get("auto_extract") and not held.auto_extract:
        moved["extracted_seq"] = held.next_seq - 1
    for name, value in moved.items():
        setattr(session, name, value)
    session.save(update_fields=list(moved))
    return session

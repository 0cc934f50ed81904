"""Opening a conversation, and the task it is about."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import IntegrityError, transaction

from memories.sensitive import redact
from nebo.errors import InvalidInput
from nebo.tenants.models import Tenant, UserProfile
from personality.models import Persona
from sessions.identity import KEY_LIMIT, SessionIdentity, choose_key
from sessions.models import Session


@dataclass(frozen=True, slots=True)
class OpenedSession:
    """The session, and whether this call made it."""

    session: Session
    created: bool


def open_session(
    *,
    tenant: Tenant,
    profile: UserProfile,
    key: str = "",
    identity: SessionIdentity | None = None,
    persona: Persona | None = None,
    auto_extract: bool | None = None,
    index_turns: bool = True,
) -> OpenedSession:
    """Find the person's session by key or identity, or make it. Raises InvalidInput without either."""
    chosen = choose_key(key, identity)
    if not chosen:
        raise InvalidInput("a session needs a key or an identity", field="key")
    if len(chosen) > KEY_LIMIT:
        raise InvalidInput(f"at most {KEY_LIMIT} characters", field="key")
    found = find_by_key(tenant=tenant, profile=profile, key=chosen)
    if found is not None:
        return OpenedSession(found, created=False)
    session = Session(
        tenant=tenant,
        profile=profile,
        key=chosen,
        persona=persona,
        identity=identity.as_dict() if identity else {},
        auto_extract=tenant.auto_extract if auto_extract is None else auto_extract,
        index_turns=index_turns,
    )
    return _insert(tenant, session)


def _insert(tenant: Tenant, session: Session) -> OpenedSession:
    """Two callers opening the same session at once end with one."""
    try:
        with transaction.atomic():
            session.save(force_insert=True)
    except IntegrityError:
        found = find_by_key(tenant=tenant, profile=session.profile, key=session.key)
        if found is None:
            raise
        return OpenedSession(found, created=False)
    return OpenedSession(session, created=True)


def find_by_key(*, tenant: Tenant, profile: UserProfile, key: str) -> Session | None:
    """The person's session of that key."""
    rows = Session.objects.for_tenant(tenant).select_related("profile", "persona")
    return rows.filter(profile=profile, key=key).first()


def set_active_task(*, tenant: Tenant, session: Session, text: str) -> Session:
    """Pin what the agent works on, without its secrets; it survives compaction. An empty text clears it."""
    session.active_task = redact(text.strip())
    session.save(update_fields=["active_task"])
    return session


def switch_extraction(*, tenant: Tenant, session: Session, on: bool) -> Session:
    """Whether what is said here from now on becomes memories; what was said while it did not, never does."""
    held = Session.objects.for_tenant(tenant).select_for_update(no_key=True).get(pk=session.pk)
    if on and not held.auto_extract:
        session.extracted_seq = held.next_seq - 1
    session.auto_extract = on
    session.save(update_fields=["auto_extract", "extracted_seq"])
    return session

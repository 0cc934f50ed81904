"""Reading conversations."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from django.db.models import CharField, F, Max, Min, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce, Left, Trim

from memories.screening.placeholders import REDACTED
from nebo.errors import NotFound
from nebo.tenants.models import Tenant, UserProfile
from sessions.models import Message, Session, SessionSummary, Snapshot
from sessions.withheld import with_withheld, without_withheld_snapshots, without_withheld_summaries

OPENING_MESSAGES = 6  # numbers of the messages among which the first words of a conversation are looked for
OPENING_CHARS = 240
BY_RULES = "rules/"  # how the names of models begin that are none


def get_session(*, tenant: Tenant | UUID, session_id: UUID) -> Session:
    """A session with its person and persona; raises NotFound."""
    rows = with_withheld(list_one(tenant=tenant, session_id=session_id))
    session = rows.select_related("tenant", "person", "persona").first()
    if session is None:
        raise NotFound
    return session


def list_one(*, tenant: Tenant | UUID, session_id: UUID) -> QuerySet[Session]:
    """The session of this id, if it is there."""
    return Session.objects.for_tenant(tenant).filter(pk=session_id)


def list_one_with_login(*, tenant: Tenant | UUID, session_id: UUID) -> QuerySet[Session]:
    """The same with `person_login`: whoever may look at it on the pages."""
    return list_one(tenant=tenant, session_id=session_id).annotate(person_login=F("person__login_id"))


def list_messages(*, tenant: Tenant | UUID, session_id: UUID) -> QuerySet[Message]:
    """Every message of a session, oldest first."""
    return Message.objects.for_tenant(tenant).filter(session_id=session_id).order_by("seq")


def list_live_messages(*, tenant: Tenant | UUID, session_id: UUID) -> QuerySet[Message]:
    """What the summary does not speak for yet, oldest first."""
    return list_messages(tenant=tenant, session_id=session_id).filter(compacted=False, archived_at=None)


def list_snapshots(*, tenant: Tenant | UUID, session_id: UUID) -> QuerySet[Snapshot]:
    """What stood each time a session was compacted, the newest first, unless it may say what was withheld since."""
    rows = Snapshot.objects.for_tenant(tenant).filter(compaction__session_id=session_id)
    return without_withheld_snapshots(rows).order_by("-compaction__number")


def list_unread_messages(*, tenant: Tenant | UUID, session: Session, limit: int) -> Sequence[Message]:
    """The first of what extraction has not read, oldest first."""
    rows = list_messages(tenant=tenant, session_id=session.pk).filter(seq__gt=session.extracted_seq)
    return list(rows[:limit])


def list_messages_before(
    *, tenant: Tenant | UUID, session_id: UUID, seq: int, limit: int
) -> Sequence[Message]:
    """The last few messages before a number, oldest first."""
    rows = list_messages(tenant=tenant, session_id=session_id).filter(seq__lt=seq)
    return list(rows.order_by("-seq")[:limit])[::-1]


def list_sessions(
    *, tenant: Tenant | UUID, person: UserProfile, persona_id: UUID | None = None
) -> QuerySet[Session]:
    """A person's sessions with person and persona; of one persona alone where one is given."""
    rows = with_withheld(Session.objects.for_tenant(tenant)).filter(person=person)
    rows = rows.select_related("person", "persona")
    return rows if persona_id is None else rows.filter(persona_id=persona_id)


def list_seen_sessions(*, tenant: Tenant | UUID, person_id: UUID) -> QuerySet[Session]:
    """A person's sessions, the last active first, each with `one_liner`, `first_words` and `message_count`."""
    rows = Session.objects.for_tenant(tenant).filter(person_id=person_id)
    return _annotated(rows).order_by("-last_activity_at", "-id")


def list_spoken_sessions(*, tenant: Tenant | UUID, person_id: UUID) -> QuerySet[Session]:
    """Those of them in which anything was said."""
    return list_seen_sessions(tenant=tenant, person_id=person_id).filter(next_seq__gt=1)


def get_seen_session(*, tenant: Tenant | UUID, person_ids: Collection[UUID], session_id: UUID) -> Session:
    """A session of one of these people, with what `list_seen_sessions` adds; raises NotFound."""
    rows = Session.objects.for_tenant(tenant).filter(person_id__in=person_ids, pk=session_id)
    session = _annotated(rows).first()
    if session is None:
        raise NotFound
    return session


def _annotated(rows: QuerySet[Session]) -> QuerySet[Session]:
    """Messages are only ever added, so the next number says how many there are. What rules picked out of a conversation
    heads it no better than its first words.
    """
    summaries = without_withheld_summaries(SessionSummary.unscoped.all()).filter(
        tenant_id=OuterRef("tenant_id"), session_id=OuterRef("pk")
    )
    newest = summaries.exclude(model__startswith=BY_RULES).order_by("-created_at").values("one_liner")[:1]
    return rows.annotate(
        one_liner=Subquery(newest), first_words=Subquery(_first_words()), message_count=F("next_seq") - 1
    )


def _first_words() -> QuerySet[Any]:
    """What the person said first, as agents are shown it."""
    opening: QuerySet[Any] = Message.unscoped.filter(
        tenant_id=OuterRef("tenant_id"),
        session_id=OuterRef("pk"),
        seq__lte=OPENING_MESSAGES,
        role=Message.Role.USER,
    )
    words = Left(Trim(Coalesce("shown", "content")), OPENING_CHARS, output_field=CharField())
    told = opening.annotate(opening=words).exclude(opening__in=("", REDACTED)).order_by("seq")
    first: QuerySet[Any] = told.values_list("opening", flat=True)[:1]
    return first


def list_user_messages(*, tenant: Tenant | UUID, session_id: UUID) -> QuerySet[Message]:
    """What the person said in a session, the newest first."""
    rows = list_messages(tenant=tenant, session_id=session_id).filter(role=Message.Role.USER)
    return rows.order_by("-seq")


def has_replies(*, tenant: Tenant | UUID, session_id: UUID) -> bool:
    """Whether an agent has said anything in a session."""
    rows = Message.objects.for_tenant(tenant).filter(session_id=session_id, role=Message.Role.ASSISTANT)
    return rows.exists()


def find_two_speakers(*, tenant: Tenant | UUID, session_id: UUID) -> set[str]:
    """The names under which people speak in a session: all, or two of them where there are more."""
    named = list_user_messages(tenant=tenant, session_id=session_id).order_by().exclude(name="")
    found = named.aggregate(first=Min("name"), last=Max("name"))
    return {name for name in found.values() if name}

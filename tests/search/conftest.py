"""A conversation in the index."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

from nebo.tenants.scoping import tenant_scope
from search.services import Passage, index_passages
from sessions.models import Message, Session
from tests.conftest import Team

SAID = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


def tell(team: Team, *lines: str, key: str = "chat", speaker: str = "Caroline") -> Session:
    """A session of these lines, indexed by words; vectors wait."""
    with tenant_scope(team.tenant):
        session = Session.objects.for_tenant(team.tenant).create(profile=team.person, key=key)
        messages = [
            Message(
                tenant=team.tenant,
                session=session,
                profile=team.person,
                seq=seq,
                role="user",
                name=speaker,
                content=line,
                external_id=f"{key}:{seq}",
            )
            for seq, line in enumerate(lines, start=1)
        ]
        Message.unscoped.bulk_create(messages)
        index_passages(
            tenant=team.tenant,
            profile_id=team.person.pk,
            passages=[passage(session.pk, message) for message in messages],
        )
    return session


def passage(session_id: UUID, message: Message) -> Passage:
    return Passage(
        source="session",
        text=message.content,
        heading=f"[8 May 2023] {message.name}:",
        session_id=session_id,
        seq_from=message.seq,
        seq_to=message.seq,
        speaker=message.name,
        occurred_at=SAID,
    )

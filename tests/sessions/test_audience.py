"""Who finds the words of a conversation: what nobody has read yet is kept to its listener, and opened by the job."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memories.understanding import Understanding
from nebo.reading.meaning.reader import read_text
from nebo.tenants.ids import default_persona_id
from nebo.tenants.scoping import tenant_scope
from search.models import Chunk
from sessions.learning.audience import find_confidential_again, open_unconfidential
from sessions.material import as_material
from sessions.models import Message, Session
from tests.conftest import Team
from tests.sessions.conftest import Call, caller

pytestmark = pytest.mark.django_db
LONG = "The harbour was quiet. " * 20  # more than a turn reads
SECRET = "Please tell no one about the layoffs, nobody else may hear of this."


def talk(call: Call, session_id: str, *said: tuple[str, str]) -> None:
    messages = [{"role": role, "content": content} for role, content in said]
    assert call("POST", f"sessions/{session_id}/turns/", {"messages": messages}).status_code == 201


def audiences(team: Team) -> list[str]:
    """Of each message in the index: whether all may find it, or the default persona alone."""
    own = default_persona_id(team.tenant.pk)
    with tenant_scope(team.tenant):
        rows = Chunk.objects.for_tenant(team.tenant).filter(source="session").order_by("seq_from", "index")
        found = dict(rows.values_list("seq_from", "persona_id"))
    return [{None: "all", own: "default"}.get(persona_id, "another") for persona_id in found.values()]


def read_again(team: Team, session_id: str, *, last: int | None = None) -> int:
    """What the job does that reads a session; how many chunks it opens."""
    with tenant_scope(team.tenant):
        session = Session.objects.for_tenant(team.tenant).select_related("tenant").get(pk=UUID(session_id))
        rows = Message.objects.for_tenant(team.tenant).filter(session=session).order_by("seq")
        said = [message for message in rows if last is None or message.seq <= last]
        confided = find_confidential_again(
            session=session,
            messages=[as_material(message) for message in said],
            understood={m.pk: Understanding(read_text(m.content)) for m in said if m.role == "user"},
        )
        return open_unconfidential(
            tenant=session.tenant,
            session=session,
            confidential=confided,
            first=said[0].seq,
            last=said[-1].seq,
        )


def test_what_a_turn_had_no_time_to_read_is_kept_to_its_listener_until_it_is_read(
    call: Call, session_id: str, acme: Team
) -> None:
    talk(call, session_id, ("user", LONG))
    talk(call, session_id, ("assistant", "It was."), ("user", "I like tea."), ("assistant", "So do I."))
    before = audiences(acme)

    opened = read_again(acme, session_id)

    assert before == ["default", "default", "all", "all"]
    assert opened >= 2
    assert audiences(acme) == ["all", "all", "all", "all"]
    assert read_again(acme, session_id) == 0


def test_what_was_confided_stays_with_its_listener(call: Call, session_id: str, acme: Team) -> None:
    talk(call, session_id, ("user", f"{LONG}{SECRET}"), ("assistant", "My lips are sealed."))
    talk(call, session_id, ("user", SECRET))
    talk(call, session_id, ("assistant", "Of course."), ("user", "I like tea."), ("assistant", "So do I."))

    opened = read_again(acme, session_id)

    assert opened == 0
    assert audiences(acme) == ["default", "default", "default", "default", "all", "all"]


def test_a_reply_that_came_while_the_job_was_reading_follows_what_it_answers(
    call: Call, session_id: str, acme: Team
) -> None:
    talk(call, session_id, ("user", LONG))
    talk(call, session_id, ("assistant", "It was."))

    read_again(acme, session_id, last=1)

    assert audiences(acme) == ["all", "all"]


def test_a_reply_that_came_meanwhile_to_something_confided_is_not_opened(
    call: Call, session_id: str, acme: Team
) -> None:
    talk(call, session_id, ("user", f"{LONG}{SECRET}"))
    talk(call, session_id, ("assistant", "Of course."))

    read_again(acme, session_id, last=1)

    assert audiences(acme) == ["default", "default"]


def test_a_conversation_with_a_persona_is_that_personas_read_or_not(acme: Team) -> None:
    call = caller(acme, scopes=("read", "write", "admin"))
    call("POST", "personas/", {"slug": "coach", "name": "Coach"})
    session = call("POST", "sessions/", {"user": "alice", "key": "with-coach", "persona": "coach"}).json()[
        "id"
    ]
    talk(call, session, ("user", LONG))

    with CaptureQueriesContext(connection) as captured:
        talk(call, session, ("assistant", "It was."), ("user", "I like cake."))

    assert read_again(acme, session) == 0
    assert audiences(acme) == ["another", "another", "another"]
    assert not any(
        'ORDER BY "search_chunk"."seq_from" DESC' in (query["sql"] or "")
        for query in captured.captured_queries
    )

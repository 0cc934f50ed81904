"""Whatever is said in whatever portions: a message is live or folded into exactly one entry of the journal."""

from __future__ import annotations

from itertools import chain
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nebo.tenants.scoping import tenant_scope
from sessions.compaction.run import compact_session
from sessions.models import Compaction, Message, Session
from tests.conftest import Team
from tests.sessions.conftest import Call
from tests.sessions.test_jobs import claimed, talk

pytestmark = pytest.mark.django_db
portions = st.lists(st.lists(st.integers(1, 900), min_size=1, max_size=20), min_size=1, max_size=4)


@given(portions)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_compaction_loses_no_message(call: Call, acme: Team, portions: list[list[int]]) -> None:
    session_id = str(call("POST", "sessions/", {"user": "alice", "key": uuid4().hex}).json()["id"])

    for lengths in portions:
        talk(call, session_id, *[("user", f"{'word ' * length}.") for length in lengths])
        compact_session(claim=claimed(acme, session_id, "compact"))

    with tenant_scope(acme.tenant):
        session = Session.objects.for_tenant(acme.tenant).get(pk=session_id)
        journal = Compaction.objects.for_tenant(acme.tenant).filter(session=session).order_by("number")
        folded = list(chain.from_iterable(range(entry.seq_from, entry.seq_to + 1) for entry in journal))
        messages = list(Message.objects.for_tenant(acme.tenant).filter(session=session).order_by("seq"))
    live = [message for message in messages if not message.compacted]
    assert [*folded, *(message.seq for message in live)] == list(range(1, sum(map(len, portions)) + 1))
    assert session.live_tokens == sum(message.tokens for message in live)
    assert len(live) >= 1

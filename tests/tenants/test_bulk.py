"""Many rows in one statement: as they were told, in their order, and behind the same walls."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

import pytest
from django.db import IntegrityError, ProgrammingError, transaction
from django.utils import timezone

from memories.models import Memory
from nebo.postgres.bulk_insert import insert_all
from nebo.tenants.scoping import tenant_scope
from search.models import Chunk
from sessions.models import Message, Session
from tests.conftest import Team

pytestmark = pytest.mark.django_db

SAID = datetime(2023, 5, 8, 13, 56, 0, 123456, tzinfo=UTC)
WORDS = ['She said "no"\\n.', "Zeile\nZwei\tDrei", "it's 100% {} 🐶 ‮ 我喜欢猫", "'); DROP TABLE x; --", " "]


def open_session(team: Team) -> Session:
    return Session.objects.for_tenant(team.tenant).create(person=team.person, key=str(uuid4()))


def messages(team: Team, session: Session, *texts: str) -> list[Message]:
    return [
        Message(
            tenant=team.tenant, session=session, person=team.person, seq=seq, role="user", content=text,
            external_id=f"id-{seq}" if seq % 2 else None, created_at=SAID,
        )
        for seq, text in enumerate(texts, 1)
    ]  # fmt: skip


def test_every_value_comes_back_as_it_was_told(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        told = insert_all(messages(acme, open_session(acme), *WORDS))
        stored = list(Message.objects.for_tenant(acme.tenant).order_by("seq"))

    for one, other in zip(told, stored, strict=True):
        assert {**vars(one), "_state": None} == {**vars(other), "_state": None}
    assert [message.content for message in stored] == WORDS
    assert {message.created_at for message in stored} == {SAID}


def test_lists_and_objects_are_kept(acme: Team) -> None:
    memory = Memory(
        tenant=acme.tenant, person=acme.person, layer="tacit", namespace="tacit/facts", key="dog",
        value="Biscuit", source="user", tags=["a,b", 'c"d', "{e}"], entity_refs=[],
    )  # fmt: skip
    with tenant_scope(acme.tenant):
        insert_all([memory])
        memory.refresh_from_db()

    assert (memory.tags, memory.entity_refs) == (["a,b", 'c"d', "{e}"], [])


def test_keys_that_the_database_counts_are_given_in_order(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        session = open_session(acme)
        chunks = insert_all(
            [
                Chunk(tenant=acme.tenant, person=acme.person, source="session", session=session, text=text,
                      seq_from=seq, seq_to=seq)
                for seq, text in enumerate(WORDS, 1)
            ]
        )  # fmt: skip
        stored = Chunk.objects.for_tenant(acme.tenant).in_bulk()

    assert [chunk.pk for chunk in chunks] == sorted(chunk.pk for chunk in chunks)
    assert [stored[chunk.pk].text for chunk in chunks] == WORDS
    assert not any(chunk._state.adding for chunk in chunks)
    assert all(abs(timezone.now() - chunk.created_at).total_seconds() < 60 for chunk in chunks)


def test_nothing_is_a_statement_for_nothing(
    acme: Team, django_assert_num_queries: pytest.FixtureRequest
) -> None:
    with tenant_scope(acme.tenant), django_assert_num_queries(0):
        assert insert_all(list[Message]()) == []


def test_what_the_database_refuses_is_refused(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        session = open_session(acme)
        with pytest.raises(IntegrityError), transaction.atomic():
            insert_all([*messages(acme, session, "one"), *messages(acme, session, "two")])

        assert not Message.objects.for_tenant(acme.tenant).exists()


def test_another_tenants_rows_are_refused(acme: Team, rival: Team) -> None:
    with tenant_scope(rival.tenant):
        session = open_session(rival)
    with (
        tenant_scope(acme.tenant),
        pytest.raises(ProgrammingError, match="row-level security"),
        transaction.atomic(),
    ):
        insert_all(messages(rival, session, "theirs"))

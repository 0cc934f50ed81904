"""The pages of conversations: only one's own, with what was remembered beside each turn."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from memories.models import Memory
from memories.new_memory import NewObservation
from memories.storing.edit import delete_memory
from nebo.tenants.scoping import tenant_scope
from sessions.models import Message, Session, SessionSummary
from tests.conftest import Team
from tests.memories.conftest import AGENT, remember, say
from tests.visitors import add_person, count_queries, refetch, text_of, visitor

pytestmark = pytest.mark.django_db
LIST = "/t/acme/sessions/"
LIST_QUERIES = 13  # with those of login and transaction
DETAIL_QUERIES = 18


@pytest.fixture
def client(acme: Team) -> Client:
    return visitor(acme.owner)


def talk(team: Team, *contents: str, key: str = "chat") -> list[Message]:
    """A conversation as it stands after its turns."""
    with tenant_scope(team.tenant):
        said = say(team, *contents, key=key)
        Session.objects.for_tenant(team.tenant).filter(pk=said[0].session_id).update(
            next_seq=said[-1].seq + 1
        )
    return said


def learn(team: Team, message: Message, value: str, **fields: Any) -> Memory:
    """A memory that rests on a message."""
    seen = NewObservation(extractor="rules", value=value, confidence=0.9, trust="user", message_id=message.pk)
    with tenant_scope(team.tenant):
        return remember(team, value, observations=(seen,), **fields).memory


def test_sessions_are_listed_with_what_they_were_about(acme: Team, client: Client) -> None:
    first, *_ = talk(acme, "Hello", "Hi", key="one")
    second, *_ = talk(acme, "Hello again", key="two")
    with tenant_scope(acme.tenant):
        SessionSummary.objects.for_tenant(acme.tenant).create(
            session_id=first.session_id, one_liner="About clay"
        )
        SessionSummary.objects.for_tenant(acme.tenant).create(
            session_id=second.session_id, one_liner="The user greeted", model="rules/english-1"
        )

    page = text_of(client.get(LIST))

    assert "About clay" in page
    assert "Hello again" in page  # what was said first, where no model says what it was about
    assert "2 messages" in page
    assert "1 message " in page


def test_htmx_gets_the_rows_alone(acme: Team, client: Client) -> None:
    talk(acme, "Hello")

    assert "<html" not in client.get(LIST, **refetch("results")).content.decode()


def test_the_list_costs_the_same_however_long_it_is(acme: Team, client: Client) -> None:
    talk(acme, "Hello", key="first")
    few = count_queries(client, LIST)

    for number in range(8):
        talk(acme, "Hello", key=f"chat-{number}")

    assert count_queries(client, LIST) == few <= LIST_QUERIES


def test_each_turn_stands_beside_what_was_remembered_from_it(acme: Team, client: Client) -> None:
    said = talk(acme, "I play the cello", "I have a dog", "Good night")
    learn(acme, said[0], "Plays the cello")
    learn(acme, said[1], "Has a dog")
    learn(acme, said[1], "Has a dog")

    response = client.get(f"{LIST}{said[0].session_id}/")

    beside = [[memory.value for memory in spoken.memories] for spoken in response.context["spoken"]]
    assert beside == [["Plays the cello"], ["Has a dog"], []]
    assert "2 remembered" in text_of(response)


def test_what_is_in_the_trash_stands_beside_nothing(acme: Team, client: Client) -> None:
    (said,) = talk(acme, "I play the cello")
    memory = learn(acme, said, "Plays the cello")
    with tenant_scope(acme.tenant):
        delete_memory(tenant=acme.tenant, memory=memory, actor=AGENT)

    response = client.get(f"{LIST}{said.session_id}/")

    assert response.context["spoken"][0].memories == []
    assert "0 remembered" in text_of(response)


def test_a_link_to_a_turn_opens_the_page_it_stands_on(
    acme: Team, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sessions.pages.conversations.TRANSCRIPT_SIZE", 10)
    said = talk(acme, *[f"message {number}" for number in range(1, 32)])
    address = f"{LIST}{said[0].session_id}/"

    pages = {
        seq: client.get(address, {"at": seq}).context["page"]
        for seq in ("1", "10", "11", "31", "9999", "0", "x")
    }

    assert {seq: page.number for seq, page in pages.items()} == {
        "1": 1, "10": 1, "11": 2, "31": 4, "9999": 4, "0": 4, "x": 1
    }  # fmt: skip
    assert 11 in [message.seq for message in pages["11"].object_list]
    assert client.get(address, {"at": "11", "page": "3"}).context["page"].number == 3


def test_what_was_said_is_never_markup(acme: Team, client: Client) -> None:
    (said,) = talk(acme, "<script>alert(1)</script> **bold**")

    html = client.get(f"{LIST}{said.session_id}/").content.decode()

    assert "&lt;script&gt;alert(1)&lt;/script&gt; **bold**" in html
    assert "<script>alert" not in html


def test_a_conversation_costs_the_same_however_long_it_is(acme: Team, client: Client) -> None:
    said = talk(acme, "I play the cello", key="short")
    learn(acme, said[0], "Plays the cello")
    few = count_queries(client, f"{LIST}{said[0].session_id}/")

    long = talk(acme, *[f"message {number}" for number in range(12)], key="long")
    for number, message in enumerate(long):
        learn(acme, message, f"Knows number {number}", key=f"fact-{number}")

    assert count_queries(client, f"{LIST}{long[0].session_id}/") == few <= DETAIL_QUERIES


def test_a_conversation_of_another_of_ones_people_is_open_too(acme: Team, client: Client) -> None:
    bob = add_person(acme, "bob", login=acme.owner)
    with tenant_scope(acme.tenant):
        session = Session.objects.for_tenant(acme.tenant).create(person=bob, key="theirs")

    assert client.get(f"/t/acme/p/bob/sessions/{session.pk}/").status_code == 200
    assert client.get(f"/t/acme/p/alice/sessions/{session.pk}/").status_code == 404
    assert "theirs" not in text_of(client.get("/t/acme/p/alice/sessions/"))


def test_a_turn_is_redacted_with_a_button(acme: Team, client: Client) -> None:
    first, second = talk(acme, "The safe stands behind the blue curtain.", "Fine.")
    address = f"{LIST}{first.session_id}/redact/"

    some = client.post(address, {"message": str(first.pk), "words": "blue curtain"}, follow=True)
    wrong = client.post(address, {"message": str(first.pk), "words": "green door"}, follow=True)
    foreign = client.post(address, {"message": str(first.session_id)}, follow=True)
    whole = client.post(address, {"message": str(second.pk)}, follow=True)

    assert "The safe stands behind the [redacted]." in text_of(some)
    assert "The message does not say this." in text_of(wrong)
    assert foreign.status_code == 404
    with tenant_scope(acme.tenant):
        rows = Message.objects.for_tenant(acme.tenant).filter(session_id=first.session_id).order_by("seq")
        said = list(rows.values_list("content", flat=True))
    assert said == ["The safe stands behind the [redacted].", "[redacted]"]
    assert "Redacted for good." in text_of(whole)

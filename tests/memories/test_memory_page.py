"""The page of one memory: why it is known, what became of it, and going back."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from memories.audit.log import record_read
from memories.models import Memory, Version
from memories.new_memory import NewMemory, NewObservation
from memories.storing.edit import delete_memory, update_memory
from memories.storing.store import store_memory
from nebo.tenants.actor import Actor
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import issue_key
from sessions.models import Message
from tests.conftest import Team
from tests.memories.conftest import AGENT, hear, remember, say
from tests.memories.test_pages import LIST, keep, now, press
from tests.visitors import add_person, count_queries, join, text_of, visitor

pytestmark = pytest.mark.django_db
DATA_STATEMENTS = 10  # of a page; four more open the scope and close it, in tests
SCOPE_STATEMENTS = 4


@pytest.fixture
def client(acme: Team) -> Client:
    return visitor(acme.owner)


@pytest.fixture
def cello(acme: Team) -> Memory:
    return keep(acme, "Plays the cello on Sundays", key="music")


def page_of(client: Client, memory: Memory, **extra: Any) -> Any:
    return client.get(f"{LIST}{memory.pk}/", **extra)


def cite(message: Message, quote: str) -> NewObservation:
    return NewObservation(
        extractor="model",
        model="reader-1",
        value=quote,
        confidence=0.9,
        trust="user",
        message_id=message.pk,
        quote=quote,
    )


# --- Why ---------------------------------------------------------------------------------------------


def test_the_quote_stands_among_what_was_said_around_it(acme: Team, client: Client) -> None:
    with tenant_scope(acme.tenant):
        said = say(
            acme, "Far away", "Hello there", "What about music?", "I play the cello", "Lovely", "Bye", "Gone"
        )
        memory = remember(acme, "Plays the cello", observations=(cite(said[3], "I play the cello"),)).memory

    page = text_of(page_of(client, memory))

    for words in ("Hello there", "What about music?", "I play the cello", "Lovely", "Bye"):
        assert words in page
    assert "Far away" not in page
    assert "Gone" not in page
    assert "Read by a model reader-1" in page
    assert "The quote stands in the turn" in page


def test_a_quote_that_was_read_twice_stands_there_once(acme: Team, client: Client) -> None:
    with tenant_scope(acme.tenant):
        said = say(acme, "I play the cello")
        twice = (cite(said[0], "play the cello"), cite(said[0], "play the cello"))
        memory = remember(acme, "Plays the cello", observations=twice).memory

    page = text_of(page_of(client, memory))

    assert page.count("See it in the conversation") == 1
    assert "The same words, read once more." in page


def test_of_what_is_everyones_nothing_is_shown_that_somebody_else_said(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        said = say(acme, "My own secret", "The studio closes in August")
        new = NewMemory(value="Closed in August", scope="global", observations=(cite(said[1], "closes"),))
        shared = store_memory(tenant=acme.tenant, person=acme.shared, new=new, actor=AGENT, vector=None)
    bob = visitor(join(acme, "bob@acme.example", person="bob"))

    page = text_of(page_of(bob, shared.memory))

    assert "Closed in August" in page
    assert "secret" not in page
    assert "The studio closes" not in page


def test_what_an_agent_posted_names_the_key_and_who_corrected_it(acme: Team, client: Client) -> None:
    with tenant_scope(acme.tenant):
        key = issue_key(tenant=acme.tenant, name="travel agent").key
        new = NewMemory(value="Flies on Mondays")
        actor = Actor("key", str(key.pk))
        memory = store_memory(
            tenant=acme.tenant, person=acme.person, new=new, actor=actor, vector=None
        ).memory

    page = text_of(page_of(client, memory))
    assert "Stored by an agent, by an agent (travel agent)" in page
    assert "Whose word An agent’s note" in page
    assert "Corrected" not in page

    with tenant_scope(acme.tenant):
        by_hand = Actor("user", str(acme.owner.pk))
        changes = {"value": "Flies on Tuesdays"}
        update_memory(tenant=acme.tenant, memory=now(memory), changes=changes, actor=by_hand)
    page = text_of(page_of(client, memory))
    assert "Corrected by you" in page
    assert "Whose word In their own words" in page


def test_it_says_when_and_by_which_key_it_was_used(acme: Team, client: Client, cello: Memory) -> None:
    with tenant_scope(acme.tenant):
        key = issue_key(tenant=acme.tenant, name="travel agent").key
        (message,) = say(acme, "Hello")
        record_read(
            tenant=acme.tenant,
            actor=Actor("key", str(key.pk)),
            action="context.read",
            person_id=acme.person.pk,
            memory_ids=[cello.pk],
            session_id=message.session_id,
        )
        other = remember(acme, "Owns a bicycle", key="bike").memory

    html = page_of(client, cello)
    assert "Built a prompt an agent (travel agent)" in text_of(html)
    assert f"/t/acme/sessions/{message.session_id}/" in html.content.decode()
    assert "No agent has been shown it lately" in text_of(page_of(client, other))


def test_confidence_that_moved_is_drawn(acme: Team, client: Client, cello: Memory) -> None:
    assert "<polyline" not in page_of(client, cello).content.decode()

    keep(acme, "Plays the cello on Sundays", key="music")

    html = page_of(client, cello).content.decode()
    assert "<polyline" in html
    assert "Confidence went from" in html


def test_what_it_replaced_and_what_goes_against_it_are_named(acme: Team, client: Client) -> None:
    with tenant_scope(acme.tenant):
        old = remember(acme, "Lives in Porto", key="home", source="extraction").memory
        new = remember(acme, "Lives in Lisbon", key="home", source="extraction").memory
        assert now(old).status == "superseded"
    press(client, "pin", new)
    with tenant_scope(acme.tenant):
        against = remember(acme, "Lives in Faro", key="home", source="extraction").memory
        assert against.status == "quarantined"

    page = text_of(page_of(client, new))
    assert "What it replaced Lives in Porto" in page
    assert "What goes against it Lives in Faro" in page
    assert "It goes against Lives in Lisbon" in text_of(page_of(client, against))


# --- Versions ----------------------------------------------------------------------------------------


def test_a_changed_wording_is_shown_word_by_word(client: Client, cello: Memory) -> None:
    body = {"version": 1, "value": "Plays the viola on Sundays", "type": "profile", "tags": ""}
    client.post(f"{LIST}{cello.pk}/edit/", body)

    html = page_of(client, cello).content.decode()

    assert ">Gone: </span>cello</del>" in html
    assert ">New: </span>viola</ins>" in html


def test_an_earlier_version_can_be_brought_back(acme: Team, client: Client, cello: Memory) -> None:
    body = {"version": 1, "value": "Plays the viola", "type": "people", "tags": "music"}
    client.post(f"{LIST}{cello.pk}/edit/", body)
    address = f"{LIST}{cello.pk}/versions/1/restore/"
    assert f'action="{address}"' in page_of(client, cello).content.decode()

    page = client.post(address, {"version": 2}, follow=True)

    after = now(cello)
    assert (after.value, after.type, after.tags) == (cello.value, "profile", [])
    assert "Version 1 is what it says again." in text_of(page)
    with tenant_scope(acme.tenant):
        newest = Version.objects.for_tenant(acme.tenant).filter(memory=cello).order_by("-number")[0]
    assert (newest.number, newest.reason) == (3, "Version 1 brought back.")


@pytest.mark.parametrize(
    "number, version, said",
    [
        (1, 1, "changed since it was read"),
        (1, "x", "changed since it was read"),
        (2, 2, "exactly this already"),
    ],
)
def test_a_version_that_cannot_be_brought_back_says_why(
    client: Client, cello: Memory, number: int, version: Any, said: str
) -> None:
    body = {"version": 1, "value": "Plays the viola", "type": "profile", "tags": ""}
    client.post(f"{LIST}{cello.pk}/edit/", body)

    page = client.post(f"{LIST}{cello.pk}/versions/{number}/restore/", {"version": version}, follow=True)

    assert said in text_of(page)
    assert now(cello).version == 2


def test_a_version_of_nothing_or_of_somebody_else_is_not_there(
    acme: Team, rival: Team, client: Client, cello: Memory
) -> None:
    with tenant_scope(rival.tenant):
        foreign = remember(rival, "Sells secrets").memory
    bob = add_person(acme, "bob")
    with tenant_scope(acme.tenant):
        new = NewMemory(value="Collects stamps")
        theirs = store_memory(tenant=acme.tenant, person=bob, new=new, actor=AGENT, vector=None).memory

    assert client.post(f"{LIST}{cello.pk}/versions/9/restore/", {"version": 1}).status_code == 404
    for one in (foreign, theirs):
        assert client.post(f"{LIST}{one.pk}/versions/1/restore/", {"version": 1}).status_code == 404
        assert client.get(f"{LIST}{one.pk}/forget/").status_code == 404
        body = {"how": "good", "sure": "on", "version": 1}
        assert client.post(f"{LIST}{one.pk}/forget/", body).status_code == 404
        assert now(one).status == "active"


# --- Wrong, and forgotten with its words -------------------------------------------------------------


def test_a_mark_keeps_its_reason(client: Client, cello: Memory) -> None:
    page = client.post(f"{LIST}{cello.pk}/wrong/", {"reason": "That was my sister"}, follow=True)

    assert "by you: That was my sister" in text_of(page)


@pytest.fixture
def walnuts(acme: Team) -> Memory:
    with tenant_scope(acme.tenant):
        (memory,) = hear(acme, "I'm allergic to walnuts.")
    return memory


def words_of(acme: Team) -> Message:
    with tenant_scope(acme.tenant):
        return Message.objects.for_tenant(acme.tenant).get()


def test_what_would_go_is_shown_before_and_nothing_has_happened(
    acme: Team, client: Client, walnuts: Memory
) -> None:
    page = client.get(f"{LIST}{walnuts.pk}/forget/")

    assert "stands in 1 passage" in text_of(page)
    assert "<mark>I&#x27;m allergic to walnuts" in page.content.decode()
    assert now(walnuts).status == "active"
    assert words_of(acme).shown is None


@pytest.mark.parametrize(
    "how, status, hidden", [("hide", "deleted", True), ("alone", "deleted", False), ("good", "", True)]
)
def test_a_memory_is_forgotten_as_far_as_chosen(
    acme: Team, client: Client, walnuts: Memory, how: str, status: str, *, hidden: bool
) -> None:
    body = {"how": how, "sure": "on", "version": walnuts.version}

    page = client.post(f"{LIST}{walnuts.pk}/forget/", body, follow=True)

    with tenant_scope(acme.tenant):
        left = Memory.objects.for_tenant(acme.tenant).filter(pk=walnuts.pk).first()
    assert (left.status if left else "") == status
    assert ("walnuts" not in words_of(acme).words) == hidden
    assert (f'action="{LIST}{walnuts.pk}/restore/"' in page.content.decode()) == bool(status)


@pytest.mark.parametrize(
    "body, said",
    [
        ({"how": "good"}, "nothing was removed"),
        ({"how": "nonsense"}, "Select a valid choice"),
        ({"how": "hide", "version": 9}, "changed in the meantime"),
    ],
)
def test_without_a_clear_word_nothing_is_forgotten(
    client: Client, walnuts: Memory, body: dict[str, Any], said: str
) -> None:
    response = client.post(f"{LIST}{walnuts.pk}/forget/", {"version": walnuts.version, **body})

    assert response.status_code == 422
    assert said in text_of(response)
    assert now(walnuts).status == "active"


# --- The page ----------------------------------------------------------------------------------------


def test_the_page_takes_no_more_than_ten_statements(acme: Team, client: Client, walnuts: Memory) -> None:
    assert count_queries(client, f"{LIST}{walnuts.pk}/") <= DATA_STATEMENTS + SCOPE_STATEMENTS


def test_the_way_back_keeps_the_search(client: Client, cello: Memory) -> None:
    came_from = {"Referer": f"http://testserver{LIST}?q=cello&layer=tacit"}

    assert page_of(client, cello, headers=came_from).context["back"].endswith(f"{LIST}?q=cello&layer=tacit")
    elsewhere = {"Referer": "https://elsewhere.example/t/acme/memories/"}
    assert page_of(client, cello, headers=elsewhere).context["back"] == LIST


def test_the_trash_keeps_its_page(acme: Team, client: Client, cello: Memory) -> None:
    with tenant_scope(acme.tenant):
        delete_memory(tenant=acme.tenant, memory=cello, actor=AGENT)

    assert "In the trash since" in text_of(page_of(client, cello))

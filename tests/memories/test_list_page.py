"""The list of memories: its filters and orders, many at once, adding by hand, and the trash."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from memories.models import AuditEntry, Memory
from memories.new_memory import NewMemory
from memories.storing.store import store_memory
from nebo.tenants.actor import Actor
from nebo.tenants.scoping import tenant_scope
from personality.models import Persona
from tests.conftest import Team
from tests.memories.conftest import AGENT, remember
from tests.memories.test_pages import LIST, ORDER, now, values
from tests.visitors import add_person, count_queries, join, refetch, text_of, visitor

pytestmark = pytest.mark.django_db
TRASH = f"{LIST}trash/"
EMPTY = f"{TRASH}empty/"
DATA_STATEMENTS = 10  # of a page; four more open the scope and close it, in tests
SCOPE_STATEMENTS = 4


@pytest.fixture
def client(acme: Team) -> Client:
    return visitor(acme.owner)


@pytest.fixture
def three(acme: Team) -> list[Memory]:
    with tenant_scope(acme.tenant):
        return [remember(acme, f"Knows number {n}", key=f"n-{n}").memory for n in (1, 2, 3)]


def bulk(client: Client, act: str, *memories: Memory, htmx: bool = False, **more: Any) -> Any:
    body = {"act": act, "memory": [str(one.pk) for one in memories], **more}
    return client.post(f"{LIST}bulk/", body, **(refetch() if htmx else {}))


def statuses(*memories: Memory) -> list[str]:
    return [now(one).status for one in memories]


# --- Filters -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "filters, found",
    [
        ({"source": "user"}, {"by hand"}),
        ({"since": "week"}, {"by hand", "of Jon", "whispered"}),
        ({"since": "day", "source": "agent"}, {"of Jon", "whispered"}),
        ({"entity": "person:jon"}, {"of Jon"}),
        ({"entity": "person/Jon"}, {"of Jon"}),
        ({"sensitivity": "confidential"}, {"whispered"}),
        ({"sensitivity": "order"}, {ORDER}),
        ({"sensitivity": "hearsay"}, {"of Jon", "whispered", "old"}),
        ({"sensitivity": "secret"}, set()),
        ({"persona": "guide"}, {"whispered"}),
        ({"persona": "nonsense", "entity": "nonsense", "since": "x", "sensitivity": "x"}, None),
    ],
)
def test_the_list_can_be_narrowed_by_what_a_memory_is(
    acme: Team, client: Client, filters: dict[str, str], found: set[str] | None
) -> None:
    with tenant_scope(acme.tenant):
        guide = Persona.objects.for_tenant(acme.tenant).create(slug="guide", name="Guide")
        old = remember(acme, "old", key="a").memory
        Memory.objects.for_tenant(acme.tenant).filter(pk=old.pk).update(
            created_at=timezone.now() - timedelta(days=40)
        )
        new = NewMemory(value="by hand", source="user", trust="user")
        by_hand = Actor("user", str(acme.owner.pk))
        store_memory(tenant=acme.tenant, person=acme.person, new=new, actor=by_hand, vector=None)
        remember(acme, "of Jon", key="b", entity_refs=("person:jon",), type="people")
        remember(acme, "whispered", key="c", persona_id=guide.pk)
        remember(acme, ORDER)
    asked = {**filters, **({"persona": str(guide.pk)} if filters.get("persona") == "guide" else {})}

    shown = set(values(client.get(LIST, asked)))

    assert shown == (found if found is not None else {"old", "by hand", "of Jon", "whispered"})


@pytest.mark.parametrize(
    "sort, first",
    [("", "c"), ("learned", "c"), ("oldest", "b"), ("words", "a"), ("unsure", "a"), ("important", "b")],
)
def test_the_list_is_in_the_order_asked_for(acme: Team, client: Client, sort: str, first: str) -> None:
    with tenant_scope(acme.tenant):
        remember(acme, "b", key="b", importance=2)
        remember(acme, "a", key="a", confidence=0.7)
        remember(acme, "c", key="c")

    assert values(client.get(LIST, {"sort": sort}))[0] == first


def test_what_is_chosen_can_be_taken_back_one_by_one(client: Client, three: list[Memory]) -> None:
    page = client.get(LIST, {"layer": "tacit", "sort": "words", "q": "number"})

    (chip,) = page.context["chips"]
    assert (chip.label, chip.without) == ("Layer: Lasting", "q=number&sort=words")
    assert f'href="{LIST}?q=number&amp;sort=words"' in page.content.decode()


def test_each_choice_is_a_step_back_and_the_letters_of_a_question_are_one(client: Client) -> None:
    typed = {"HX-Trigger-Name": "q", "HX-Current-URL": f"http://testserver{LIST}?q=ce"}

    assert client.get(LIST, {"q": "cel"}, **refetch("results", **typed))["HX-Replace-Url"] == f"{LIST}?q=cel"
    first = {**typed, "HX-Current-URL": f"http://testserver{LIST}"}
    assert not client.get(LIST, {"q": "c"}, **refetch("results", **first)).has_header("HX-Replace-Url")
    chosen = {**typed, "HX-Trigger-Name": "layer"}
    assert not client.get(LIST, {"q": "cel"}, **refetch("results", **chosen)).has_header("HX-Replace-Url")


def test_rows_of_one_line_are_remembered(client: Client, three: list[Memory]) -> None:
    response = client.get(LIST, {"density": "compact", "q": "number"})

    assert response["Location"] == f"{LIST}?q=number"
    assert "is-compact" in client.get(LIST).content.decode()
    client.get(LIST, {"density": "roomy"})
    assert "is-compact" not in client.get(LIST).content.decode()


@pytest.mark.parametrize(
    "page",
    [LIST, f"{LIST}?q=number", f"{LIST}?layer=tacit&sort=words", TRASH, EMPTY, f"{LIST}add/"],
)
def test_no_page_takes_more_than_ten_statements(client: Client, three: list[Memory], page: str) -> None:
    client.get(page)  # looks up the model that serves, as every process does now and then

    assert count_queries(client, page) <= DATA_STATEMENTS + SCOPE_STATEMENTS


@pytest.mark.parametrize("asked", ["0", "3", "-1", "x", "9" * 40, "²"])
def test_a_page_of_a_question_that_is_not_there_is_the_nearest(
    client: Client, three: list[Memory], asked: str
) -> None:
    page = client.get(LIST, {"q": "number", "page": asked}).context["page"]

    assert (page.number, page.paginator.count, len(page.object_list)) == (1, 3, 3)


# --- Many at once ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "act, after, said",
    [
        ("pin", "active", "Pinned 2 memories."),
        ("archive", "archived", "Archived 2 memories"),
        ("delete", "deleted", "Moved 2 memories to the trash."),
    ],
)
def test_what_is_ticked_is_changed_and_comes_back_with_undo(
    client: Client, three: list[Memory], act: str, after: str, said: str
) -> None:
    done = bulk(client, act, *three[:2], htmx=True)

    assert said in text_of(done)
    assert done["HX-Trigger"] == "memories-changed"
    assert statuses(*three) == [after, after, "active"]
    assert [now(one).pinned for one in three] == [act == "pin", act == "pin", False]

    undone = client.post(undo_of(done), **refetch())

    assert "Taken back for 2 memories." in text_of(undone)
    assert statuses(*three) == ["active"] * 3
    assert not any(now(one).pinned for one in three)


def undo_of(response: Any) -> str:
    html = response.content.decode()
    (address,) = re.findall(rf'hx-post="({LIST}undo/[^"]*)"', html)
    return unescape(address)


def test_undo_leaves_what_was_changed_since(client: Client, three: list[Memory]) -> None:
    done = bulk(client, "archive", *three, htmx=True)
    client.post(f"{LIST}{three[0].pk}/restore/")
    client.post(f"{LIST}{three[0].pk}/delete/")

    client.post(undo_of(done), **refetch())

    assert statuses(*three) == ["deleted", "active", "active"]


def test_nobody_elses_act_is_undone(acme: Team, client: Client, three: list[Memory]) -> None:
    done = bulk(client, "delete", *three, htmx=True)
    other = visitor(join(acme, "bob@acme.example", person="bob"))

    assert "nothing left to take back" in text_of(other.post(undo_of(done), **refetch()))
    assert statuses(*three) == ["deleted"] * 3


def test_all_that_match_are_meant_also_those_on_other_pages(acme: Team, client: Client) -> None:
    with tenant_scope(acme.tenant):
        for n in range(30):
            remember(acme, f"Knows number {n}", key=f"n-{n}", deduplicate=False)
        apart = remember(acme, "Plays the cello").memory

    done = bulk(client, "delete", htmx=True, all="true", filters="q=number")

    assert "Moved 30 memories to the trash." in text_of(done)
    assert now(apart).status == "active"
    assert values(client.get(LIST)) == [apart.value]


def test_what_is_in_no_state_for_it_is_left_out(client: Client, three: list[Memory]) -> None:
    bulk(client, "delete", three[0])

    assert "Pinned 2 memories." in text_of(bulk(client, "pin", *three, htmx=True))
    assert statuses(*three) == ["deleted", "active", "active"]


def test_nothing_ticked_changes_nothing_and_says_so(client: Client, three: list[Memory]) -> None:
    assert "Tick the memories" in text_of(bulk(client, "delete", htmx=True))
    assert "names no such memory" in text_of(bulk(client, "delete", htmx=True, memory=["x"]))
    assert client.post(f"{LIST}bulk/", {"act": "purge", "memory": [three[0].pk]}).status_code == 404
    assert statuses(*three) == ["active"] * 3


def test_without_script_the_list_comes_back_as_it_was(client: Client, three: list[Memory]) -> None:
    came_from = f"http://testserver{LIST}?q=number"

    body = {"act": "archive", "memory": [str(three[0].pk)]}
    response = client.post(f"{LIST}bulk/", body, headers={"Referer": came_from})

    assert response["Location"] == came_from
    assert now(three[0]).status == "archived"


def test_ids_of_others_are_as_unknown_as_any(
    acme: Team, rival: Team, client: Client, three: list[Memory]
) -> None:
    bob = add_person(acme, "bob")
    with tenant_scope(acme.tenant):
        new = NewMemory(value="Collects stamps")
        theirs = store_memory(tenant=acme.tenant, person=bob, new=new, actor=AGENT, vector=None).memory
    with tenant_scope(rival.tenant):
        foreign = remember(rival, "Sells secrets").memory
    unknown = Memory(pk=uuid4())

    answers = {bulk(client, "delete", one, htmx=True).content for one in (theirs, foreign, unknown)}

    assert len({strip_token(html) for html in answers}) == 1
    assert statuses(theirs, foreign, *three) == ["active"] * 5
    for one in (theirs, foreign, unknown):
        client.post(EMPTY, {"memory": [str(one.pk)], "words": "hidden", "sure": "on"})
    assert statuses(theirs, foreign) == ["active"] * 2


def strip_token(html: bytes) -> str:
    return text_of(type("Answer", (), {"content": html}))


def test_what_holds_for_everyone_a_member_does_not_change(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        new = NewMemory(value="Closed in August", scope="global")
        shared = store_memory(
            tenant=acme.tenant, person=acme.shared, new=new, actor=AGENT, vector=None
        ).memory
    member = visitor(join(acme, "bob@acme.example", person="bob"))

    bulk(member, "delete", shared)
    bulk(member, "delete", all="true", filters="")
    assert now(shared).status == "active"

    bulk(visitor(acme.owner), "delete", shared)
    assert now(shared).status == "deleted"
    assert "Closed in August" not in text_of(member.get(TRASH))
    member.post(EMPTY, {"words": "hidden", "sure": "on"})
    assert now(shared).status == "deleted"


# --- By hand -----------------------------------------------------------------------------------------


def test_a_memory_is_written_by_hand_in_ones_own_words(acme: Team, client: Client) -> None:
    body = {
        "value": "Prefers trains",
        "layer": "tacit",
        "type": "profile",
        "tags": "travel, travel",
        "pinned": "on",
    }

    page = client.post(f"{LIST}add/", body, follow=True)

    with tenant_scope(acme.tenant):
        (memory,) = Memory.objects.for_tenant(acme.tenant)
    assert page.redirect_chain == [(f"{LIST}{memory.pk}/", 302)]
    assert (memory.source, memory.trust, memory.tags, memory.pinned) == ("user", "user", ["travel"], True)
    assert memory.person_id == acme.person.pk
    assert "Remembered." in text_of(page)
    assert "Written by hand" in text_of(page)


def test_what_is_known_already_is_not_written_twice(acme: Team, client: Client) -> None:
    body = {"value": "Prefers trains", "layer": "tacit", "type": "profile"}
    first = client.post(f"{LIST}add/", body)

    page = client.post(f"{LIST}add/", body, follow=True)

    assert page.redirect_chain == [(first["Location"], 302)]
    assert "known already" in text_of(page)


@pytest.mark.parametrize(
    "changes, said",
    [
        ({"value": " "}, "This field is required."),
        ({"value": "x" * 2049}, "at most 2048 characters"),
        ({"tags": "x" * 65}, "1 to 64 characters"),
        ({"layer": "nonsense"}, "Select a valid choice."),
        ({"key": "k" * 129}, "at most 128 characters"),
    ],
)
def test_what_cannot_be_kept_comes_back_with_the_reason(
    acme: Team, client: Client, changes: dict[str, str], said: str
) -> None:
    body = {"value": "Prefers trains", "layer": "tacit", "type": "profile", **changes}

    response = client.post(f"{LIST}add/", body)

    assert response.status_code == 422
    assert said in text_of(response)
    with tenant_scope(acme.tenant):
        assert not Memory.objects.for_tenant(acme.tenant).exists()


# --- The trash ---------------------------------------------------------------------------------------


def test_the_trash_says_when_each_goes_and_brings_it_back(client: Client, three: list[Memory]) -> None:
    client.post(f"{LIST}{three[0].pk}/delete/")
    client.get(LIST)  # shows the toast

    page = text_of(client.get(TRASH))
    assert "Knows number 1" in page
    assert "Gone for good in 30 d" in page
    assert "Knows number 2" not in page

    answer = client.post(f"{LIST}{three[0].pk}/restore/", {"view": "trash"}, **refetch())
    assert answer["HX-Trigger"] == "memories-changed"
    assert "The trash is empty" in text_of(client.get(TRASH))
    assert now(three[0]).status == "active"


def test_nothing_goes_for_good_before_one_is_sure(acme: Team, client: Client, three: list[Memory]) -> None:
    bulk(client, "delete", *three)

    asked = text_of(client.get(EMPTY))
    assert "3 memories go with their whole history" in asked
    assert "Knows number 1" in asked

    unsure = client.post(EMPTY, {"words": "hidden"})
    assert unsure.status_code == 422
    assert "nothing was removed" in text_of(unsure)
    assert statuses(*three) == ["deleted"] * 3

    page = client.post(EMPTY, {"words": "hidden", "sure": "on"}, follow=True)
    assert "Removed 3 memories for good." in text_of(page)
    with tenant_scope(acme.tenant):
        assert not Memory.objects.for_tenant(acme.tenant).exists()
        assert AuditEntry.objects.for_tenant(acme.tenant).filter(action="memory.purged").count() == 3


def test_only_what_was_ticked_goes(acme: Team, client: Client, three: list[Memory]) -> None:
    bulk(client, "delete", *three[:2])

    asked = client.get(EMPTY, {"memory": [str(three[0].pk)]})
    assert "One memory goes" in text_of(asked)
    assert str(three[1].pk) not in asked.content.decode()

    ids = [str(one.pk) for one in (three[0], three[2])]  # the third is not in the trash
    client.post(EMPTY, {"memory": ids, "words": "hidden", "sure": "on"})
    with tenant_scope(acme.tenant):
        left = set(Memory.objects.for_tenant(acme.tenant).values_list("pk", flat=True))
    assert left == {three[1].pk, three[2].pk}


def test_the_way_to_older_ones_is_a_word(acme: Team, client: Client) -> None:
    with tenant_scope(acme.tenant):
        for n in range(26):
            remember(acme, f"Knows number {n}", key=f"n-{n}", deduplicate=False)

    page = client.get(LIST).content.decode()

    assert re.findall(r'rel="next">(\w+)<', page) == ["Older"]

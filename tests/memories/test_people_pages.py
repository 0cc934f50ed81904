"""The pages of people and things, as the person they belong to sees them."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from memories.curation.run import curate_person
from memories.models import Entity, Fold, Memory, MergeProposal
from memories.storing.edit import pin_memory
from nebo.jobs.models import Job
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.memories.conftest import AGENT, JOB, remember
from tests.visitors import add_person, count_queries, join, refetch, text_of, visitor

pytestmark = pytest.mark.django_db
PEOPLE = "/t/acme/people/"
SCATTERED = ("John handles backend", "John owns the backend deploys", "John reviews backend changes")


@pytest.fixture
def client(acme: Team) -> Client:
    return visitor(acme.owner)


def tell(team: Team, value: str, *refs: str, **fields: Any) -> Memory:
    with tenant_scope(team.tenant):
        fields = {"importance": 2, "key": value.lower(), "entity_refs": refs, **fields}
        return remember(team, value, **fields).memory


def curate(team: Team) -> None:
    with tenant_scope(team.tenant):
        curate_person(tenant=team.tenant, person_id=team.person.pk, actor=JOB)


def pair(team: Team) -> MergeProposal:
    tell(team, "Makesh likes tea", "person:makesh")
    tell(team, "Mukesh runs", "person:mukesh")
    curate(team)
    with tenant_scope(team.tenant):
        return MergeProposal.objects.for_tenant(team.tenant).get()


def entity(team: Team, ref: str) -> Entity:
    with tenant_scope(team.tenant):
        return Entity.objects.for_tenant(team.tenant).select_related("merged_into").get(ref=ref)


def test_everyone_spoken_of_is_listed_with_their_card(acme: Team, client: Client) -> None:
    tell(acme, "John is my cofounder", "person:john")
    tell(acme, "John likes hiking", "person:john", importance=1)
    tell(acme, "Acme builds rockets", "org:acme", importance=1)

    page = text_of(client.get(PEOPLE))

    assert "J John John is my cofounder Person 2 facts" in page
    assert "likes hiking" not in page
    assert "Nothing important known yet Organisation 1 fact" in page


@pytest.mark.parametrize(
    ("kind", "shown"), [("person", ["John"]), ("org", ["Acme"]), ("nonsense", ["Acme", "John"])]
)
def test_the_list_shows_one_kind_alone(acme: Team, client: Client, kind: str, shown: list[str]) -> None:
    tell(acme, "John is my cofounder", "person:john")
    tell(acme, "Acme builds rockets", "org:acme")

    response = client.get(PEOPLE, {"type": kind})

    assert [line.entity.label for line in response.context["lines"]] == shown


def test_nobody_yet_says_how_somebody_comes(client: Client) -> None:
    assert "When alice speaks of somebody" in text_of(client.get(PEOPLE))


def test_pairs_that_may_be_one_wait_in_the_inbox(acme: Team, client: Client) -> None:
    pair(acme)

    page = client.get(PEOPLE)

    assert text_of(page).count("Person 1 fact") == 2
    assert "1 pair of names may be one." in text_of(page)
    assert "/t/acme/inbox/?kind=pair" in page.content.decode()


def test_a_longer_list_needs_no_more_queries(acme: Team, client: Client) -> None:
    pair(acme)
    few = count_queries(client, PEOPLE)
    for name in ("Anna", "Boris", "Carla", "Dimitri", "Elena", "Farid"):
        tell(acme, f"{name} is a friend", f"person:{name}")
        tell(acme, f"{name}n is a friend", f"person:{name}n")
    curate(acme)

    assert count_queries(client, PEOPLE) == few


def test_a_merged_name_is_split_again_and_leads_back_to_the_list(acme: Team, client: Client) -> None:
    pair(acme)
    makesh, mukesh = entity(acme, "person:makesh"), entity(acme, "person:mukesh")

    merged = client.post(f"{PEOPLE}{makesh.pk}/merge/", {"into": str(mukesh.pk)}, follow=True)

    assert "Makesh is now known as Mukesh." in text_of(merged)
    assert "Mukesh also Makesh" in text_of(client.get(PEOPLE))
    undone = client.post(f"{PEOPLE}{makesh.pk}/split/", {"view": "undo"}, **refetch())
    assert undone["HX-Redirect"].endswith(PEOPLE)
    assert entity(acme, "person:makesh").merged_into is None


def test_an_entitys_page_shows_its_facts_and_other_names(acme: Team, client: Client) -> None:
    tell(acme, "John is my cofounder", "person:john")
    pinned = tell(acme, "John likes hiking", "person:john", importance=0)
    tell(acme, "Ada paints", "person:ada")
    with tenant_scope(acme.tenant):
        pin_memory(tenant=acme.tenant, memory=pinned, actor=AGENT)

    response = client.get(f"{PEOPLE}{entity(acme, 'person:john').pk}/")

    values = [memory.value for memory in response.context["page"].object_list]
    assert values == ["John likes hiking", "John is my cofounder"]
    assert [other.label for other in response.context["others"]] == ["Ada"]


def test_names_are_merged_by_hand(acme: Team, client: Client) -> None:
    tell(acme, "Mom lives in Seattle", "person:mom")
    tell(acme, "Barbara paints", "person:barbara")
    mom, barbara = entity(acme, "person:mom"), entity(acme, "person:barbara")

    page = client.post(f"{PEOPLE}{mom.pk}/merge/", {"into": str(barbara.pk)}, follow=True)

    assert page.redirect_chain[-1][0] == f"{PEOPLE}{barbara.pk}/"
    assert "Mom person:mom Split off" in text_of(page)
    assert client.get(f"{PEOPLE}{mom.pk}/")["Location"] == f"{PEOPLE}{barbara.pk}/"


@pytest.mark.parametrize("into", ["", "nonsense", "0190a000-0000-7000-8000-000000000000"])
def test_merging_into_nobody_is_not_found(acme: Team, client: Client, into: str) -> None:
    tell(acme, "Mom lives in Seattle", "person:mom")

    response = client.post(f"{PEOPLE}{entity(acme, 'person:mom').pk}/merge/", {"into": into})

    assert response.status_code == 404


def test_what_is_not_possible_any_more_says_so(acme: Team, client: Client) -> None:
    tell(acme, "Mom lives in Seattle", "person:mom")

    page = client.post(f"{PEOPLE}{entity(acme, 'person:mom').pk}/split/", follow=True)

    assert "isn’t possible any more" in text_of(page).replace("'", "’")


def test_a_fold_is_shown_with_its_parts_and_taken_apart(acme: Team, client: Client) -> None:
    for value in SCATTERED:
        tell(acme, value, "person:john", source="extraction", importance=1, deduplicate=False)
    curate(acme)
    with tenant_scope(acme.tenant):
        fold = Fold.objects.for_tenant(acme.tenant).select_related("memory").get()
    for address in (
        PEOPLE,
        f"{PEOPLE}{entity(acme, 'person:john').pk}/",
        f"/t/acme/memories/{fold.memory_id}/",
    ):
        page = text_of(client.get(address))
        assert "Folded from 3 memories" in page
        assert "What it replaced" not in page, "they are named above it already"
        assert "John reviews backend changes" in page

    page = text_of(client.post(f"{PEOPLE}folds/{fold.pk}/undo/", follow=True))

    assert "Taken apart: 3 memories are back." in page
    assert "Folded from" not in page


def test_tidying_up_is_a_job(acme: Team, client: Client) -> None:
    assert "Not looked through yet" in text_of(client.get(PEOPLE))

    client.post(f"{PEOPLE}tidy/")

    with tenant_scope(acme.tenant):
        job = Job.objects.for_tenant(acme.tenant).get(kind="curate")
    assert job.person_id == acme.person.pk
    curate(acme)
    assert "Last looked through" in text_of(client.get(PEOPLE))


def test_another_persons_people_are_not_found(acme: Team, rival: Team) -> None:
    proposal = pair(acme)
    makesh = entity(acme, "person:makesh")
    with tenant_scope(acme.tenant):
        add_person(acme, "carol")
    stranger = visitor(rival.owner)
    neighbour = visitor(join(acme, "bob@acme.example", person="bob"))
    addresses = [
        (f"{PEOPLE}{makesh.pk}/merge/", {"into": str(makesh.pk)}),
        (f"{PEOPLE}{makesh.pk}/split/", {}),
        (f"{PEOPLE}folds/{proposal.pk}/undo/", {}),
    ]

    for client in (stranger, neighbour):
        assert client.get(f"{PEOPLE}{makesh.pk}/").status_code == 404
        assert {client.post(address, body).status_code for address, body in addresses} == {404}
    assert stranger.get(PEOPLE).status_code == 404
    assert neighbour.get(PEOPLE).context["lines"] == []

"""Two names of one entity: proposed once, merged by a person, and split again exactly as they were."""

from __future__ import annotations

from typing import Any

import pytest

from memories.curation.selectors import list_open_proposals
from memories.models import (
    AuditEntry,
    Entity,
    EntityMerge,
    Memory,
    MemoryEntity,
    MergeProposal,
    UnmergedRefs,
    Version,
)
from memories.people.cards import list_cards, list_entities
from memories.people.merge_proposals import propose_merges
from memories.people.merging import merge_entities, split_entity
from memories.storing.edit import update_memory
from nebo.errors import Conflict, InvalidInput
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.memories.conftest import AGENT, Call, remember

pytestmark = pytest.mark.django_db


def tell(team: Team, value: str, *refs: str, **fields: Any) -> Memory:
    return remember(team, value, key=value.lower(), entity_refs=refs, **fields).memory


def entity(team: Team, ref: str) -> Entity:
    return Entity.objects.for_tenant(team.tenant).get(person=team.person, ref=ref)


def merge(team: Team, ref: str, into: str) -> EntityMerge:
    return merge_entities(
        tenant=team.tenant,
        person=team.person,
        entity=entity(team, ref),
        into=entity(team, into),
        actor=AGENT,
    )


def split(team: Team, ref: str) -> EntityMerge:
    return split_entity(tenant=team.tenant, person=team.person, entity=entity(team, ref), actor=AGENT)


def propose(team: Team) -> list[tuple[str, str]]:
    propose_merges(tenant=team.tenant, person_id=team.person.pk)
    rows = list_open_proposals(tenant=team.tenant, person_id=team.person.pk).order_by("first__ref")
    return [(row.first.ref, row.second.ref) for row in rows]


def state(team: Team) -> dict[str, Any]:
    """Everything a merge could change: what each memory is about, its links, and which entities there are."""
    links = MemoryEntity.objects.for_tenant(team.tenant).values_list("memory__value", "entity__ref")
    rows = Memory.objects.for_tenant(team.tenant).values_list(
        "value", "entity_refs", "memory_key", "entity_label"
    )
    entities = Entity.objects.for_tenant(team.tenant).values_list("ref", "merged_into__ref")
    return {"links": sorted(links), "memories": sorted(rows), "entities": sorted(entities)}


# --- Proposals ---------------------------------------------------------------------------------------


def test_sound_alike_and_near_spelled_names_are_proposed_with_why(scope: Team) -> None:
    for name in ("Makesh", "Mukesh", "Jon", "John", "Katherine", "Catherine", "Berlin"):
        tell(scope, f"Knows {name}", f"person:{name}")

    assert propose(scope) == [
        ("person:catherine", "person:katherine"),
        ("person:john", "person:jon"),
        ("person:makesh", "person:mukesh"),
    ]
    makesh = MergeProposal.objects.for_tenant(scope.tenant).get(second=entity(scope, "person:mukesh"))
    assert makesh.evidence == {"sound": "mkx", "edits": 1, "similarity": 0.8333}


def test_types_people_and_dead_memories_are_kept_apart(scope: Team) -> None:
    tell(scope, "Knows Jon", "person:jon")
    tell(scope, "Works at John", "org:john")
    gone = tell(scope, "Knew John", "person:john")
    Memory.unscoped.filter(pk=gone.pk).update(status="deleted")

    assert propose(scope) == []


def test_two_that_one_memory_names_together_are_two(scope: Team) -> None:
    tell(scope, "Jon and John met in Oslo", "person:jon", "person:john")

    assert propose(scope) == []


def test_a_first_name_is_proposed_with_the_only_full_name_that_begins_so(scope: Team) -> None:
    tell(scope, "Priya leads the team", "person:priya")
    tell(scope, "Priya Raman is on leave", "person:priya_raman")
    tell(scope, "Jonas bakes", "person:jonas")
    tell(scope, "Jonas Falk paints", "person:jonas_falk")
    tell(scope, "Jonas Holm sails", "person:jonas_holm")

    assert propose_merges(tenant=scope.tenant, person_id=scope.person.pk) == 1
    (proposal,) = MergeProposal.objects.for_tenant(scope.tenant).select_related("first", "second")
    assert (proposal.first.ref, proposal.second.ref) == ("person:priya", "person:priya_raman")


def test_a_pair_is_proposed_once(scope: Team) -> None:
    tell(scope, "Knows Jon", "person:jon")
    tell(scope, "Knows John", "person:john")
    propose(scope)

    assert propose_merges(tenant=scope.tenant, person_id=scope.person.pk) == 0
    assert MergeProposal.objects.for_tenant(scope.tenant).count() == 1


def test_what_was_dismissed_is_never_proposed_again(acme: Team, call: Call) -> None:
    with tenant_scope(acme.tenant):
        tell(acme, "Knows Jon", "person:jon")
        tell(acme, "Knows John", "person:john")
        propose(acme)
    (proposal,) = call("GET", "users/alice/entities/proposals/").json()["results"]

    dismissed = call("POST", f"users/alice/entities/proposals/{proposal['id']}/dismiss/")

    assert dismissed.json()["status"] == "dismissed"
    with tenant_scope(acme.tenant):
        assert propose(acme) == []
        assert AuditEntry.unscoped.filter(action="proposal.dismissed").count() == 1


# --- Merging -----------------------------------------------------------------------------------------


def test_merged_memories_speak_of_one_entity(scope: Team) -> None:
    one = tell(scope, "Makesh likes tea", "person:makesh", "org:acme", importance=2)
    tell(scope, "Mukesh runs", "person:mukesh", importance=2)

    done = merge(scope, "person:makesh", "person:mukesh")

    one.refresh_from_db()
    assert one.entity_refs == ["person:mukesh", "org:acme"]
    assert done.memories == 1
    rows = list_entities(tenant=scope.tenant, person_id=scope.person.pk, refs=["person:Makesh"])
    (card,) = list_cards(tenant=scope.tenant, entities=list(rows))
    assert card.text == "[person:mukesh]: Mukesh runs; Makesh likes tea"
    last = Version.unscoped.filter(memory=one).order_by("-number").first()
    assert last is not None
    assert (last.action, last.reason) == ("merged", "Another name of person:mukesh.")
    assert AuditEntry.unscoped.filter(action="entity.merged").count() == 1


def test_what_is_said_under_the_old_name_later_is_known_of_the_other(scope: Team) -> None:
    tell(scope, "Makesh likes tea", "person:makesh")
    tell(scope, "Mukesh runs", "person:mukesh")
    merge(scope, "person:makesh", "person:mukesh")

    later = tell(scope, "Makesh sings", "person:makesh", memory_key="people|person|makesh|habit")
    again = remember(
        scope, "Makesh sings in a choir", key="other", memory_key="people|person|mukesh|habit"
    ).memory

    assert later.entity_refs == ["person:mukesh"]
    assert again.pk == later.pk
    assert not MemoryEntity.objects.for_tenant(scope.tenant).filter(entity__ref="person:makesh").exists()


def test_a_split_gives_everything_back_exactly(scope: Team) -> None:
    tell(scope, "Makesh likes tea", "person:makesh", "org:acme", memory_key="people|person|makesh|preference")
    tell(scope, "Mukesh runs", "person:mukesh")
    tell(scope, "Both sing", "person:mukesh", "person:makesh")
    before = state(scope)
    merge(scope, "person:makesh", "person:mukesh")
    assert state(scope) != before

    split(scope, "person:makesh")

    assert state(scope) == before
    assert not UnmergedRefs.objects.for_tenant(scope.tenant).exists()
    assert AuditEntry.unscoped.filter(action="entity.split").count() == 1


def test_a_split_also_gives_back_what_was_learned_under_the_name_meanwhile(scope: Team) -> None:
    tell(scope, "Makesh likes tea", "person:makesh")
    tell(scope, "Mukesh runs", "person:mukesh")
    merge(scope, "person:makesh", "person:mukesh")
    later = tell(scope, "Makesh sings", "person:makesh")
    theirs = tell(scope, "Mukesh cooks", "person:mukesh")

    split(scope, "person:makesh")

    later.refresh_from_db()
    theirs.refresh_from_db()
    assert (later.entity_refs, theirs.entity_refs) == (["person:makesh"], ["person:mukesh"])


def test_a_second_observation_under_the_other_name_does_not_blur_a_split(scope: Team) -> None:
    memory = tell(scope, "Makesh likes tea", "person:makesh")
    tell(scope, "Mukesh runs", "person:mukesh")
    merge(scope, "person:makesh", "person:mukesh")
    tell(scope, "Makesh likes tea", "person:mukesh")

    split(scope, "person:makesh")

    memory.refresh_from_db()
    assert (memory.entity_refs, memory.reinforced_count) == (["person:makesh"], 2)


def test_names_may_be_merged_in_a_chain_and_taken_apart_from_either_end(scope: Team) -> None:
    for name in ("mukes", "makesh", "mukesh"):
        tell(scope, f"{name} runs", f"person:{name}")
    before = state(scope)
    merge(scope, "person:mukes", "person:makesh")
    merge(scope, "person:makesh", "person:mukesh")
    assert {ref for _, ref in state(scope)["links"]} == {"person:mukesh"}

    split(scope, "person:mukes")
    assert {ref for _, ref in state(scope)["links"]} == {"person:mukesh", "person:mukes"}
    split(scope, "person:makesh")

    assert state(scope) == before


def test_what_a_person_changed_meanwhile_stays_changed(scope: Team) -> None:
    memory = tell(scope, "Makesh likes tea", "person:makesh")
    tell(scope, "Mukesh runs", "person:mukesh")
    merge(scope, "person:makesh", "person:mukesh")
    memory.refresh_from_db()
    update_memory(tenant=scope.tenant, memory=memory, changes={"entity_refs": ["person:sue"]}, actor=AGENT)

    split(scope, "person:makesh")

    memory.refresh_from_db()
    assert memory.entity_refs == ["person:sue"]


def test_a_pair_that_was_split_is_not_proposed_again(scope: Team) -> None:
    tell(scope, "Knows Jon", "person:jon")
    tell(scope, "Knows John", "person:john")
    merge(scope, "person:jon", "person:john")
    split(scope, "person:jon")

    assert propose(scope) == []


def test_only_two_of_one_type_that_stand_for_themselves_are_merged(scope: Team) -> None:
    tell(scope, "Knows them", "person:jon", "person:john", "org:john")
    with pytest.raises(InvalidInput):
        merge(scope, "person:jon", "org:john")
    with pytest.raises(InvalidInput):
        merge(scope, "person:jon", "person:jon")
    merge(scope, "person:jon", "person:john")

    with pytest.raises(Conflict):
        merge(scope, "person:jon", "person:john")
    with pytest.raises(Conflict):
        merge(scope, "person:john", "person:jon")
    with pytest.raises(Conflict):
        split(scope, "person:john")


# --- Over HTTP ---------------------------------------------------------------------------------------


def test_names_are_proposed_merged_and_split_by_api(acme: Team, call: Call) -> None:
    for name in ("Makesh", "Mukesh"):
        body = {"value": f"{name} is a friend", "entity_refs": [f"person:{name}"], "importance": 2}
        assert call("POST", "users/alice/memories/", body).status_code == 201
    call("POST", "users/alice/curation/")
    run_jobs(acme.tenant, kind="curate")
    (proposal,) = call("GET", "users/alice/entities/proposals/").json()["results"]

    merged = call("POST", f"users/alice/entities/proposals/{proposal['id']}/merge/", {"keep": "second"})

    assert (merged.json()["ref"], merged.json()["into"]) == ("person:makesh", "person:mukesh")
    (card,) = call("GET", "users/alice/entities/?ref=person:makesh").json()["results"]
    assert (card["ref"], len(card["facts"])) == ("person:mukesh", 2)
    assert call("GET", "users/alice/entities/proposals/").json()["results"] == []
    back = call("POST", "users/alice/entities/split/", {"ref": "person:makesh"})
    assert back.json()["split_at"] is not None
    assert len(call("GET", "users/alice/entities/").json()["results"]) == 2


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("entities/merge/", {"ref": "person:nobody", "into": "person:jon"}, 404),
        ("entities/merge/", {"ref": "nobody", "into": "person:jon"}, 400),
        ("entities/merge/", {"ref": "person:jon"}, 400),
        ("entities/split/", {"ref": "person:jon"}, 409),
        ("entities/split/", {"ref": "person:nobody"}, 404),
        ("entities/proposals/0190a000-0000-7000-8000-000000000000/merge/", {}, 404),
    ],
)
def test_what_cannot_be_merged_says_why(
    acme: Team, call: Call, path: str, body: dict[str, str], status: int
) -> None:
    with tenant_scope(acme.tenant):
        tell(acme, "Knows Jon", "person:jon")

    assert call("POST", f"users/alice/{path}", body).status_code == status


def test_another_persons_entities_are_out_of_reach(acme: Team, rival: Team, call: Call) -> None:
    with tenant_scope(rival.tenant):
        tell(rival, "Knows Jon", "person:jon")
        tell(rival, "Knows John", "person:john")
        propose(rival)
        theirs = MergeProposal.objects.for_tenant(rival.tenant).get().pk
    with tenant_scope(acme.tenant):
        tell(acme, "Knows Jon", "person:jon")

    answer = call("POST", f"users/alice/entities/proposals/{theirs}/merge/")

    assert answer.status_code == 404
    assert (
        call("POST", "users/alice/entities/merge/", {"ref": "person:john", "into": "person:jon"}).status_code
        == 404
    )

"""Many writers of one fact end with one memory, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, BoundedSemaphore

import pytest
from django.db import connections

from memories.curation.run import curate_person
from memories.models import AuditEntry, Entity, Fold, Memory, MemoryEntity, Observation, Version
from memories.people.merging import merge_entities, split_entity
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.memories.conftest import JOB, remember, say

WRITERS = 20
CROWD = 100  # writers that begin at one moment
CONNECTIONS = 32  # of them have one at a time, as behind a pool; the server has 100 for everyone

pytestmark = pytest.mark.usefixtures("committed_db")


def in_threads(work: Callable[[int], str]) -> list[str]:
    """Run `work` in as many threads as there are writers, each with a connection of its own."""

    def run(number: int) -> str:
        try:
            return work(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(WRITERS) as pool:
        return list(pool.map(run, range(WRITERS)))


def test_one_fact_from_many_writers_is_one_memory_with_every_observation(acme: Team) -> None:
    def write(number: int) -> str:
        with tenant_scope(acme.tenant):
            return remember(acme, "Prefers tea", key="tea").action

    actions = in_threads(write)

    with tenant_scope(acme.tenant):
        memory = Memory.objects.for_tenant(acme.tenant).get()
        assert sorted(actions) == ["created", *["reinforced"] * (WRITERS - 1)]
        assert memory.reinforced_count == WRITERS
        assert Observation.unscoped.filter(memory=memory).count() == WRITERS
        assert Version.unscoped.filter(memory=memory).count() == WRITERS
        assert AuditEntry.unscoped.filter(object_id=str(memory.pk)).count() == WRITERS
        person = UserProfile.objects.for_tenant(acme.tenant).get(pk=acme.person.pk)
        assert person.memory_version == WRITERS


def test_one_key_written_with_other_values_at_once_keeps_them_all_as_versions(acme: Team) -> None:
    def write(number: int) -> str:
        with tenant_scope(acme.tenant):
            return remember(acme, f"Lives at number {number}", key="home").action

    in_threads(write)

    with tenant_scope(acme.tenant):
        memory = Memory.objects.for_tenant(acme.tenant).get()
        said = set(Observation.unscoped.filter(memory=memory).values_list("value", flat=True))
        assert said == {f"Lives at number {number}" for number in range(WRITERS)}
        assert memory.version == WRITERS


def test_writers_that_also_store_messages_do_not_block_each_other_for_good(acme: Team) -> None:
    def write(number: int) -> str:
        with tenant_scope(acme.tenant):
            say(acme, f"Turn {number}", key=f"chat-{number}")
            return remember(acme, "Prefers tea", key="tea").action

    actions = in_threads(write)

    assert len(actions) == WRITERS


def in_a_crowd(work: Callable[[int], str]) -> list[str]:
    """Run `work` in a hundred threads that begin together, over connections of their own."""
    begin, free = Barrier(CROWD), BoundedSemaphore(CONNECTIONS)

    def run(number: int) -> str:
        begin.wait()
        with free:
            try:
                return work(number)
            finally:
                connections.close_all()

    with ThreadPoolExecutor(CROWD) as pool:
        return list(pool.map(run, range(CROWD)))


@pytest.mark.parametrize(
    ("value", "fields"),
    [
        ("Prefers tea", {}),  # the same fact
        ("Prefers tea number {n}", {"key": "tea"}),  # facts with the same key
        (
            "John is my cofounder, number {n}",
            {
                "key": "john-{n}",
                "memory_key": "people|person|john|relationship",
                "entity_refs": ("person:John",),
            },
        ),  # facts with the same memory key
    ],
    ids=["fact", "key", "memory-key"],
)
def test_a_hundred_writers_end_with_one_memory_and_a_hundred_observations(
    acme: Team, value: str, fields: dict[str, object]
) -> None:
    def write(number: int) -> str:
        own = {
            name: text.format(n=number) if isinstance(text, str) else text for name, text in fields.items()
        }
        with tenant_scope(acme.tenant):
            return remember(acme, value.format(n=number), **own).action

    actions = in_a_crowd(write)

    with tenant_scope(acme.tenant):
        memory = Memory.objects.for_tenant(acme.tenant).get()
        said = Observation.unscoped.filter(memory=memory).values_list("value", flat=True)
        assert sorted(said) == sorted(value.format(n=number) for number in range(CROWD))
        assert (actions.count("created"), memory.version) == (1, CROWD)
        assert Version.unscoped.filter(memory=memory).count() == CROWD
        assert AuditEntry.unscoped.filter(object_id=str(memory.pk)).count() == CROWD


def test_two_runs_of_curation_at_once_make_each_fold_once(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        for value in (
            "John handles backend",
            "John owns the backend deploys",
            "John reviews backend changes",
        ):
            about = {"entity_refs": ("person:john",), "entity_label": "John", "source": "extraction"}
            remember(acme, value, key=value, deduplicate=False, **about)

    counts = in_threads(
        lambda _: str(curate_person(tenant=acme.tenant, person_id=acme.person.pk, actor=JOB)["folded"])
    )

    with tenant_scope(acme.tenant):
        assert sum(int(count) for count in counts) == 3
        live = Memory.objects.for_tenant(acme.tenant).get(status="active")
        assert live.source == "curated_fold"
        assert Fold.objects.for_tenant(acme.tenant).count() == 1


def test_what_is_said_while_two_names_are_merged_and_split_is_not_lost(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        for name in ("makesh", "mukesh"):
            remember(acme, f"Knows {name}", key=name, entity_refs=(f"person:{name}",))
        entities = Entity.objects.for_tenant(acme.tenant)
        makesh, mukesh = entities.get(ref="person:makesh"), entities.get(ref="person:mukesh")

    def act(number: int) -> str:
        with tenant_scope(acme.tenant):
            if number == 7:
                merge_entities(tenant=acme.tenant, person=acme.person, entity=makesh, into=mukesh, actor=JOB)
                return "merged"
            refs = ("person:makesh",)
            return remember(acme, f"Makesh saw film {number}", key=f"f{number}", entity_refs=refs).action

    actions = in_threads(act)

    with tenant_scope(acme.tenant):
        assert sorted(set(actions)) == ["created", "merged"]
        links = MemoryEntity.objects.for_tenant(acme.tenant)
        assert set(links.values_list("entity__ref", flat=True)) == {"person:mukesh"}
        split_entity(tenant=acme.tenant, person=acme.person, entity=makesh, actor=JOB)
        assert links.filter(entity__ref="person:makesh").count() == WRITERS

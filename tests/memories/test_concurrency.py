"""Many writers of one fact end with one memory, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections

from memories.models import AuditEntry, Memory, Observation, Version
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.memories.conftest import remember, say

WRITERS = 20

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


def test_one_fact_from_many_writers_is_one_memory_with_every_sighting(acme: Team) -> None:
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

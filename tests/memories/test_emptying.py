"""Emptying the trash: what becomes of the words, and what a job does of it."""

from __future__ import annotations

import pytest

from memories.models import Memory
from memories.storing.edit import delete_memory
from nebo.jobs.models import Job
from nebo.tenants.scoping import tenant_scope
from sessions.models import Message
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.memories.conftest import AGENT, hear, remember
from tests.memories.test_list_page import EMPTY
from tests.visitors import text_of, visitor


@pytest.mark.parametrize("words, kept", [("hidden", True), ("redacted", False)])
def test_the_words_stay_hidden_or_go_too(committed_db: None, acme: Team, words: str, *, kept: bool) -> None:
    with tenant_scope(acme.tenant):
        (memory,) = hear(acme, "I'm allergic to walnuts.")
        delete_memory(tenant=acme.tenant, memory=memory, actor=AGENT)
    client = visitor(acme.owner)
    assert "They rest on one passage" in text_of(client.get(EMPTY))

    client.post(EMPTY, {"words": words, "sure": "on"})
    run_jobs(acme.tenant)

    with tenant_scope(acme.tenant):
        (message,) = Message.objects.for_tenant(acme.tenant)
    assert ("walnuts" in message.content) == kept
    assert "walnuts" not in message.words


def test_more_than_one_can_wait_for_is_left_to_a_job(
    committed_db: None, acme: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memories.pages.trash.AT_ONCE", 2)
    with tenant_scope(acme.tenant):
        for n in range(5):
            memory = remember(acme, f"Knows number {n}", key=f"n-{n}").memory
            delete_memory(tenant=acme.tenant, memory=memory, actor=AGENT)
    client = visitor(acme.owner)

    page = client.post(EMPTY, {"words": "hidden", "sure": "on"}, follow=True)

    assert "The rest follows within minutes" in text_of(page)
    with tenant_scope(acme.tenant):
        later = remember(acme, "Deleted afterwards", key="later").memory
        delete_memory(tenant=acme.tenant, memory=later, actor=AGENT)
    for _ in range(2):
        run_jobs(acme.tenant)
    with tenant_scope(acme.tenant):
        assert list(Memory.objects.for_tenant(acme.tenant)) == [later]
        assert not Job.objects.for_tenant(acme.tenant).filter(kind="empty-trash").exclude(state="succeeded")

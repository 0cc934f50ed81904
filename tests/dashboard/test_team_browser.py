"""Sharing a memory with the team in a real browser: what one reads before, the button, and back from the list."""

from __future__ import annotations

import pytest

from memories.models import Memory
from nebo.product.governance.services.tenant_settings import change_settings
from nebo.tenants.actor import Actor
from nebo.tenants.scoping import tenant_scope
from tests.chromium import DESK, PHONE, prefer, resize, sideways, wait_for
from tests.conftest import Team
from tests.dashboard.conftest import Browser
from tests.memories.conftest import remember

pytestmark = pytest.mark.browser


@pytest.fixture
def memory(browser: Browser, acme: Team) -> Memory:
    """A memory in front of its person, where the team's policy has team memory."""
    with tenant_scope(acme.tenant):
        change_settings(tenant=acme.tenant, changes={"team_memory": True}, actor=Actor("operator", "test"))
        kept = remember(acme, "Billing runs on Postgres 16.", key="billing").memory
    browser.sign_in("owner@acme.example")
    browser.open(f"/t/acme/memories/{kept.pk}/")
    return kept


def is_shared(memory: Memory) -> bool:
    with tenant_scope(memory.tenant_id):
        return Memory.objects.for_tenant(memory.tenant_id).get(pk=memory.pk).is_shared


@pytest.mark.parametrize(("width", "scheme"), [(PHONE, "light"), (DESK, "dark")])
def test_a_memory_is_shared_and_taken_back(browser: Browser, memory: Memory, width: int, scheme: str) -> None:
    prefer(browser.driver, scheme)
    resize(browser.driver, width)
    browser.driver.refresh()

    browser.click("details.share summary")
    asked, wide = browser.text("details.share form"), sideways(browser.driver)
    browser.click("form[action$='/share/'] button")
    wait_for(lambda: "Shared with the team" in browser.text(".note"))
    shared = is_shared(memory)
    browser.open("/t/acme/memories/team/")
    listed = browser.text(".rows"), sideways(browser.driver)
    browser.click("form[action$='/take-back/'] button")
    wait_for(lambda: "Nothing is shared" in browser.text(".empty"))

    assert "exactly these words, with your name" in asked
    assert (shared, is_shared(memory)) == (True, False)
    assert "Billing runs on Postgres 16." in listed[0]
    assert (wide, listed[1]) == (0, 0)
    assert browser.complaints() == []

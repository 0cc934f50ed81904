"""Marking a memory in a real browser: the button, what the page says then, and the way back from the toast."""

from __future__ import annotations

import pytest

from memories.models import Memory
from nebo.tenants.scoping import tenant_scope
from tests.chromium import DESK, PHONE, prefer, resize, sideways, wait_for
from tests.conftest import Team
from tests.dashboard.conftest import Browser
from tests.memories.conftest import remember

pytestmark = pytest.mark.browser


@pytest.fixture
def memory(browser: Browser, acme: Team) -> Memory:
    """A memory, and its page in front of its person."""
    with tenant_scope(acme.tenant):
        kept = remember(acme, "Is allergic to penicillin", key="allergy").memory
    browser.sign_in("owner@acme.example")
    browser.open(f"/t/acme/memories/{kept.pk}/")
    return kept


def status_of(memory: Memory) -> str:
    with tenant_scope(memory.tenant_id):
        return Memory.objects.for_tenant(memory.tenant_id).get(pk=memory.pk).status


@pytest.mark.parametrize(
    ("address", "status", "note", "width", "scheme"),
    [
        ("wrong", "wrong", "Marked wrong", PHONE, "light"),
        ("never-mention", "unmentioned", "Only you see it here", DESK, "dark"),
    ],
)
def test_a_memory_is_marked_and_the_toast_takes_it_back(
    browser: Browser, memory: Memory, address: str, status: str, note: str, width: int, scheme: str
) -> None:
    prefer(browser.driver, scheme)
    resize(browser.driver, width)
    browser.driver.refresh()

    if address == "wrong":  # its reason is asked for first
        browser.click("details.wrong summary")
    browser.click(f"form[action$='/{address}/'] button")
    wait_for(lambda: note in browser.text(".note"))
    marked, wide = status_of(memory), sideways(browser.driver)
    browser.click(".toast .button")
    wait_for(lambda: status_of(memory) == "active")

    assert (marked, wide) == (status, 0)

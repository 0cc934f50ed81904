"""The list of memories and the page of one in a real browser: many at once, by keyboard, back, without scripts."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from memories.models import Memory
from memories.storing.edit import delete_memory
from nebo.tenants.scoping import tenant_scope
from tests.chromium import DESK, PHONE, prefer, resize, sideways, wait_for
from tests.conftest import Team
from tests.dashboard.conftest import KNOWN, Browser
from tests.memories.conftest import AGENT, remember

pytestmark = pytest.mark.browser
CELLO, BICYCLE, BREAD = KNOWN
NEWEST_FIRST = [BREAD, BICYCLE, CELLO]
VALUES = ".memory-value"


def memory_of(team: Team, value: str) -> Memory:
    with tenant_scope(team.tenant):
        return Memory.objects.for_tenant(team.tenant).get(value=value)


def box(memory: Memory) -> str:
    return f"#memory-{memory.pk} [data-pick]"


def ticked(browser: Browser) -> int:
    return int(
        browser.driver.execute_script("return document.querySelectorAll('[data-pick]:checked').length")
    )


def test_many_are_deleted_at_once_and_come_back(browser: Browser, known: Team) -> None:
    browser.click(box(memory_of(known, BREAD)))
    shift = ActionChains(browser.driver).key_down(Keys.SHIFT)
    shift.click(browser.find(box(memory_of(known, CELLO)))).key_up(Keys.SHIFT).perform()
    wait_for(lambda: browser.text("[data-picked]") == "3 selected")

    browser.click("#bulk [value=delete]")

    wait_for(lambda: "Moved 3 memories to the trash." in browser.text("#toasts"))
    browser.await_texts(VALUES, [])
    browser.click(".toast form button")
    wait_for(lambda: sorted(browser.texts(VALUES)) == sorted(KNOWN))


def test_the_list_is_worked_through_by_keyboard(browser: Browser, known: Team) -> None:
    browser.press("j", "x", "j", "x")
    wait_for(lambda: ticked(browser) == 2)
    browser.press(Keys.ESCAPE)
    wait_for(lambda: ticked(browser) == 0)

    browser.press("k", "p")
    bread = memory_of(known, BREAD)
    wait_for(lambda: browser.attribute(f"#pin-{bread.pk}", "aria-pressed") == "true")
    browser.press("e")
    wait_for(lambda: browser.focused() == f"memory-{bread.pk}-value")
    browser.press(Keys.ESCAPE)
    browser.await_texts(VALUES, NEWEST_FIRST)

    browser.press("j", "#")
    wait_for(lambda: len(browser.texts(VALUES)) == 2)
    wait_for(lambda: "Moved to the trash" in browser.text("#toasts"))
    browser.press("u")
    wait_for(lambda: len(browser.texts(VALUES)) == 3)

    browser.press("?")
    wait_for(lambda: "Next, previous memory" in browser.text("#keys"))
    browser.press(Keys.ESCAPE)


def test_back_goes_back_choice_by_choice(browser: Browser, known: Team) -> None:
    browser.click("label[for=pinned]")
    browser.await_texts(VALUES, [])
    browser.click("label[for=pinned]")
    browser.await_texts(VALUES, NEWEST_FIRST)
    browser.write("#q", "cello")
    browser.await_texts(VALUES, [CELLO])

    browser.driver.back()
    browser.await_texts(VALUES, NEWEST_FIRST)
    assert browser.attribute("#q", "value") == ""
    browser.driver.back()
    browser.await_texts(VALUES, [])
    assert browser.driver.current_url.endswith("?pinned=true")


def test_from_a_memory_one_comes_back_to_the_search(browser: Browser, known: Team) -> None:
    browser.write("#q", "cello")
    browser.await_texts(VALUES, [CELLO])
    wait_for(lambda: browser.driver.current_url.endswith("?q=cello"))
    browser.click(VALUES)
    wait_for(lambda: browser.text("h1") == CELLO)
    assert browser.attribute("[data-back-to-list]", "href").endswith("?q=cello")

    browser.driver.back()

    browser.await_texts(VALUES, [CELLO])
    assert browser.attribute("#q", "value") == "cello"


def test_what_lies_in_the_trash_goes_for_good_after_a_question(browser: Browser, known: Team) -> None:
    with tenant_scope(known.tenant):
        for memory in Memory.objects.for_tenant(known.tenant):
            delete_memory(tenant=known.tenant, memory=memory, actor=AGENT)
    browser.open("/t/acme/memories/trash/")
    browser.click(box(memory_of(known, BREAD)))
    browser.click("button[form=remove]")
    wait_for(lambda: browser.texts("main .rows .row-link") == [BREAD])
    browser.click("#id_sure")
    browser.click("main form button[type=submit]")

    wait_for(lambda: "Removed 1 memory for good." in browser.text("#toasts"))
    assert sorted(browser.texts(VALUES)) == sorted([BICYCLE, CELLO])
    browser.click(f"#memory-{memory_of(known, CELLO).pk} button")
    browser.await_texts(VALUES, [BICYCLE])


def test_without_scripts_many_are_changed_and_one_is_added(browser: Browser, known: Team) -> None:
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.open("/t/acme/memories/")
        browser.click(box(memory_of(known, BREAD)))
        browser.click("#bulk [value=archive]")
        browser.await_texts(VALUES, [BICYCLE, CELLO])
        browser.click(".toast form button")
        wait_for(lambda: memory_of(known, BREAD).status == "active")
        browser.open("/t/acme/memories/add/")
        browser.write("#id_value", "Prefers trains")
        browser.click("main form button[type=submit]")
        wait_for(lambda: browser.text("h1") == "Prefers trains")
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_no_page_is_wider_than_a_window(browser: Browser, known: Team) -> None:
    with tenant_scope(known.tenant):
        memory = remember(known, "supercalifragilistic" * 20, key="k" * 128, tags=("t" * 64,)).memory
        gone = remember(known, "floccinaucinihilipilification" * 20).memory
        delete_memory(tenant=known.tenant, memory=gone, actor=AGENT)
    pages = ["", "?density=compact", "?density=roomy&sort=words", "add/", "trash/", "trash/empty/"]
    pages += [f"{memory.pk}/", f"{memory.pk}/forget/"]

    for width in (PHONE, DESK):
        resize(browser.driver, width)
        for scheme in ("light", "dark"):
            prefer(browser.driver, scheme)
            for page in pages:
                browser.open(f"/t/acme/memories/{page}")
                assert sideways(browser.driver) <= 0, (page, width)
    resize(browser.driver, DESK)

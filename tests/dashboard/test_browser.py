"""The pages in a real browser: with a mouse, with the keyboard alone, on a phone, without scripts."""

from __future__ import annotations

import subprocess

import pytest
from selenium.webdriver.common.keys import Keys

from memories.models import Memory
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import issue_key
from tests.chromium import PHONE, prefer, resize, sideways, wait_for
from tests.conftest import Team
from tests.dashboard.conftest import KNOWN, Browser
from tests.memories.conftest import remember, say
from tests.visitors import add_person

pytestmark = pytest.mark.browser
CELLO, BICYCLE, BREAD = KNOWN
NEWEST_FIRST = [BREAD, BICYCLE, CELLO]
VALUES = ".memory-value"


def memory_of(team: Team, value: str) -> Memory:
    with tenant_scope(team.tenant):
        return Memory.objects.for_tenant(team.tenant).get(value=value)


def row(memory: Memory, button: str) -> str:
    return f"#{button}-{memory.pk}"


def test_signing_in_leads_home(browser: Browser, acme: Team) -> None:
    browser.sign_in_by_form("owner@acme.example")

    assert browser.driver.current_url == f"{browser.address}/t/acme/"
    assert browser.text("h1") == "Connect your first agent"


def test_a_wrong_password_says_so(browser: Browser, acme: Team) -> None:
    browser.open("/accounts/login/")
    browser.write("[name=login]", "owner@acme.example")
    browser.write("[name=password]", "wrong", Keys.ENTER)

    wait_for(lambda: "not correct" in browser.text("main"))


def test_the_list_follows_as_one_types(browser: Browser, known: Team) -> None:
    assert browser.texts(VALUES) == NEWEST_FIRST
    browser.driver.execute_script("window.same = true")

    browser.write("#q", "cel")

    browser.await_texts(VALUES, [CELLO])
    assert browser.driver.current_url.endswith("/t/acme/memories/?q=cel")
    assert browser.focused() == "q"
    browser.write("#q", Keys.BACKSPACE * 3)
    browser.await_texts(VALUES, NEWEST_FIRST)
    assert browser.driver.execute_script("return window.same"), "the page itself was not left"


def test_filters_narrow_the_list(browser: Browser, known: Team) -> None:
    browser.click("label[for=pinned]")

    wait_for(lambda: browser.texts(VALUES) == [] and "Nothing matches" in browser.text("#results"))
    assert browser.driver.current_url.endswith("?pinned=true")


def test_a_pin_stays(browser: Browser, known: Team) -> None:
    memory = memory_of(known, BICYCLE)

    browser.click(row(memory, "pin"))
    wait_for(lambda: browser.attribute(row(memory, "pin"), "aria-pressed") == "true")

    browser.driver.refresh()
    assert browser.attribute(row(memory, "pin"), "aria-pressed") == "true"


def test_a_row_is_corrected_in_its_place(browser: Browser, known: Team) -> None:
    memory = memory_of(known, BICYCLE)
    browser.click(row(memory, "edit"))
    wait_for(lambda: browser.focused() == f"memory-{memory.pk}-value")

    browser.write(f"#memory-{memory.pk}-value", Keys.CONTROL, "a")
    browser.write(f"#memory-{memory.pk}-value", Keys.BACKSPACE)
    browser.click(f"#memory-{memory.pk} button[type=submit]")
    wait_for(lambda: "This field is required." in browser.text(f"#memory-{memory.pk}"))
    wait_for(lambda: browser.focused() == f"memory-{memory.pk}-value")  # the first wrong field

    browser.write(f"#memory-{memory.pk}-value", "Owns a red bicycle")
    browser.click(f"#memory-{memory.pk} button[type=submit]")
    browser.await_texts(VALUES, [BREAD, "Owns a red bicycle", CELLO])
    wait_for(lambda: "Saved." in browser.text("#toasts"))
    browser.expected.append("422")


def test_a_correction_can_be_left_alone(browser: Browser, known: Team) -> None:
    memory = memory_of(known, BICYCLE)
    browser.click(row(memory, "edit"))
    browser.write(f"#memory-{memory.pk}-value", " and a unicycle")

    browser.click(f"#memory-{memory.pk} .button-plain")

    browser.await_texts(VALUES, NEWEST_FIRST)


def test_what_was_deleted_comes_back_with_undo(browser: Browser, known: Team) -> None:
    browser.click(row(memory_of(known, BICYCLE), "trash"))
    browser.await_texts(VALUES, [BREAD, CELLO])
    wait_for(lambda: browser.texts(".result-head p") == ["2 memories"])
    assert BICYCLE in browser.text(".toast")

    browser.click(".toast form button")

    wait_for(lambda: sorted(browser.texts(VALUES)) == sorted(NEWEST_FIRST))
    assert memory_of(known, BICYCLE).status == "active"


def test_the_keyboard_alone_is_enough(browser: Browser, known: Team) -> None:
    bread, bicycle = memory_of(known, BREAD), memory_of(known, BICYCLE)
    browser.press("/")
    assert browser.focused() == "q"

    browser.tab_to(f"#pin-{bread.pk}")
    browser.press(Keys.ENTER)
    wait_for(lambda: browser.attribute(row(bread, "pin"), "aria-pressed") == "true")
    wait_for(lambda: browser.focused() == f"pin-{bread.pk}")

    browser.tab_to(f"#trash-{bread.pk}")
    browser.press(Keys.ENTER)
    browser.await_texts(VALUES, [BICYCLE, CELLO])
    wait_for(lambda: browser.driver.switch_to.active_element.text == BICYCLE)

    browser.press(Keys.ENTER)
    wait_for(lambda: browser.driver.current_url.endswith(f"/memories/{bicycle.pk}/"))


def test_the_first_tab_leads_past_the_navigation(browser: Browser, known: Team) -> None:
    assert browser.tab_to("a", within=1).text == "Skip to content"

    browser.press(Keys.ENTER)

    wait_for(lambda: browser.focused() == "main")


def test_one_changes_between_ones_people_with_the_menu(browser: Browser, known: Team) -> None:
    add_person(known, "bob", login=known.owner)
    browser.driver.refresh()

    browser.click(".menu summary")
    browser.click("//a[contains(@class, 'menu-item')][contains(., 'bob')]")

    wait_for(lambda: "What agents know about bob" in browser.text(".page-head"))
    assert browser.driver.current_url.endswith("/t/acme/p/bob/memories/")
    assert browser.texts(VALUES) == []


def test_without_scripts_everything_still_works(browser: Browser, known: Team) -> None:
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.open("/t/acme/memories/")
        browser.write("#q", "bicycle", Keys.ENTER)
        browser.await_texts(VALUES, [BICYCLE])
        browser.click(row(memory_of(known, BICYCLE), "pin"))
        wait_for(lambda: browser.attribute(row(memory_of(known, BICYCLE), "pin"), "aria-pressed") == "true")
        assert "/memories/?q=bicycle&" in browser.driver.current_url
        browser.click(row(memory_of(known, BICYCLE), "trash"))
        browser.click(".toast form button")
        wait_for(lambda: memory_of(known, BICYCLE).status == "active")
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_no_page_is_wider_than_a_phone(browser: Browser, known: Team) -> None:
    with tenant_scope(known.tenant):
        (said,) = say(known, "supercalifragilistic" * 20, key="a-very-long-key-without-a-break" * 4)
        memory = remember(
            known, "supercalifragilisticexpialidocious" * 8, key="k" * 128, tags=("t" * 64,)
        ).memory
    pages = ["", "memories/", f"memories/{memory.pk}/", f"memories/{memory.pk}/edit/", "sessions/"]
    pages += [f"sessions/{said.session_id}/", "jobs/", "missing/"]
    browser.expected.append("404")
    resize(browser.driver, PHONE)

    for scheme in ("light", "dark"):
        prefer(browser.driver, scheme)
        for page in pages:
            browser.open(f"/t/acme/{page}")
            assert sideways(browser.driver) <= 0, page


def test_a_login_that_ended_while_one_typed_leads_to_the_login_and_back(
    browser: Browser, known: Team
) -> None:
    browser.driver.delete_cookie("sessionid")

    browser.write("#q", "cello")

    wait_for(lambda: "/accounts/login/" in browser.driver.current_url)
    browser.write("[name=login]", "owner@acme.example")
    browser.write("[name=password]", "correct horse battery", Keys.ENTER)
    wait_for(lambda: browser.driver.current_url.endswith("/t/acme/memories/"))


def test_what_was_said_does_nothing_on_a_page(browser: Browser, known: Team) -> None:
    with tenant_scope(known.tenant):
        (said,) = say(
            known, "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
        )
        remember(known, "<svg onload=\"document.title='owned'\">{{ 7*7 }}")

    for page in ("memories/", f"sessions/{said.session_id}/", ""):
        browser.open(f"/t/acme/{page}")
        assert browser.driver.title != "owned"  # it may well be quoted in it


def test_the_lines_on_home_work_when_pasted_and_the_page_turns_green(
    browser: Browser, acme: Team, settings: object
) -> None:
    settings.BASE_URL = browser.address
    with tenant_scope(acme.tenant):
        key = issue_key(tenant=acme.tenant).secret
    browser.sign_in("owner@acme.example")
    browser.open("/t/acme/")
    assert browser.text("#first-call h2") == "Waiting for your first call"
    turn, search = (browser.text(f"#{code}") for code in ("code-turn", "code-search"))

    done = subprocess.run(
        ["bash", "-euc", f"{turn}\necho\n{search}"],
        env={"NEBO_KEY": key, "PATH": "/usr/local/bin:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    assert "I live in Lisbon" in done.stdout
    wait_for(lambda: browser.texts("#first-call h2") == ["Your first call arrived"])

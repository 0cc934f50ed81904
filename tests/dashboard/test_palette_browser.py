"""The command palette in a real browser: opened by keyboard, narrowed, followed, and closed again."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from tests.chromium import DESK, PHONE, prefer, resize, sideways, wait_for
from tests.conftest import Team
from tests.dashboard.conftest import KNOWN, Browser

pytestmark = pytest.mark.browser
CHOSEN = "#palette-list [aria-selected=true] span"
OPTIONS = "#palette-list [role=option] span"


def press_ctrl_k(browser: Browser) -> None:
    ActionChains(browser.driver).key_down(Keys.CONTROL).send_keys("k").key_up(Keys.CONTROL).perform()


def open_palette(browser: Browser) -> None:
    press_ctrl_k(browser)
    wait_for(lambda: browser.focused() == "palette-field")


def is_at(browser: Browser, ending: str) -> bool:
    return str(browser.driver.current_url).endswith(ending)


@pytest.mark.parametrize(("width", "scheme"), [(DESK, "light"), (PHONE, "dark")])
def test_it_goes_to_what_the_menus_link_to(browser: Browser, known: Team, width: int, scheme: str) -> None:
    prefer(browser.driver, scheme)
    resize(browser.driver, width)
    links = (
        "return new Set([...document.querySelectorAll('.shell-nav a, .shell-who a')].map(a => a.href)).size"
    )
    open_palette(browser)
    assert len(browser.texts(OPTIONS)) == browser.driver.execute_script(links)
    assert sideways(browser.driver) == 0

    browser.press("audit")
    browser.await_texts(OPTIONS, ["Audit log", "Search memories for “audit”"])
    assert browser.text(CHOSEN) == "Audit log"
    browser.press(Keys.ENTER)

    wait_for(lambda: is_at(browser, "/t/acme/audit/"))


def test_it_searches_memories(browser: Browser, known: Team) -> None:
    browser.open("/t/acme/jobs/")
    open_palette(browser)
    browser.press("green bicycle & more")
    browser.await_texts(OPTIONS, ["Search memories for “green bicycle & more”"])
    browser.press(Keys.ENTER)

    wait_for(lambda: is_at(browser, "/t/acme/memories/?q=green+bicycle+%26+more"))
    wait_for(lambda: browser.attribute("[data-search]", "value") == "green bicycle & more")
    assert KNOWN[1] in browser.texts(".memory-value")


def test_what_belongs_to_nobody_stands_under_no_heading(browser: Browser, known: Team) -> None:
    open_palette(browser)
    browser.press("reference")

    browser.await_texts(OPTIONS, ["API reference", "Search memories for “reference”"])
    assert browser.texts("#palette-list small") == []


def test_on_a_mac_it_is_called_by_that_key(browser: Browser, known: Team) -> None:
    as_mac = {"source": "Object.defineProperty(navigator, 'platform', {get: () => 'MacIntel'})"}
    made = browser.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", as_mac)
    browser.open("/t/acme/")

    keys = "return [...document.querySelectorAll('[data-open-palette] kbd')].map(one => one.textContent)"
    wait_for(lambda: browser.driver.execute_script(keys) == ["⌘K"])

    browser.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", made)


def test_arrows_choose_and_escape_gives_the_focus_back(browser: Browser, known: Team) -> None:
    browser.press("/")
    search = browser.driver.switch_to.active_element
    open_palette(browser)
    first, second, *_, last = browser.texts(OPTIONS)

    for key, chosen in ((Keys.ARROW_DOWN, second), (Keys.ARROW_UP, first), (Keys.ARROW_UP, last)):
        browser.press(key)
        assert browser.text(CHOSEN) == chosen
        described = browser.attribute("#palette-field", "aria-activedescendant")
        assert browser.text(f"#{described} span") == chosen
    browser.press(Keys.ESCAPE)

    wait_for(lambda: browser.driver.switch_to.active_element == search)
    assert browser.driver.find_elements("css selector", "#palette[open]") == []


def test_it_opens_from_the_menu_and_gives_the_focus_back_to_it(browser: Browser, known: Team) -> None:
    browser.click(".shell-who details:last-child > summary")
    browser.click("[data-open-palette]")
    wait_for(lambda: browser.focused() == "palette-field")

    browser.click("[data-close-palette]")

    wait_for(lambda: browser.driver.switch_to.active_element.tag_name == "summary")

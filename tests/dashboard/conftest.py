"""A real Chromium before the real pages, and Maya's memories behind them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from django.conf import settings
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement

from nebo.tenants.models import User
from nebo.tenants.scoping import tenant_scope
from tests.chromium import DESK, chromium, complaints, is_here, prefer, resize, settled, sign_in, wait_for
from tests.conftest import Team
from tests.live_server import live_server
from tests.memories.conftest import remember
from tests.visitors import visitor

PASSWORD = "correct horse battery"
KNOWN = ("Plays the cello on Sundays", "Owns a green bicycle", "Bakes bread with rye")


@dataclass
class Browser:
    """What a person does, in few words."""

    driver: WebDriver
    address: str
    expected: list[str] = field(default_factory=list)  # pieces of complaints a test means to cause

    def open(self, page: str) -> None:
        self.driver.get(f"{self.address}{page}")

    def sign_in(self, email: str) -> None:
        """With a cookie, since most tests are about what comes after the form; the next page opened is theirs."""
        session = visitor(User.objects.get(email=email)).cookies[settings.SESSION_COOKIE_NAME]
        cookie = {"name": session.key, "value": session.value, "url": self.address, "httpOnly": True}
        self.driver.execute_cdp_cmd("Network.setCookie", cookie)

    def sign_in_by_form(self, email: str) -> None:
        """As a person does; the page it leads to is open then."""
        sign_in(self.driver, self.address, email, PASSWORD)

    def find(self, selector: str) -> WebElement:
        """The element, once it is there; by CSS, or by XPath where it begins with two slashes."""
        by = By.XPATH if selector.startswith("//") else By.CSS_SELECTOR
        return wait_for(lambda: next(iter(self.driver.find_elements(by, selector)), None))

    def click(self, selector: str) -> None:
        """On the element, once it is there; on the new one where it is exchanged just then."""
        settled(lambda: self.find(selector).click())

    def write(self, selector: str, *keys: str) -> None:
        """Into the element, once it is there."""
        settled(lambda: self.find(selector).send_keys(*keys))

    def text(self, selector: str) -> str:
        """Of the element, once it is there."""
        return settled(lambda: self.find(selector).text)

    def attribute(self, selector: str, name: str) -> str:
        """Of the element, once it is there; empty where it has none."""
        return settled(lambda: self.find(selector).get_attribute(name)) or ""

    def texts(self, selector: str) -> list[str]:
        """Of all that are there now."""
        return settled(
            lambda: [element.text for element in self.driver.find_elements(By.CSS_SELECTOR, selector)]
        )

    def await_texts(self, selector: str, wanted: list[str]) -> None:
        wait_for(lambda: self.texts(selector) == wanted)

    def press(self, *keys: str) -> None:
        """Keys to whatever has the focus."""
        for key in keys:
            settled(lambda key=key: self.driver.switch_to.active_element.send_keys(key))

    def tab_to(self, selector: str, *, within: int = 40) -> WebElement:
        """With the Tab key alone."""
        for _ in range(within):
            self.press(Keys.TAB)
            if focused := settled(lambda: self._focused_one_of(selector)):
                return focused
        raise AssertionError(f"{selector} is not reached with Tab")

    def _focused_one_of(self, selector: str) -> WebElement | None:
        focused = self.driver.switch_to.active_element
        return focused if focused in self.driver.find_elements(By.CSS_SELECTOR, selector) else None

    def focused(self) -> str:
        """The id of the element with the focus."""
        return str(settled(lambda: self.driver.execute_script("return document.activeElement.id")))

    def complaints(self) -> list[str]:
        return [line for line in complaints(self.driver) if not any(piece in line for piece in self.expected)]


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    """One Chromium for all tests. Where CI says so, a missing one is a failure."""
    if not is_here() and not os.environ.get("CI"):
        pytest.skip("there is no chromium with chromedriver on this machine")
    person: Path = tmp_path_factory.mktemp("chromium")
    with chromium(person) as started:
        yield started


@pytest.fixture
def browser(driver: WebDriver, committed_db: None) -> Iterator[Browser]:
    """At desk size, signed in nowhere; in the end its console must have stayed silent."""
    with live_server() as address:
        resize(driver, DESK)
        prefer(driver, "light")
        complaints(driver)
        one = Browser(driver, address)
        yield one
        said = one.complaints()
        driver.delete_all_cookies()
        driver.get("about:blank")  # nothing polls any more
    assert said == []


@pytest.fixture
def known(browser: Browser, acme: Team) -> Team:
    """Three memories, and their person signed in before the list."""
    with tenant_scope(acme.tenant):
        for value in KNOWN:
            remember(acme, value)
    browser.sign_in("owner@acme.example")
    browser.open("/t/acme/memories/")
    return acme

"""axe-core over every page and what opens on it, light and dark, at 390 and 1280 pixels, from a running Nebo with data.

    python -m tests.axe http://127.0.0.1:8000 axe.min.js demo@nebo.local PASSWORD [OPERATOR PASSWORD]

The file is that of the npm package axe-core; nothing is fetched. Each page is loaded once and looked at as it comes,
with all on it unfolded, and with each dialog; some also with what a form or a row answers. An operator's login, the
same or a second one, has the admin site looked at, too. What can't be looked at counts as a fault and doesn't end the
run. Ends with 1 where a page breaks a rule; takes some six minutes.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from urllib3.exceptions import HTTPError

from tests.chromium import DESK, PHONE, chromium, prefer, resize, sign_in, wait_for
from tests.screenshots import list_pages

TRIES = 3  # a part of a page that is exchanged meanwhile takes what runs in it along
SHOWN = 4  # places of a fault that are named
PAGES_A_BROWSER = 25  # then a fresh one, as its memory grows
STRANGERS = (
    "", "accounts/login/", "accounts/signup/", "accounts/password/reset/", "accounts/2fa/", "docs/api/", "join/",
    "t/nowhere/", "admin/login/",
)  # fmt: skip
# A colour on its way from light to dark is neither.
STILL = """
var still = new CSSStyleSheet();
still.replaceSync('*, *::before, *::after { transition: none !important; animation: none !important }');
document.adoptedStyleSheets.push(still);
"""
RUN = """
axe.run(document).then(found => JSON.stringify({
  passes: found.passes.length,
  violations: found.violations.map(one => [one.id, one.nodes.map(node => node.target.join(' '))]),
}))
"""
UNFOLD = "for (const one of document.querySelectorAll('details')) one.open = true"
DIALOGS = "return [...document.querySelectorAll('dialog')].map(one => one.id)"
SHOW = "for (const one of document.querySelectorAll('dialog[open]')) one.close();"
SHOW += "document.getElementById(arguments[0]).showModal()"
# What a page answers, by its name: the element that is clicked once the field, if there is one, holds that.
ANSWERS: Mapping[str, tuple[str, str, str]] = {
    "memories": ("", "", ".memory a[href$='/edit/']"),
    "memories-search": ("", "", "[data-pick]"),
    "memories-add": ("value", "", "main form .button-primary"),
    "todos": ("", "", ".loop a[href$='/edit/']"),
    "todos-add": ("text", "", "main form .button-primary"),
    "settings": ("compaction_tokens", "-1", ".save-bar .button-primary"),
    "webhooks": ("url", "nowhere", "main form .button-primary"),
    "login": ("login", "nobody@nebo.local", "main button[type=submit]"),
    "erase": ("name", "Somebody else", "main .button-danger"),
}
FILL = """
for (const form of document.forms) form.noValidate = true;
const field = arguments[0] && document.querySelector(`main [name="${arguments[0]}"]`);
if (field) field.value = arguments[1];
"""
Fault = tuple[str, list[str]]


class Look:
    """A browser with somebody signed in, renewed from time to time, and what was found with it."""

    def __init__(self, address: str, script: str, login: str = "", password: str = "") -> None:
        self.address, self.script, self.login, self.password = address, script, login, password
        self.looked = self.faults = 0

    @contextmanager
    def browser(self) -> Iterator[WebDriver]:
        """A fresh one, signed in."""
        with tempfile.TemporaryDirectory() as person, chromium(Path(person)) as driver:
            if self.login:
                sign_in(driver, self.address, self.login, self.password)
            yield driver

    def at(self, pages: Mapping[str, str]) -> None:
        """Every state of each of these pages."""
        names = list(pages)
        for start in range(0, len(names), PAGES_A_BROWSER):
            with self.browser() as driver:
                for name in names[start : start + PAGES_A_BROWSER]:
                    self._page(driver, name, pages[name])

    def _page(self, driver: WebDriver, name: str, page: str) -> None:
        before = self.looked
        try:
            for state, enter in list_states(driver, name, page):
                enter()
                self._widths(driver, name, state)
        except (WebDriverException, HTTPError) as error:
            self._note(name, "", "not looked at", [str(error).splitlines()[0]])
        print(f"{name}: {self.looked - before}", flush=True)

    def _widths(self, driver: WebDriver, name: str, state: str) -> None:
        """Wide and narrow, light and dark, without loading it again: nothing but the style sheet tells these apart."""
        for width in (DESK, PHONE):
            resize(driver, width)
            for scheme in ("light", "dark"):
                prefer(driver, scheme)
                self.looked += 1
                for rule, places in run(driver, self.script):
                    self._note(name, f"{state} {width} {scheme}", rule, places)

    def _note(self, name: str, state: str, rule: str, places: list[str]) -> None:
        self.faults += 1
        print(name, state, rule, len(places), *places[:SHOWN], file=sys.stderr, flush=True)


def main(address: str, file: str, *logins: str) -> int:
    """Look at them all; the number of faults, at most 1."""
    script = Path(file).read_text(encoding="utf-8")
    looks = [Look(address, script)]
    looks[0].at(
        {path or "start": f"{address}/{path}" for path in STRANGERS} | {"login": f"{address}/accounts/login/"}
    )
    for login, password in zip(logins[::2], logins[1::2], strict=True):
        look = Look(address, script, login, password)
        looks.append(look)
        with look.browser() as driver:
            pages = list_pages(driver, address) | list_admin_pages(driver, address)
        look.at(pages)
    looked, faults = sum(look.looked for look in looks), sum(look.faults for look in looks)
    print(f"{looked} states looked at, {faults} faults")
    return min(faults, 1)


def list_states(driver: WebDriver, name: str, page: str) -> Iterator[tuple[str, Callable[[], object]]]:
    """What to look at of a page, and how to get there from the one before."""
    yield "as it comes", lambda: open_page(driver, page)
    if driver.find_elements(By.CSS_SELECTOR, "details:not([open])"):
        yield "unfolded", lambda: driver.execute_script(UNFOLD)
    for dialog in driver.execute_script(DIALOGS) if name == "memories" else ():
        yield dialog, lambda dialog=dialog: driver.execute_script(SHOW, dialog)  # type: ignore[misc]
    if name in ANSWERS:
        yield "answered", lambda: answer(driver, page, *ANSWERS[name])


def open_page(driver: WebDriver, page: str) -> None:
    """Loaded, at desk size."""
    resize(driver, DESK)
    driver.get(page)
    wait_for(lambda: driver.execute_script("return document.readyState") == "complete")


def answer(driver: WebDriver, page: str, field: str, value: str, button: str) -> None:
    """Opened anew, filled in, clicked, and come to rest."""
    open_page(driver, page)
    driver.execute_script(FILL, field, value)
    driver.find_element(By.CSS_SELECTOR, button).click()
    wait_for(lambda: not driver.find_elements(By.CSS_SELECTOR, ".htmx-request"))
    wait_for(lambda: driver.execute_script("return document.readyState") == "complete")


def run(driver: WebDriver, script: str) -> list[Fault]:
    """Rules that the open page breaks, and where. By the browser's own door, which the page's policy doesn't close."""
    for _ in range(TRIES):
        there = {"expression": "typeof axe", "returnByValue": True}
        if driver.execute_cdp_cmd("Runtime.evaluate", there)["result"]["value"] == "undefined":
            driver.execute_cdp_cmd("Runtime.evaluate", {"expression": script + STILL})
        asked = {"expression": RUN, "awaitPromise": True, "returnByValue": True}
        answered = driver.execute_cdp_cmd("Runtime.evaluate", asked)["result"]
        if "value" in answered:
            found: dict[str, Any] = json.loads(answered["value"])
            return list(found["violations"]) if found["passes"] else [("nothing to look at", [])]
    return [("not looked at", [answered.get("description", "")])]


def list_admin_pages(driver: WebDriver, address: str) -> dict[str, str]:
    """Its index, lists, forms for something new, and of each list the first row; none without an operator's login."""
    driver.get(f"{address}/admin/")
    links = [
        link.get_attribute("href") or ""
        for link in driver.find_elements(By.CSS_SELECTOR, "#content-main a.addlink, #content-main th a")
    ]
    pages = [f"{address}/admin/", f"{address}/admin/password_change/", *links] if links else []
    for link in links:
        driver.get(link)
        if rows := driver.find_elements(By.CSS_SELECTOR, "#result_list tbody th a"):
            row = (rows[0].get_attribute("href") or "").split("?")[0]
            pages += [row, row.replace("/change/", "/history/"), row.replace("/change/", "/delete/")]
    return {page.removeprefix(f"{address}/"): page for page in pages}


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

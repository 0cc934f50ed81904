"""Texts that try to be more than text stay text on every page: no script runs, nothing leaves, no page grows too wide.

pytest tests/dashboard/test_hostile_browser.py --hostile FILE.jsonl    # with the texts of a file instead
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chromium import DESK, PHONE, resize, settled, wait_for
from tests.conftest import Team
from tests.dashboard.conftest import Browser
from tests.dashboard.hostile import TOGETHER, list_addresses, plant, read_texts, write_export
from tests.dashboard.test_access import PAGES, address_of
from tests.dashboard.test_palette_browser import OPTIONS, press_ctrl_k
from tests.dashboard.things import things_of

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(900)]
NO_PAGES = ("dashboard:live", "dashboard:first_call", "governance:download")
PLACE = "acme/p/alice"  # the login stands for others, too
MORE = (
    "memories/?status=quarantined",
    "inbox/?kind=wish",
    "personality/?persona=hostile-1",
    "todos/?status=all",
    "data/activity/?kind=reads",
    "sessions/?page=2",
    "personality/personas/hostile-1/",
)
# What would have come of a text that was taken for markup (handlers, elements that no page of ours has), and the rest.
LOOK = """
const strange = [...document.querySelectorAll('*')].filter(one =>
    [...one.attributes].some(given => /^(on|hx-on|data-hx-on)/i.test(given.name) && !/^on$/i.test(given.name))
    || /^(iframe|object|embed|base|plaintext|math|animate|mglyph)$/i.test(one.localName)
    || (one.localName === 'script' && !one.src && one.type !== 'application/json'));
const fetched = performance.getEntriesByType('resource').map(one => one.name);
return {
    wider: document.documentElement.scrollWidth - innerWidth,
    strange: strange.map(one => one.outerHTML.slice(0, 200)),
    left: fetched.filter(name => !name.startsWith(location.origin + '/') && !name.startsWith('data:')),
    title: document.title,
    address: location.href,
};
"""
OPEN_MENUS = "for (const menu of document.querySelectorAll('details.menu')) menu.open = true"
TYPE = """
const field = document.getElementById('palette-field');
field.value = arguments[0];
field.dispatchEvent(new InputEvent('input', {bubbles: true}));
"""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    texts = read_texts(metafunc.config.getoption("--hostile"))
    batches = [texts[start : start + TOGETHER] for start in range(0, len(texts), TOGETHER)]
    metafunc.parametrize("texts", batches, ids=[f"batch-{number}" for number in range(len(batches))])


def test_a_text_stays_a_text_on_every_page(browser: Browser, acme: Team, texts: list[str]) -> None:
    things = things_of(acme)
    plant(acme, texts)
    pages = [
        address_of(name, PLACE, things)
        for name, (method, _) in PAGES.items()
        if method == "get" and name not in NO_PAGES
    ]
    pages += [f"/t/{PLACE}/{page}" for page in (*MORE, *list_addresses(acme))]
    browser.sign_in("owner@acme.example")

    faults = [fault for number, page in enumerate(pages) for fault in find_faults(browser, page, number)]

    assert faults == [], "\n".join(faults)
    assert len(pages) > 60


def test_a_text_stays_a_text_in_menus_and_palette(browser: Browser, acme: Team, texts: list[str]) -> None:
    plant(acme, texts)
    browser.sign_in("owner@acme.example")
    faults = []
    for width in (PHONE, DESK):
        resize(browser.driver, width)
        browser.open(f"/t/{PLACE}/")
        browser.driver.execute_script(OPEN_MENUS)
        faults += list_faults(browser, f"menus {width}")
        press_ctrl_k(browser)
        wait_for(lambda: len(browser.texts(OPTIONS)) > 2 * len(texts))
        faults += list_faults(browser, f"palette {width}")
        for text in texts:
            browser.driver.execute_script(TYPE, text)
            faults += list_faults(browser, f"palette asked {text[:80]!r} {width}")

    assert faults == [], "\n".join(faults)


def test_a_text_stays_a_text_on_the_page_of_an_export(
    browser: Browser, acme: Team, texts: list[str], tmp_path: Path
) -> None:
    plant(acme, texts)
    file = tmp_path / "index.html"
    write_export(acme, file)
    faults = []
    for width in (PHONE, DESK):
        resize(browser.driver, width)
        browser.driver.get(file.as_uri())
        faults += list_faults(browser, f"export {width}", at=file.as_uri())

    assert faults == [], "\n".join(faults)
    assert sum(text[:40].strip() in file_text(browser) for text in texts) > len(texts) / 4


def file_text(browser: Browser) -> str:
    return str(browser.driver.execute_script("return document.body.textContent"))


def find_faults(browser: Browser, page: str, number: int) -> list[str]:
    """What is wrong with a page at both widths: one is opened wide and then made narrow, the next the other way."""
    first, second = (PHONE, DESK) if number % 2 else (DESK, PHONE)
    resize(browser.driver, first)
    browser.open(page)
    faults = list_faults(browser, f"{page} {first}")
    resize(browser.driver, second)
    return faults + list_faults(browser, f"{page} {second}, first {first}")


def list_faults(browser: Browser, where: str, *, at: str = "") -> list[str]:
    """What is wrong with what is open; `at` is its address where that is none of the server's."""
    seen = settled(lambda: browser.driver.execute_script(LOOK))
    found = {
        "wider by": [seen["wider"]] if seen["wider"] > 0 else [],
        "strange": seen["strange"],
        "left": seen["left"],
        "title": [seen["title"]] if seen["title"] == "owned" else [],
        "says": browser.complaints(),
        "elsewhere": [] if seen["address"].startswith(at or browser.address) else [seen["address"]],
    }
    return [f"{where}: {name} {what}" for name, what in found.items() if what]

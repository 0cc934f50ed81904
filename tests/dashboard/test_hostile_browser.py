"""Texts that try to be more than text stay text on every page: no script runs, nothing leaves, no page grows too wide.

pytest tests/dashboard/test_hostile_browser.py --hostile FILE.jsonl    # with the texts of a file instead
"""

from __future__ import annotations

import pytest

from tests.chromium import DESK, PHONE, resize, settled, sideways
from tests.conftest import Team
from tests.dashboard.conftest import Browser
from tests.dashboard.hostile import TOGETHER, list_addresses, plant, read_texts
from tests.dashboard.test_access import PAGES, address_of
from tests.dashboard.things import things_of

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.timeout(900)]
NO_PAGES = (
    "dashboard:live",
    "dashboard:first_call",
    "governance:download",
    "everyone:look",
    "everyone:pause",
)  # no whole page
MORE = (
    "memories/?status=quarantined",
    "inbox/?kind=wish",
    "personality/?persona=hostile-1",
    "todos/?status=all",
)
# What would have come of a text that was taken for markup: handlers, and elements that no page of ours has.
STRANGE = """
const strange = [...document.querySelectorAll('*')].filter(one =>
    [...one.attributes].some(given => /^(on|hx-on|data-hx-on)/i.test(given.name) && !/^on$/i.test(given.name))
    || /^(iframe|object|embed|base|plaintext|math|animate|mglyph)$/i.test(one.localName)
    || (one.localName === 'script' && !one.src && one.type !== 'application/json'));
return strange.map(one => one.outerHTML.slice(0, 200));
"""
LEFT = """
return performance.getEntriesByType('resource').map(one => one.name)
    .filter(name => !name.startsWith(location.origin + '/') && !name.startsWith('data:'));
"""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    texts = read_texts(metafunc.config.getoption("--hostile"))
    batches = [texts[start : start + TOGETHER] for start in range(0, len(texts), TOGETHER)]
    metafunc.parametrize("texts", batches, ids=[f"batch-{number}" for number in range(len(batches))])


def test_a_text_stays_a_text_on_every_page(browser: Browser, acme: Team, texts: list[str]) -> None:
    things = things_of(acme)
    plant(acme, texts)
    pages = [
        address_of(name, "acme", things)
        for name, (method, _) in PAGES.items()
        if method == "get" and name not in NO_PAGES
    ]
    pages += [f"/t/acme/{page}" for page in (*MORE, *list_addresses(acme))]
    browser.sign_in("owner@acme.example")

    faults = [
        fault for width in (PHONE, DESK) for page in pages for fault in find_faults(browser, page, width)
    ]

    assert faults == [], "\n".join(faults)
    assert len(pages) > 40


def find_faults(browser: Browser, page: str, width: int) -> list[str]:
    """What is wrong with a page at a width."""
    resize(browser.driver, width)
    browser.open(page)
    ask = browser.driver.execute_script
    found = {
        "wider by": settled(lambda: sideways(browser.driver)),
        "strange": settled(lambda: ask(STRANGE)),
        "left": settled(lambda: ask(LEFT)),
        "title": [title for title in (browser.driver.title,) if title == "owned"],
        "says": browser.complaints(),
        "elsewhere": [url for url in (browser.driver.current_url,) if not url.startswith(browser.address)],
    }
    if found["wider by"] <= 0:
        del found["wider by"]
    return [f"{page} {width}: {name} {what}" for name, what in found.items() if what]

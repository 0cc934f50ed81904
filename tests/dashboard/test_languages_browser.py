"""German in a real browser: longer words on a phone, and what the scripts say."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from django.urls import reverse

from nebo.tenants.models import User
from tests.chromium import PHONE, resize, sideways, speak, wait_for
from tests.conftest import Team
from tests.dashboard.conftest import Browser

pytestmark = pytest.mark.browser
PAGES = (
    *(
        "",
        "memories/",
        "inbox/",
        "people/",
        "todos/",
        "sessions/",
        "personality/",
        "personality/manner/",
        "jobs/",
    ),
    *(
        "settings/",
        "members/",
        "keys/",
        "webhooks/",
        "providers/",
        "usage/",
        "audit/",
        "everyone/",
        "data/",
        "files/",
    ),
    *(
        "memories/add/",
        "memories/timeline/",
        "memories/trash/",
        "context/search/",
        "connect/",
        "data/import/",
    ),
)
SMALLEST = 320  # pixels wide
# The names below the marks of the bar, as far as they are drawn, and where they begin and end.
NAMES = """
return [...document.querySelectorAll(".shell-nav a")].filter((one) => one.offsetParent).map((one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  const { left, right } = range.getBoundingClientRect();
  return [left, right];
})
"""


@pytest.fixture
def german(browser: Browser, known: Team) -> Iterator[Browser]:
    speak(browser.driver, "de")
    yield browser
    speak(browser.driver, "en")


def test_no_page_is_wider_than_a_phone_and_no_name_in_the_bar_runs_into_another(german: Browser) -> None:
    wide, tight = {}, {}

    for page in PAGES:
        for width in (PHONE, SMALLEST):
            resize(german.driver, width, 844)
            german.open(f"/t/acme/{page}")
            wide[page, width] = sideways(german.driver)
            places = german.driver.execute_script(NAMES)
            tight[page, width] = min(b[0] - a[1] for a, b in pairwise(places))

    assert german.attribute("html", "lang") == "de"
    assert {at: pixels for at, pixels in wide.items() if pixels > 0} == {}
    assert {at: round(gap, 1) for at, gap in tight.items() if gap < 0} == {}


def test_a_language_is_chosen_and_the_scripts_speak_it(browser: Browser, known: Team) -> None:
    browser.open(reverse("language"))
    browser.click("input[value=de]")
    browser.click("main button[type=submit]")
    wait_for(lambda: browser.attribute("html", "lang") == "de")

    browser.open("/t/acme/memories/")
    browser.click("[data-pick]")

    wait_for(lambda: browser.text("[data-picked]") == "1 ausgewählt")
    browser.open("/t/acme/connect/")
    browser.click("main form button[type=submit]")
    browser.click("[data-copy]")
    wait_for(lambda: browser.text("[data-copy]") in ("Kopiert", "Markiert"))
    assert browser.attribute("[data-copy]", "aria-label").startswith(("Kopiert: ", "Markiert: "))
    wait_for(lambda: browser.text("[data-copy]") == "Kopieren")
    assert not browser.attribute("[data-copy]", "aria-label").startswith(("Kopiert", "Markiert"))
    assert User.objects.get(pk=known.owner.pk).language == "de"

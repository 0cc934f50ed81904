"""The first minutes in a real browser: from signing up to a memory, and from an invitation to a new key."""

from __future__ import annotations

import subprocess

import pytest
from django.core.cache import cache
from selenium.webdriver.common.keys import Keys

from tests.chromium import wait_for
from tests.conftest import Team
from tests.dashboard.conftest import Browser

pytestmark = pytest.mark.browser


def run(lines: str) -> str:
    """As pasted into a terminal."""
    done = subprocess.run(
        ["bash", "-euc", lines],
        env={"PATH": "/usr/local/bin:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout


def test_sign_up_take_the_key_call_and_see_the_memory(browser: Browser, settings: object) -> None:
    settings.SIGNUP, settings.BASE_URL = "open", browser.address
    cache.clear()
    browser.open("/accounts/login/")
    browser.click("a[href='/accounts/signup/']")
    browser.write("[name=email]", "kim@example.org")
    browser.write("[name=workspace]", "North")
    browser.write("[name=password1]", "harbour violet 93", Keys.ENTER)

    wait_for(lambda: browser.text("h1") == "Connect an agent")
    run("\n".join(browser.text(f"#{code}") for code in ("code-key", "code-turn", "code-search")))

    wait_for(lambda: browser.texts(".learned a"))
    browser.click(".learned a")
    wait_for(lambda: "I live in Lisbon" in browser.text("main"))


def test_an_owner_invites_a_member_joins_and_a_key_is_rotated(browser: Browser, acme: Team) -> None:
    cache.clear()
    browser.sign_in("owner@acme.example")
    browser.open("/t/acme/members/")
    browser.write("[name=label]", "Kim", Keys.ENTER)
    link = browser.text("#invitation-link")

    browser.driver.delete_all_cookies()
    browser.driver.get(link)
    browser.click("a[href='/accounts/signup/']")
    assert "#" not in browser.driver.current_url
    browser.write("[name=email]", "kim@example.org")
    browser.write("[name=password1]", "harbour violet 93", Keys.ENTER)
    wait_for(lambda: browser.driver.current_url.endswith("/t/acme/"))

    browser.driver.delete_all_cookies()
    browser.sign_in("owner@acme.example")
    browser.open("/t/acme/members/")
    assert "kim@example.org" in browser.text("main")
    browser.open("/t/acme/keys/")
    browser.write("[name=name]", "Support bot", Keys.ENTER)
    first = browser.text("#new-key")
    browser.click("a.button-primary[href='/t/acme/keys/']")
    browser.click("a.row-link")
    browser.click("form[action$='/rotate/'] button")
    wait_for(lambda: browser.text("#new-key") not in ("", first))
    assert "still works; it ends" in browser.text("main")

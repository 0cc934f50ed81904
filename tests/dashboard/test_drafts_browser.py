"""What was typed when a login had ended is there again after signing in, and only then."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from tests.chromium import wait_for
from tests.conftest import Team
from tests.dashboard.conftest import PASSWORD, Browser
from tests.visitors import join

pytestmark = pytest.mark.browser

ADD = "/t/acme/memories/add/"
OWNER = "owner@acme.example"


def end_login(browser: Browser) -> None:
    browser.driver.delete_cookie("sessionid")


def sign_in_again(browser: Browser, email: str = OWNER) -> None:
    wait_for(lambda: "/accounts/login/" in browser.driver.current_url)
    browser.write("[name=login]", email)
    browser.write("[name=password]", PASSWORD, Keys.ENTER)
    wait_for(lambda: "/accounts/login/" not in browser.driver.current_url)


def type_and_lose_it(browser: Browser) -> None:
    browser.open(ADD)
    browser.write("#main [name=value]", "Has a cat called Miso")
    end_login(browser)
    browser.click("#main form .button-primary")


def test_a_form_of_a_page_is_filled_again(browser: Browser, known: Team) -> None:
    type_and_lose_it(browser)
    sign_in_again(browser)

    assert browser.attribute("#main [name=value]", "value") == "Has a cat called Miso"
    assert browser.text("#main .note") == "You had to sign in again. What you had typed is still here."


def test_a_row_that_was_edited_in_a_list_opens_as_a_page(browser: Browser, known: Team) -> None:
    browser.click("[id^=edit-]")
    browser.write("#rows [name=value]", " with friends")
    end_login(browser)
    browser.click("#rows form .button-primary")
    sign_in_again(browser)

    wait_for(lambda: browser.driver.current_url.endswith("/edit/"))
    assert " with friends" in browser.attribute("#main [name=value]", "value")


def test_another_login_gets_nothing_of_it(browser: Browser, known: Team) -> None:
    join(known, "colleague@acme.example", person="bob")

    type_and_lose_it(browser)
    sign_in_again(browser, "colleague@acme.example")

    assert browser.driver.current_url.endswith(ADD)
    assert browser.attribute("#main [name=value]", "value") == ""


def test_what_was_saved_does_not_come_back(browser: Browser, known: Team) -> None:
    browser.open(ADD)
    browser.write("#main [name=value]", "Has a cat called Miso")
    browser.click("#main form .button-primary")
    wait_for(lambda: "/add/" not in browser.driver.current_url)
    end_login(browser)
    browser.open(ADD)
    sign_in_again(browser)

    assert browser.driver.current_url.endswith(ADD)
    assert browser.attribute("#main [name=value]", "value") == ""


# --- A page that stood open while somebody signed in anew ----------------------------------------------------


def sign_in_elsewhere(browser: Browser) -> None:
    """In another tab: the tokens of forms that are open already count no more."""
    browser.driver.delete_cookie("csrftoken")
    browser.expected.append("403")


def test_a_form_that_stood_open_for_long_is_sent_again(browser: Browser, known: Team) -> None:
    browser.open(ADD)
    browser.write("#main [name=value]", "Has a cat called Miso <b>")
    browser.write("#main [name=tags]", "cats")
    sign_in_elsewhere(browser)
    browser.click("#main form .button-primary")

    wait_for(lambda: browser.text("h1") == "Send it again?")
    assert "Has a cat called Miso <b>" in browser.texts(".typed dd")
    browser.click("main .button-primary")

    wait_for(lambda: "/add/" not in browser.driver.current_url)
    assert "Has a cat called Miso <b>" in browser.text("main")


def test_a_row_that_stood_open_for_long_comes_back_filled(browser: Browser, known: Team) -> None:
    browser.click("[id^=edit-]")
    browser.write("#rows [name=value]", " with friends")
    sign_in_elsewhere(browser)
    browser.click("#rows form .button-primary")

    wait_for(lambda: browser.driver.current_url.endswith("/edit/"))
    assert " with friends" in browser.attribute("#main [name=value]", "value")
    assert "stood open for long" in browser.text("#main .note")

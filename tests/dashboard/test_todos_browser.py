"""Open loops in a real browser: closed and opened in place, edited in their row, on a phone."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from memories.models import Todo
from memories.todos.store import NewTodo, store_todo
from nebo.tenants.scoping import tenant_scope
from tests.chromium import PHONE, resize, sideways, wait_for
from tests.conftest import Team
from tests.dashboard.conftest import Browser
from tests.memories.conftest import AGENT

pytestmark = pytest.mark.browser
TEXT = ".loop-text"


@pytest.fixture
def todo(browser: Browser, acme: Team) -> Todo:
    """One promise, and its page open."""
    with tenant_scope(acme.tenant):
        new = NewTodo("Call the dentist")
        stored = store_todo(tenant=acme.tenant, person=acme.person, new=new, actor=AGENT)
    assert stored is not None
    browser.sign_in("owner@acme.example")
    browser.open("/t/acme/todos/")
    browser.driver.execute_script("window.same = true")
    return stored


def is_same_page(browser: Browser) -> bool:
    return bool(browser.driver.execute_script("return window.same"))


def test_done_and_open_again_without_leaving_the_page(browser: Browser, todo: Todo) -> None:
    browser.click(f"#check-{todo.pk}")
    wait_for(lambda: "is-done" in browser.attribute(f"#todo-{todo.pk}", "class"))

    browser.click(f"#restore-{todo.pk}")

    wait_for(lambda: "is-open" in browser.attribute(f"#todo-{todo.pk}", "class"))
    assert is_same_page(browser)


def test_the_wording_is_edited_in_its_row(browser: Browser, todo: Todo) -> None:
    browser.click(f"#edit-{todo.pk}")
    wait_for(lambda: browser.focused() == f"todo-{todo.pk}-text")
    browser.write(f"#todo-{todo.pk}-text", Keys.CONTROL, "a")
    browser.write(f"#todo-{todo.pk}-text", "Call the vet")

    browser.click(f"#todo-{todo.pk} button[type=submit]")

    browser.await_texts(TEXT, ["Call the vet"])
    assert is_same_page(browser)


def test_the_list_fits_a_phone(browser: Browser, todo: Todo) -> None:
    resize(browser.driver, PHONE)
    browser.driver.refresh()

    assert browser.texts(TEXT) == ["Call the dentist"]
    assert sideways(browser.driver) <= 0

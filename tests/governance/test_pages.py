"""Your data: what a person sees of it, takes along, and how they end it."""

from __future__ import annotations

import io
from zipfile import ZipFile

import pytest
from django.test import Client
from django.utils.http import urlencode
from selenium.webdriver.common.keys import Keys

from memories.audit.log import record_read
from memories.models import Memory, Todo
from memories.storing.edit import update_memory
from memories.todos.store import NewTodo, store_todo, update_todo
from nebo.product.governance.models import Erasure, Export
from nebo.tenants.actor import Actor
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import issue_key
from tests.chromium import wait_for
from tests.conftest import Team
from tests.dashboard.conftest import PASSWORD, Browser, browser, driver  # noqa: F401 - fixtures
from tests.governance.conftest import find_traces
from tests.jobs.inline import run_jobs
from tests.memories.conftest import caller, remember
from tests.visitors import confirm, count_queries, join, refetch, text_of, visitor

DATA = "/t/acme/data/"


@pytest.fixture
def mine(db: None, acme: Team) -> Client:
    """Alice's browser; of her one memory is known."""
    with tenant_scope(acme.tenant):
        remember(acme, "Plays the cello")
    return visitor(acme.owner)


def export_of(team: Team) -> Export:
    with tenant_scope(team.tenant):
        return Export.objects.for_tenant(team.tenant).get()


# --- The page ----------------------------------------------------------------------------------------------


def test_the_page_says_what_one_can_do(mine: Client) -> None:
    text = text_of(mine.get(DATA))

    for said in ("Take it along", "Who used it lately", "How long it is kept", "Delete everything about you"):
        assert said in text
    assert "Learned" in text
    assert "in the trash for 30 days" in text


def test_a_file_is_made_and_downloaded(committed_db: None, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        remember(acme, "Plays the cello")
    mine = visitor(acme.owner)

    assert mine.post(f"{DATA}export/").status_code == 302
    part = mine.get(DATA, **refetch("exports"))
    assert "A file is being made" in text_of(part)
    assert "every 2s" in part.content.decode()
    assert mine.get(f"{DATA}exports/{export_of(acme).pk}/").status_code == 404
    run_jobs(acme.tenant, kind="export-person")

    part = mine.get(DATA, **refetch("exports"))
    assert "every 2s" not in part.content.decode()
    assert "1 memory" in text_of(part)
    file = mine.get(f"{DATA}exports/{export_of(acme).pk}/")
    archive = ZipFile(io.BytesIO(b"".join(file.streaming_content)))
    assert "Plays the cello" in archive.read("memories.jsonl").decode()


def test_pages_are_for_oneself_alone(mine: Client, acme: Team, rival: Team) -> None:
    with tenant_scope(acme.tenant):
        export = Export.objects.for_tenant(acme.tenant).create(person=acme.person, requested_by="user:x")
    member = visitor(join(acme, "bob@acme.example", person="bob"))
    stranger = visitor(rival.owner)

    for path in ("", "activity/", "erase/", f"exports/{export.pk}/"):
        assert stranger.get(f"{DATA}{path}").status_code == 404
        assert Client().get(f"{DATA}{path}").status_code == 302
    for path in ("export/", "erase/"):
        assert stranger.post(f"{DATA}{path}").status_code == 404
    assert member.get(f"{DATA}exports/{export.pk}/").status_code == 404
    assert "cello" not in text_of(member.get(f"{DATA}activity/"))
    assert stranger.get("/t/rival/data/").status_code == 200


def test_who_stands_for_nobody_is_led_home(db: None, acme: Team) -> None:
    nobody = visitor(join(acme, "new@acme.example"))

    for path in ("", "activity/", "erase/"):
        assert nobody.get(f"{DATA}{path}")["Location"] == "/t/acme/"


# --- The log -----------------------------------------------------------------------------------------------


def test_the_log_says_who_read_what(mine: Client, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        memory = Memory.objects.for_tenant(acme.tenant).get()
        key = issue_key(tenant=acme.tenant, name="travel agent").key
        record_read(
            tenant=acme.tenant,
            actor=Actor("key", str(key.pk)),
            action="memory.recalled",
            person_id=acme.person.pk,
            memory_ids=[memory.pk],
        )

    response = mine.get(f"{DATA}activity/?kind=reads")

    text = text_of(response)
    assert "Recalled for a prompt: 1 memory" in text
    assert "an agent (travel agent)" in text
    assert f"/t/acme/memories/{memory.pk}/" in response.content.decode()
    assert "Learned" not in text
    assert "Learned" in text_of(mine.get(f"{DATA}activity/?kind=changes"))


def test_the_log_says_you_of_oneself_and_knows_what_is_gone(mine: Client, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        memory = Memory.objects.for_tenant(acme.tenant).get()
    mine.post(f"/t/acme/memories/{memory.pk}/delete/", {"version": memory.version})
    with tenant_scope(acme.tenant):
        Memory.objects.for_tenant(acme.tenant).filter(pk=memory.pk).delete()
    mine.get(DATA)  # shows the toast with its button to undo

    response = mine.get(f"{DATA}activity/")

    assert "Moved to the trash you" in text_of(response)
    assert str(memory.pk) not in response.content.decode()


def test_an_old_entry_shows_the_words_of_its_time(mine: Client, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        memory = Memory.objects.for_tenant(acme.tenant).get()
        reader = Actor("key", "x")
        for changes in ({}, {"value": "Plays the viola"}, {"type": "people"}):
            if changes:
                update_memory(tenant=acme.tenant, memory=memory, changes=changes, actor=reader)
            record_read(
                tenant=acme.tenant,
                actor=reader,
                action="memory.recalled",
                person_id=acme.person.pk,
                memory_ids=[memory.pk],
            )

    lines = mine.get(f"{DATA}activity/").context["lines"]

    read = [(line.entry.action, line.memories[0].value) for line in lines]
    assert read == [
        ("memory.recalled", "Plays the viola"),
        ("memory.updated", "Plays the viola"),
        ("memory.recalled", "Plays the viola"),
        ("memory.updated", "Plays the viola"),
        ("memory.recalled", "Plays the cello"),
        ("memory.created", "Plays the cello"),
    ]


def test_the_log_names_open_loops_and_says_what_became_of_them(mine: Client, acme: Team) -> None:
    agent = Actor("key", "x")
    with tenant_scope(acme.tenant):
        todo = store_todo(
            tenant=acme.tenant, person=acme.person, new=NewTodo("Ring the plumber"), actor=agent
        )
        assert todo is not None
        for changes in (
            {"status": "done"}, {"status": "open"}, {"text": "Ring the roofer"}, {"status": "dropped"}
        ):  # fmt: skip
            update_todo(tenant=acme.tenant, todo=todo, changes=changes, actor=agent)

    response = mine.get(f"{DATA}activity/?kind=changes")

    lines = [line for line in response.context["lines"] if line.todo]
    assert [(line.action, line.todo.text, line.todo.reworded) for line in lines] == [
        ("todo.dropped", "Ring the roofer", False),
        ("todo.updated", "Ring the roofer", False),
        ("todo.open", "Ring the roofer", True),
        ("todo.done", "Ring the roofer", True),
        ("todo.created", "Ring the roofer", True),
    ]
    text = text_of(response)
    for said in (
        "Dropped an open loop",
        "Opened a loop again",
        "Closed a loop as done",
        "Noted an open loop",
    ):
        assert f"{said} Ring the roofer" in text
    assert text.count("worded anew since") == 3
    assert response.content.decode().count(f"/t/acme/todos/{todo.pk}/edit/") == 5


def test_the_log_counts_what_was_listed_as_what_it_is(mine: Client, acme: Team) -> None:
    call = caller(acme)
    call("POST", "users/alice/todos/", {"text": "Water the ferns"})
    for page in ("todos/", "entities/proposals/"):
        assert call("GET", f"users/alice/{page}").status_code == 200

    text = text_of(mine.get(f"{DATA}activity/?kind=reads"))

    assert "Listed open loops: 1 loop " in text
    assert "memor" not in text.partition("Listed open loops")[2].partition("Nobody")[0]


def test_the_log_names_no_loop_that_is_gone(mine: Client, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        new = NewTodo("Ring the plumber")
        todo = store_todo(tenant=acme.tenant, person=acme.person, new=new, actor=Actor("key", "x"))
        Todo.objects.for_tenant(acme.tenant).all().delete()
    assert todo is not None

    response = mine.get(f"{DATA}activity/")

    assert "Noted an open loop" in text_of(response)
    assert str(todo.pk) not in response.content.decode()


def test_nobody_elses_log_is_shown(mine: Client, acme: Team, rival: Team) -> None:
    with tenant_scope(acme.tenant):
        other = UserProfile.objects.for_tenant(acme.tenant).create(external_id="bob")
        record_read(
            tenant=acme.tenant,
            actor=Actor("key", "x"),
            action="memory.searched",
            person_id=other.pk,
            memory_ids=[],
        )

    assert "Searched" not in text_of(mine.get(f"{DATA}activity/"))


def test_the_log_is_paged_at_a_fixed_number_of_queries(mine: Client, acme: Team) -> None:
    before = count_queries(mine, f"{DATA}activity/")
    with tenant_scope(acme.tenant):
        memory = Memory.objects.for_tenant(acme.tenant).get()
        for _ in range(60):
            record_read(
                tenant=acme.tenant,
                actor=Actor("key", str(issue_key(tenant=acme.tenant).key.pk)),
                action="memory.searched",
                person_id=acme.person.pk,
                memory_ids=[memory.pk],
            )

    assert count_queries(mine, f"{DATA}activity/") <= before + 1
    assert "1–50 of 61" in text_of(mine.get(f"{DATA}activity/"))
    assert "51–61 of 61" in text_of(mine.get(f"{DATA}activity/?page=2"))


# --- The end -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["", "Alice", "alice ", "yes", "ALICE"])
def test_nothing_is_deleted_by_accident(mine: Client, acme: Team, typed: str) -> None:
    if typed == "alice ":
        typed = "alice x"

    confirm(mine)
    response = mine.post(f"{DATA}erase/", {"name": typed})

    assert response.status_code == 422
    with tenant_scope(acme.tenant):
        assert not Erasure.objects.for_tenant(acme.tenant).exists()


def test_a_look_at_the_page_deletes_nothing(mine: Client, acme: Team) -> None:
    before = text_of(mine.get(f"{DATA}erase/"))
    confirm(mine)
    text = text_of(mine.get(f"{DATA}erase/"))

    assert "Confirm that it is you" in before
    assert "To go on" not in before
    assert "To go on, type alice" in text
    with tenant_scope(acme.tenant):
        assert not Erasure.objects.for_tenant(acme.tenant).exists()


def test_a_form_from_elsewhere_deletes_nothing(db: None, acme: Team) -> None:
    assert (
        visitor(acme.owner, enforce_csrf_checks=True).post(f"{DATA}erase/", {"name": "alice"}).status_code
        == 403
    )


def test_who_has_not_shown_that_it_is_they_deletes_nothing(mine: Client, acme: Team) -> None:
    response = mine.post(f"{DATA}erase/", {"name": "alice"})

    assert response["Location"] == f"/accounts/reauthenticate/?{urlencode({'next': f'{DATA}erase/'})}"
    with tenant_scope(acme.tenant):
        assert not Erasure.objects.for_tenant(acme.tenant).exists()


def test_what_was_shown_holds_for_some_minutes(mine: Client, acme: Team) -> None:
    confirm(mine)
    session = mine.session
    for record in session["account_authentication_methods"]:
        record["at"] -= 301
    session.save()

    assert "reauthenticate" in mine.post(f"{DATA}erase/", {"name": "alice"})["Location"]


def test_who_types_the_name_is_deleted_and_gets_a_receipt(committed_db: None, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        remember(acme, "Plays the violoncello")
    mine = visitor(acme.owner)

    confirm(mine)
    response = mine.post(f"{DATA}erase/", {"name": "alice"}, follow=True)

    ((receipt, _),) = response.redirect_chain
    assert "Everything is being deleted" in text_of(response)
    assert "every 2s" in response.content.decode()
    (job,) = run_jobs(acme.tenant, kind="erase-person")
    assert job.state == "succeeded", job.error
    assert find_traces("violoncello", str(acme.person.pk)) == {}
    done = mine.get(receipt)
    assert "every 2s" not in done.content.decode()
    assert "Everything was deleted" in text_of(done)
    assert "Memories 1 " in text_of(done)
    assert receipt in mine.get("/t/acme/").content.decode()


def test_a_receipt_is_for_who_asked_and_for_those_who_manage(db: None, acme: Team) -> None:
    bob, eve = (join(acme, f"{name}@acme.example", person=name) for name in ("bob", "eve"))
    with tenant_scope(acme.tenant):
        rows = Erasure.objects.for_tenant(acme.tenant)
        receipt = f"{DATA}erased/{rows.create(person_digest='d', requested_by=f'user:{bob.pk}').pk}/"

    seen = [visitor(user).get(receipt).status_code for user in (bob, acme.owner, eve)]

    assert seen == [200, 200, 404]


# --- In a browser ------------------------------------------------------------------------------------------


@pytest.mark.browser
def test_from_the_menu_to_the_end(browser: Browser, acme: Team) -> None:  # noqa: F811
    browser.expected.append("422")  # the wrong name
    browser.sign_in("owner@acme.example")
    browser.open(DATA)
    browser.click(".danger a.button-danger")
    browser.click(".danger a.button-danger")
    browser.write("[name=password]", PASSWORD, Keys.ENTER)
    browser.write("[name=name]", "alise")
    browser.find("main button.button-danger").click()
    wait_for(lambda: "That is not the name" in browser.find("main .field").text)
    browser.find("[name=name]").clear()
    browser.find("[name=name]").send_keys("alice")

    browser.find("main button.button-danger").click()

    wait_for(lambda: browser.text("h1") == "Everything is being deleted")
    run_jobs(acme.tenant, kind="erase-person")
    wait_for(lambda: browser.text("h1") == "Everything was deleted")
    browser.click(".receipt-on a")
    wait_for(lambda: browser.text("h1") == "No person is linked to your login yet")
    browser.click(".note a")
    wait_for(lambda: browser.text("h1") == "Everything was deleted")


@pytest.mark.browser
def test_the_file_appears_by_itself(browser: Browser, acme: Team) -> None:  # noqa: F811
    browser.sign_in("owner@acme.example")
    browser.open(DATA)
    browser.find("main form button.button-primary").click()
    wait_for(lambda: "A file is being made" in browser.find("#exports").text)

    run_jobs(acme.tenant, kind="export-person")

    wait_for(lambda: browser.find("#exports a.file-name").text.endswith(".zip"))

"""People and things in a real browser: deciding about names, taking a fold apart, on a phone and without scripts."""

from __future__ import annotations

import pytest

from memories.curation.run import curate_person
from memories.models import Entity, MergeProposal
from nebo.tenants.scoping import tenant_scope
from tests.chromium import DESK, PHONE, prefer, resize, sideways, wait_for
from tests.conftest import Team
from tests.dashboard.conftest import Browser
from tests.memories.conftest import JOB, remember

pytestmark = pytest.mark.browser
PEOPLE, INBOX = "/t/acme/people/", "/t/acme/inbox/"
FACTS = {
    "Makesh": ("Makesh likes tea",),
    "Mukesh": ("Mukesh runs the payments team",),
    "John": ("John handles backend", "John owns the backend deploys", "John reviews backend changes"),
}


@pytest.fixture
def people(browser: Browser, acme: Team) -> Team:
    """Three people in their person's memories, looked through, and that person signed in before the page."""
    with tenant_scope(acme.tenant):
        for name, facts in FACTS.items():
            for value in facts:
                about = {"entity_refs": (f"person:{name}",), "entity_label": name, "importance": 2}
                remember(acme, value, key=value, source="extraction", deduplicate=False, **about)
    curate_person(tenant=acme.tenant, person_id=acme.person.pk, actor=JOB)
    browser.sign_in("owner@acme.example")
    browser.open(PEOPLE)
    return acme


def merged_into(team: Team, ref: str) -> str:
    with tenant_scope(team.tenant):
        found = Entity.objects.for_tenant(team.tenant).select_related("merged_into").get(ref=ref)
        return found.merged_into.ref if found.merged_into else ""


def test_a_pair_is_merged_in_the_inbox_and_the_toast_takes_it_back(browser: Browser, people: Team) -> None:
    assert browser.texts(".entity-row .row-title") == ["John", "Makesh", "Mukesh"]
    browser.open(INBOX)

    browser.click("button[name=keep][value=second]")
    wait_for(lambda: merged_into(people, "person:makesh") == "person:mukesh")
    browser.click(".toast .button")

    wait_for(lambda: merged_into(people, "person:makesh") == "")
    browser.open(PEOPLE)
    assert len(browser.texts(".entity-row")) == 3


def test_who_was_merged_is_named_beside_the_other(browser: Browser, people: Team) -> None:
    browser.open(INBOX)
    browser.click("button[name=keep][value=second]")
    wait_for(lambda: merged_into(people, "person:makesh") == "person:mukesh")

    browser.open(PEOPLE)

    assert browser.texts(".entity-row .row-title") == ["Mukesh", "John"]
    assert browser.texts(".entity-also") == ["also Makesh"]


def test_not_the_same_is_said_with_the_keyboard_alone(browser: Browser, people: Team) -> None:
    browser.open(INBOX)
    button = browser.tab_to("button[name=keep][value=neither]")
    button.send_keys(" ")

    wait_for(lambda: browser.texts(".waiting-what") == [])
    with tenant_scope(people.tenant):
        assert MergeProposal.objects.for_tenant(people.tenant).get().status == "dismissed"


def test_a_fold_opens_and_is_taken_apart(browser: Browser, people: Team) -> None:
    browser.click(".fold summary")
    assert browser.texts(".fold-parts li") == list(FACTS["John"])

    browser.click("form[action$='/undo/'] button")

    wait_for(lambda: "3 memories are back" in browser.text(".toast"))
    assert browser.texts(".fold") == []


def test_a_memory_of_an_entity_is_pinned_on_its_page(browser: Browser, people: Team) -> None:
    browser.click(".entity-row")
    wait_for(lambda: browser.text("h1") == "John")

    browser.click(".memory-actions button[aria-pressed]")

    wait_for(lambda: browser.attribute(".memory-actions button[aria-pressed]", "aria-pressed") == "true")


@pytest.mark.parametrize("width", [PHONE, DESK])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_fit_the_screen(browser: Browser, people: Team, width: int, scheme: str) -> None:
    prefer(browser.driver, scheme)
    resize(browser.driver, width)
    with tenant_scope(people.tenant):
        john = Entity.objects.for_tenant(people.tenant).get(ref="person:john")

    for page in (PEOPLE, f"{PEOPLE}{john.pk}/"):
        browser.open(page)
        assert sideways(browser.driver) <= 0

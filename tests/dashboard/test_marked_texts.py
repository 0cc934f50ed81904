"""No page shows a word that no translation reaches: but for data, all of it is from the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from personality.personas.presets import PRESETS
from tests.conftest import Team
from tests.dashboard.marked_language import CODE, LETTER, list_data, list_unmarked, mark, marked_language
from tests.dashboard.test_access import PAGES, ask
from tests.dashboard.things import things_of
from tests.visitors import HTMX, visitor

pytestmark = pytest.mark.django_db
# Nobody translates these: names, units, zones, files, what stands for a name, and languages by their own names.
NAMES = re.compile(
    r"\bNebo\b|\bUTC\b|\bms\b|\bs\b|\b[A-Z]+\.md\b|\{name\}|\bChatGPT\b|\bhashing/384\b|^(?:English|Deutsch)$"
)
# Django's and allauth's own words, which their own catalogues translate.
THEIRS = re.compile(
    r"\b\d+(?:\.\d)?\xa0(?:bytes|MB)\b|This field is required|^Email(?: address)?$|Forgot your password\?"
    r"|This functionality requires JavaScript|\b(?:January|February|March|April|May|June|July|August|September|October"
    r"|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b"
)
# A preview shows a prompt, and what changes word by word, as an agent gets it.
PROMPT = re.compile(r"^(?:Communication Style|[A-Z][a-z ]+: [a-z]+|You are .*|yes)$")
ACCOUNT = (
    "account_login",
    "account_signup",
    "account_reset_password",
    "join",
    "language",
    "usersessions_list",
)
OF_A_LOGIN = ("language", "usersessions_list")


@pytest.fixture
def marked(tmp_path: Path) -> Iterator[None]:
    with marked_language(tmp_path):
        yield


def left_of(page: str, data: str) -> list[str]:
    """What has no mark and is no data."""
    known = "\n".join((data, *PRESETS.values()))
    left = (THEIRS.sub("", NAMES.sub("", piece)).strip(" ·,.:;()“”–-…/") for piece in list_unmarked(page))
    return sorted({one for one in left if LETTER.search(one) and one not in known and not PROMPT.match(one)})


def test_a_mark_stands_around_words_and_not_around_what_stands_in_them() -> None:
    told = mark('Ask <a href="/x">%(name)s again</a> at 5 %%')

    assert told == '⟦Ask ⟧<a href="/x">%(name)s⟦ again⟧</a>⟦ at 5 ⟧%%'
    assert list_unmarked(f"<p>{told} here</p><b title='Yes'></b>") == ["%(name)s", "%% here", "Yes"]


@pytest.mark.usefixtures("marked")
def test_every_word_of_a_page_is_from_the_catalogue(acme: Team) -> None:
    client, things = visitor(acme.owner, headers={"Accept-Language": CODE}), things_of(acme)

    pages = {
        name: ask(client, name, "acme", things) for name, (method, _) in PAGES.items() if method == "get"
    }

    data = "\n".join(list_data(acme.tenant))
    shown = {
        name: page for name, page in pages.items() if page.get("Content-Type", "").startswith("text/html")
    }
    left = {name: left_of(page.content.decode(), data) for name, page in shown.items()}
    assert len(shown) > len(pages) / 2
    assert {page["Content-Language"] for page in shown.values()} == {CODE}
    assert {name: words for name, words in left.items() if words} == {}


@pytest.mark.usefixtures("marked")
def test_every_word_that_an_action_answers_is_from_the_catalogue(acme: Team) -> None:
    client, things = visitor(acme.owner, headers={"Accept-Language": CODE}), things_of(acme)
    left = {}

    for name in (name for name, (method, _) in PAGES.items() if method == "post"):
        with transaction.atomic():
            answer = ask(client, name, "acme", things, follow=True, headers=HTMX)
            data = "\n".join(list_data(acme.tenant))
            left[name] = left_of(answer.content.decode(), data)
            transaction.set_rollback(True)

    assert {name: words for name, words in left.items() if words} == {}


@pytest.mark.usefixtures("marked")
def test_our_own_pages_around_an_account_are_from_the_catalogue(acme: Team) -> None:
    headers = {"Accept-Language": CODE}
    clients = {True: visitor(acme.owner, headers=headers), False: Client(headers=headers)}

    pages = {name: clients[name in OF_A_LOGIN].get(reverse(name)) for name in ACCOUNT}

    data = "\n".join(list_data(acme.tenant))
    assert {name: page.status_code for name, page in pages.items()} == dict.fromkeys(ACCOUNT, 200)
    left = {name: left_of(page.content.decode(), data) for name, page in pages.items()}
    assert {name: words for name, words in left.items() if words} == {}

"""Pages and mails speak the language of who reads them; what agents and programs read is English."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from memories.models import AuditEntry, Memory
from memories.pages.bulk import count
from memories.pages.reasons import tell_reason
from memories.screening.checks import REASON_INSTRUCTION, REASON_SENSITIVE
from memories.screening.orders import REASONS
from memories.storing.blocking import REASON_WRONG
from memories.storing.store import REASON_LESS_SURE, REASON_PINNED, REASON_WEAKER
from nebo.product.dashboard.templatetags.wording import ago, by, due, in_sentence, likeness, wait_word, word
from nebo.product.dashboard.vocabulary import words_of
from nebo.tenants.models import User
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.dashboard.test_access import PAGES, ask
from tests.dashboard.things import things_of
from tests.memories.conftest import caller, remember
from tests.visitors import join, text_of, visitor

pytestmark = pytest.mark.django_db
GERMAN = {"Accept-Language": "de-AT, de;q=0.9, en;q=0.5"}
# The doors of programs; each answers without a key, or with nothing but its refusal.
DOORS = (
    *(
        "/api/v1/schema/",
        "/api/v1/nowhere/",
        "/api/v1/users/alice/memories/",
        "/llms.txt",
        "/healthz",
        "/docs/api/",
    ),
    *("/mcp", "/v1/ping/", "/v1/memories/", "/memories", "/search", "/gateway/openai/v1/models", "/connect/"),
)


@pytest.fixture
def german(acme: Team) -> Client:
    return visitor(acme.owner, headers=GERMAN)


def choose(client: Client, language: str) -> Any:
    return client.post(reverse("language"), {"language": language}, follow=True)


# --- Which language ---------------------------------------------------------------------------------------


def test_a_page_speaks_the_language_of_the_browser(german: Client) -> None:
    page = german.get("/t/acme/")

    assert "Verbinde deinen ersten Agenten" in text_of(page)
    assert '<html lang="de">' in page.content.decode()
    assert page["Content-Language"] == "de"


@pytest.mark.parametrize("asked", ["", "fr", "en-GB, de;q=0.5", "xx-klingon, *", "\x00de", "de" * 4_000])
def test_any_other_language_is_english(acme: Team, asked: str) -> None:
    page = visitor(acme.owner, headers={"Accept-Language": asked}).get("/t/acme/")

    assert "Connect your first agent" in text_of(page)
    assert '<html lang="en">' in page.content.decode()


def test_what_a_person_chose_goes_before_the_browser_until_they_let_it_decide_again(acme: Team) -> None:
    client = visitor(acme.owner, headers={"Accept-Language": "en"})

    chosen = choose(client, "de")
    elsewhere = visitor(acme.owner, headers={"Accept-Language": "en"}).get("/t/acme/")
    back = choose(client, "")

    assert "Gespeichert. Die Seiten sprechen ab jetzt diese Sprache." in text_of(chosen)
    assert "Verbinde deinen ersten Agenten" in text_of(elsewhere)
    assert "Saved. Pages speak this language from now on." in text_of(back)
    assert "Connect your first agent" in text_of(client.get("/t/acme/"))


@pytest.mark.parametrize("language", ["fr", "en-us", "../de", "de\x00", "x" * 300])
def test_a_language_that_is_none_is_refused_and_nothing_changes(acme: Team, language: str) -> None:
    client = visitor(acme.owner)

    refused = client.post(reverse("language"), {"language": language})

    assert (refused.status_code, User.objects.get(pk=acme.owner.pk).language) == (422, "")


def test_the_page_that_chooses_is_for_who_is_signed_in() -> None:
    for answer in (Client().get(reverse("language")), Client().post(reverse("language"), {"language": "de"})):
        assert answer["Location"].startswith("/accounts/login/")


def test_a_choice_is_each_login_s_own_and_ends_with_the_request(acme: Team) -> None:
    choose(visitor(acme.owner), "de")

    other = visitor(join(acme, "new@acme.example", person="bob")).get("/t/acme/")

    assert "Connect your first agent" in text_of(other)
    assert translation.get_language() == "en"


def test_the_doors_and_what_is_not_there_speak_it_too() -> None:
    client = Client(headers=GERMAN)

    assert "Bei Nebo anmelden" in text_of(client.get(reverse("account_login")))
    assert "Hier ist nichts" in text_of(client.get("/nowhere/"))
    assert "Füg den Link ein" in text_of(client.get(reverse("join")))


# --- Caches -----------------------------------------------------------------------------------------------


def test_a_cache_keeps_the_languages_apart(german: Client, acme: Team) -> None:
    things = things_of(acme)

    pages = {
        name: ask(german, name, "acme", things) for name, (method, _) in PAGES.items() if method == "get"
    }

    assert {name for name, page in pages.items() if "Accept-Language" not in page.get("Vary", "")} == set()
    assert "Accept-Language" in Client().get(reverse("account_login"))["Vary"]


def test_what_an_open_page_has_is_told_by_another_tag_in_another_language(german: Client, acme: Team) -> None:
    address = reverse("dashboard:live", args=["acme"])
    tag = german.get(address)["ETag"]

    same = german.get(address, headers={"If-None-Match": tag})
    other = visitor(acme.owner).get(address, headers={"If-None-Match": tag})

    assert (same.status_code, other.status_code) == (304, 200)


# --- What isn't translated --------------------------------------------------------------------------------


@pytest.mark.parametrize("address", DOORS)
@pytest.mark.parametrize("method", ["get", "post"])
def test_what_programs_read_is_the_same_bytes_in_every_language(
    acme: Team, address: str, method: str
) -> None:
    answers = [
        getattr(Client(headers={"Accept-Language": asked, "X-Request-ID": "1"}), method)(address)
        for asked in ("en", "de")
    ]

    assert answers[0].content == answers[1].content
    assert answers[0].status_code == answers[1].status_code
    assert "Accept-Language" not in answers[1].get("Vary", "")


def test_an_agent_is_answered_in_english_whatever_its_person_chose(acme: Team) -> None:
    choose(visitor(acme.owner), "de")
    ask = caller(acme)

    for method, path, body in (
        ("POST", "users/alice/memories/", {"value": "", "tags": ["x" * 999]}),
        ("POST", "sessions/", {"user": ""}),
        ("GET", "users/nobody/memories/?type=none", None),
    ):
        english, german = (ask(method, path, body, **{"Accept-Language": asked}) for asked in ("en", "de"))
        assert _told(english) == _told(german)


def _told(answer: Any) -> str:
    """What it says, without the id of one call."""
    return re.sub(r"[0-9a-f]{32}", "", answer.text)


def test_the_log_and_the_context_stay_english_on_a_german_page(german: Client, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        memory = remember(acme, "Owns a green bicycle").memory
    session = caller(acme)("POST", "sessions/", {"user": "alice", "key": "chat"}).json()

    german.post(reverse("memories:wrong", args=["acme", memory.pk]), {"reason": "Nein"})
    page = german.get(f"/t/acme/context/?session={session['id']}").content.decode()

    with tenant_scope(acme.tenant):
        kept = AuditEntry.objects.for_tenant(acme.tenant).filter(object_id=memory.pk).order_by("-at")[0]
    assert (kept.action, kept.actor) == ("memory.marked_wrong", f"user:{acme.owner.pk}")
    lines = " ".join(re.findall(r'<span class="seen-text">(.*?)</span>\s*(?:</li>|<span)', page, re.DOTALL))
    assert "Tokens" in page
    assert "memory" in lines.lower()
    assert "Erinnerung" not in lines


# --- Words, times and numbers -----------------------------------------------------------------------------


def test_times_and_numbers_have_the_form_of_the_language() -> None:
    now = timezone.now()
    with translation.override("de"):
        assert ">vor 3 Tagen</time>" in ago(now - timedelta(days=3, minutes=1))
        assert ">vor 1 Tag</time>" in ago(now - timedelta(days=1, minutes=1))
        assert ">in 2 Std.</time>" in ago(now + timedelta(hours=2, minutes=1))
        assert ">7. März 2024</time>" in ago(datetime(2024, 3, 7, 12, tzinfo=UTC)).replace("Mär ", "März ")
        assert 'title="7. März 2024, 12:00:00 UTC"' in ago(datetime(2024, 3, 7, 12, tzinfo=UTC))
        assert due(now + timedelta(minutes=5, seconds=1)) == "fällig in 5 Min."
        assert (wait_word(340), wait_word(1300)) == ("340 ms", "1,3 s")
        assert (count(1), count(2), count(12_345)) == (
            "1 Erinnerung",
            "2 Erinnerungen",
            "12.345 Erinnerungen",
        )
        assert likeness({"edits": 1, "sound": True}) == "Klingen gleich, ein Buchstabe Unterschied"
    assert (count(1), count(12_345)) == ("1 memory", "12,345 memories")


def test_a_noun_keeps_its_capital_within_a_german_sentence() -> None:
    with translation.override("de"):
        assert in_sentence(word("member", "role_of_member")) == "Mitglied"
    assert in_sentence(word("member", "role_of_member")) == "member"


def test_a_table_of_words_is_in_english_even_if_a_german_page_is_the_first_to_read_it() -> None:
    with translation.override("de"):
        assert words_of(Memory.Status)["deleted"] == "In the trash"
        assert word("deleted", "status") == "Im Papierkorb"


def test_whoever_did_something_is_named_in_the_language(acme: Team) -> None:
    with translation.override("de"):
        assert by({}, "operator:1") == "ein Betreiber"
        assert by({"key_names": {"key:1": "Bot"}}, "key:1") == 'ein Agent (<bdi dir="auto">Bot</bdi>)'


@pytest.mark.parametrize(
    "reason",
    [
        REASON_SENSITIVE.format(kind="password"),
        REASON_INSTRUCTION.format(name="override"),
        *(REASON_WRONG, REASON_PINNED, REASON_WEAKER, REASON_LESS_SURE),
        *REASONS.values(),
        "Is another now: “I moved\nto Ely”",
        "It was said once and used 12 times by agents.",
        "Version 3 brought back.",
    ],
)
def test_a_reason_that_is_kept_in_english_is_told_in_german(reason: str) -> None:
    with translation.override("de"):
        told = tell_reason(reason)

    assert told != reason
    assert "{" not in told
    assert tell_reason(reason) == reason


def test_a_reason_in_somebody_s_own_words_stays_as_it_is() -> None:
    with translation.override("de"):
        assert tell_reason("Because I say {so}") == "Because I say {so}"
        assert tell_reason("") == ""


def test_drawings_have_numbers_as_browsers_read_them(german: Client, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        memory = remember(acme, "Owns a green bicycle").memory
        Memory.objects.for_tenant(acme.tenant).filter(pk=memory.pk).update(confidence=0.5)
    things_of(acme)
    german.post(reverse("memories:confirm", args=["acme", memory.pk]))

    addresses = (f"memories/{memory.pk}/", "memories/timeline/", "usage/")
    pages = [german.get(f"/t/acme/{address}").content.decode() for address in addresses]

    places = re.compile(r'\s(?:x|y|x1|x2|y1|y2|cx|cy|r|width|height)="([^"]*)"')
    drawn = [value for page in pages for value in places.findall(page)]
    assert drawn
    assert [value for value in drawn if not re.fullmatch(r"-?\d+(?:\.\d+)?%?", value)] == []


# --- Mails ------------------------------------------------------------------------------------------------


def test_a_mail_is_in_the_language_that_its_reader_chose(acme: Team) -> None:
    choose(visitor(acme.owner), "de")

    Client().post(reverse("account_reset_password"), {"email": acme.owner.email})

    (sent,) = mail.outbox
    assert "Passwort" in sent.subject + sent.body
    assert "password" not in sent.subject.lower()
    assert not re.search(r"\b(?:Sie|Ihr\w*)\b", sent.body)

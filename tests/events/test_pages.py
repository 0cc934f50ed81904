"""The pages on which owners and admins say whom to tell, and see what was told."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from nebo.product.events.scheduling import KIND
from tests.conftest import Team
from tests.events.conftest import PATH, change, deliveries_of, listen, load
from tests.jobs.inline import run_jobs
from tests.scripted_server import ScriptedServer, status
from tests.visitors import count_queries, join, refetch, text_of, visitor

pytestmark = pytest.mark.django_db
PAGE = "/t/acme/webhooks/"
SECRET = re.compile(r"whsec_[A-Za-z0-9+/=]{44}")
MOST_QUERIES = 14  # with those of login and transaction


@pytest.fixture
def owner(acme: Team) -> Client:
    return visitor(acme.owner)


def test_a_webhook_is_added_and_its_secret_shown_once(owner: Client, acme: Team) -> None:
    made = owner.post(PAGE, {"url": "https://hooks.example/nebo", "events": ["memory.created"]})

    (secret,) = set(SECRET.findall(made.content.decode()))
    listed = owner.get(PAGE)
    assert "https://hooks.example/nebo" in text_of(listed)
    (address,) = set(re.findall(rf"{PAGE}[0-9a-f-]{{36}}/", listed.content.decode()))
    assert secret not in listed.content.decode() + owner.get(address).content.decode()
    assert 'value="memory.created" checked' in re.sub(r'id="[^"]+" ', "", owner.get(address).content.decode())


def test_a_wrong_address_is_said_beside_its_field(owner: Client) -> None:
    answer = owner.post(PAGE, {"url": "https://10.0.0.1/hook"})

    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"url"}
    assert "10.0.0.1" in answer.content.decode()


def test_a_test_appears_in_the_log_with_what_came_of_it(
    owner: Client, acme: Team, receiver: ScriptedServer
) -> None:
    endpoint, _ = listen(acme, receiver.url + PATH)
    receiver.on(PATH, status(500, body=b"<script>alert(1)</script>"))
    page = f"{PAGE}{endpoint.pk}/"

    owner.post(f"{page}test/")
    run_jobs(acme.tenant, kind=KIND)

    part = owner.get(page, **refetch("deliveries"))
    assert "webhook.test" in text_of(part) and "answered 500" in text_of(part)
    assert "<script>alert" not in part.content.decode()
    assert "<h1" not in part.content.decode()
    (delivery,) = deliveries_of(acme)
    again = owner.post(f"{page}deliveries/{delivery.pk}/", follow=True)
    assert "On its way once more" in text_of(again)


def test_it_is_paused_resumed_and_removed(owner: Client, acme: Team) -> None:
    endpoint, _ = listen(acme, "https://hooks.example/")
    page = f"{PAGE}{endpoint.pk}/"

    paused = owner.post(f"{page}pause/", follow=True)
    tested = owner.post(f"{page}test/", follow=True)
    resumed = owner.post(f"{page}resume/", follow=True)
    removed = owner.post(f"{page}delete/", follow=True)

    assert "Paused" in text_of(paused)
    assert "Switch it on first" in text_of(tested)
    assert "Switched on" in text_of(resumed)
    assert "No webhook yet" in text_of(removed)


def test_one_that_nebo_gave_up_says_why(owner: Client, acme: Team) -> None:
    endpoint, _ = listen(acme, "https://hooks.example/")
    change(acme, endpoint, state="disabled", disabled_reason="Nothing could be delivered for 5 days.")

    shown = owner.get(f"{PAGE}{endpoint.pk}/")
    owner.post(f"{PAGE}{endpoint.pk}/resume/")

    assert "Nothing could be delivered for 5 days." in text_of(shown)
    assert load(acme, endpoint.pk).state == "active"


def test_a_new_secret_and_another_choice_of_events(owner: Client, acme: Team) -> None:
    endpoint, old = listen(acme, "https://hooks.example/")
    page = f"{PAGE}{endpoint.pk}/"

    rotated = owner.post(f"{page}rotate/", {"hours": "24"})
    edited = owner.post(f"{page}edit/", {"url": "https://other.example/", "events": ["job.parked"]})
    wrong = owner.post(f"{page}edit/", {"url": "https://127.0.0.1:1/x\\y", "events": ["nonsense"]})

    (secret,) = set(SECRET.findall(rotated.content.decode()))
    assert secret != old
    assert edited.status_code == 302
    assert wrong.status_code == 422
    changed = load(acme, endpoint.pk)
    assert (changed.url, changed.events) == ("https://other.example/", ["job.parked"])


def test_members_have_no_such_pages(acme: Team) -> None:
    member, (endpoint, _) = (
        visitor(join(acme, "bob@acme.example", person="bob")),
        listen(acme, "https://a.example/"),
    )

    statuses = [
        member.get(PAGE).status_code,
        member.post(PAGE, {"url": "https://b.example/"}).status_code,
        member.get(f"{PAGE}{endpoint.pk}/").status_code,
        member.post(f"{PAGE}{endpoint.pk}/delete/").status_code,
    ]

    assert statuses == [404] * 4
    assert load(acme, endpoint.pk).state == "active"


def test_the_log_costs_the_same_however_long_it_is(
    owner: Client, acme: Team, receiver: ScriptedServer
) -> None:
    endpoint, _ = listen(acme, receiver.url + PATH)
    page = f"{PAGE}{endpoint.pk}/"
    owner.post(f"{page}test/")
    few = count_queries(owner, page)
    for _ in range(5):
        owner.post(f"{page}test/")

    assert count_queries(owner, page) == few <= MOST_QUERIES

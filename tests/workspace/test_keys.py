"""The pages on which owners and admins make, exchange and end their team's keys."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from memories.models import AuditEntry
from nebo.tenants.models import ApiKey
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.selectors import find_caller
from nebo.tenants.services import issue_key
from tests.conftest import Team
from tests.visitors import add_person, count_queries, join, text_of, visitor

pytestmark = pytest.mark.django_db
PAGE = "/t/acme/keys/"
ASKED = {"name": "Support bot", "scope": "write", "person": "", "days": "0"}
SECRET = re.compile(r"nebo_[a-z0-9]{12}_[A-Za-z0-9]{43}")
MOST_QUERIES = 14  # with those of login and transaction


@pytest.fixture
def owner(acme: Team) -> Client:
    return visitor(acme.owner)


def make_key(team: Team, **settings: object) -> ApiKey:
    with tenant_scope(team.tenant):
        return issue_key(tenant=team.tenant, name="Old bot", **settings).key


def reload(team: Team, key: ApiKey) -> ApiKey:
    with tenant_scope(team.tenant):
        return ApiKey.objects.for_tenant(team.tenant).get(pk=key.pk)


def actions(team: Team) -> list[tuple[str, str]]:
    with tenant_scope(team.tenant):
        rows = AuditEntry.objects.for_tenant(team.tenant).filter(object_type="key").order_by("at", "id")
        return list(rows.values_list("action", "object_id"))


def test_a_key_is_shown_once_and_opens_the_door(owner: Client, acme: Team) -> None:
    made = owner.post(PAGE, {**ASKED, "days": "30"})

    (secret,) = set(SECRET.findall(made.content.decode()))
    caller = find_caller(secret)
    assert caller is not None
    assert caller.scopes == {"read", "write"}
    assert secret not in owner.get(PAGE).content.decode()
    assert secret not in owner.get(f"{PAGE}{caller.key_id}/").content.decode()
    assert actions(acme) == [("key.created", str(caller.key_id))]


def test_a_key_for_one_person_finds_no_other(owner: Client, acme: Team) -> None:
    made = owner.post(PAGE, {**ASKED, "person": "maya"})

    caller = find_caller(SECRET.findall(made.content.decode())[0])
    with tenant_scope(acme.tenant):
        entry = AuditEntry.objects.for_tenant(acme.tenant).get(action="key.created")
    assert caller is not None
    assert caller.person_id == entry.person_id
    assert caller.person_id not in (None, acme.person.pk)


@pytest.mark.parametrize(
    "field, value",
    [("name", ""), ("scope", "everything"), ("person", "a/b"), ("person", "me"), ("days", "31")],
)
def test_what_is_wrong_is_said_beside_its_field(owner: Client, acme: Team, field: str, value: str) -> None:
    answer = owner.post(PAGE, {**ASKED, field: value})

    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {field}
    assert actions(acme) == []


def test_a_rotated_key_goes_on_for_a_day_beside_the_new_one(owner: Client, acme: Team) -> None:
    old = make_key(acme, scopes=("read",), person=add_person(acme, "bob"))

    made = owner.post(f"{PAGE}{old.pk}/rotate/", {"hours": "24"})

    caller = find_caller(SECRET.findall(made.content.decode())[0])
    assert caller is not None
    assert (caller.scopes, caller.person_id) == ({"read"}, old.person_id)
    ends_at = reload(acme, old).expires_at
    assert ends_at is not None
    assert timedelta(hours=23) < ends_at - timezone.now() <= timedelta(hours=24)
    assert actions(acme) == [("key.rotated", str(old.pk))]


def test_a_key_rotated_at_once_opens_nothing_any_more(owner: Client, acme: Team) -> None:
    old = make_key(acme)

    owner.post(f"{PAGE}{old.pk}/rotate/", {"hours": "0"})

    assert reload(acme, old).revoked_at is not None


def test_rotating_never_gives_an_old_key_more_time(owner: Client, acme: Team) -> None:
    soon = timezone.now() + timedelta(minutes=5)
    old = make_key(acme, expires_at=soon)

    owner.post(f"{PAGE}{old.pk}/rotate/", {"hours": "168"})

    assert reload(acme, old).expires_at == soon


def test_a_revoked_key_is_neither_rotated_nor_revoked_again(owner: Client, acme: Team) -> None:
    key = make_key(acme)
    owner.post(f"{PAGE}{key.pk}/revoke/")
    ended_at = reload(acme, key).revoked_at

    rotated = owner.post(f"{PAGE}{key.pk}/rotate/", {"hours": "24"}, follow=True)
    owner.post(f"{PAGE}{key.pk}/revoke/")

    assert ended_at is not None
    assert reload(acme, key).revoked_at == ended_at
    assert "has ended already" in text_of(rotated)
    assert [action for action, _ in actions(acme)] == ["key.revoked"]


def test_members_have_no_such_pages(acme: Team) -> None:
    member, key = visitor(join(acme, "bob@acme.example", person="bob")), make_key(acme)

    statuses = [
        member.get(PAGE).status_code,
        member.post(PAGE, ASKED).status_code,
        member.post(f"{PAGE}{key.pk}/revoke/").status_code,
        member.post("/t/acme/first-key/").status_code,
    ]

    assert statuses == [404] * 4
    assert actions(acme) == []


def test_the_list_costs_the_same_however_many_keys_there_are(owner: Client, acme: Team) -> None:
    make_key(acme)
    few = count_queries(owner, PAGE)
    for number in range(5):
        make_key(acme, person=add_person(acme, f"person-{number}"))

    assert count_queries(owner, PAGE) == few <= MOST_QUERIES


def test_the_first_key_stands_in_the_lines_to_copy(owner: Client, acme: Team) -> None:
    page = owner.post("/t/acme/first-key/").content.decode()

    (secret,) = set(SECRET.findall(page))
    assert find_caller(secret) is not None
    assert f"export NEBO_KEY=&quot;{secret}&quot;" in page

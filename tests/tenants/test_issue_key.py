"""`manage.py issue_key`: a key from the shell."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.selectors import find_caller
from tests.conftest import Team


def issue(*arguments: str) -> str:
    out = StringIO()
    call_command("issue_key", *arguments, stdout=out)
    return out.getvalue()


def test_the_json_form_prints_the_key_alone(db: None, acme: Team) -> None:
    document = json.loads(issue("--tenant", "acme", "--json"))

    caller = find_caller(document.pop("key"))
    assert document == {}
    assert caller is not None
    assert (caller.tenant_id, caller.scopes, caller.person_id) == (acme.tenant.pk, {"read", "write"}, None)


def test_the_human_form_says_what_it_is_for(db: None, acme: Team) -> None:
    text = issue("--tenant", "acme", "--user", "alice", "--scopes", "read")

    (line,) = [line.strip() for line in text.splitlines() if line.strip().startswith("nebo_")]
    caller = find_caller(line)
    assert caller is not None
    assert caller.person_id == acme.person.pk
    assert "acme (read), for alice alone" in text


def test_create_makes_the_tenant_and_the_person(committed_db: None) -> None:
    key = json.loads(
        issue("--tenant", "initech", "--create", "--user", "bob", "--scopes", "admin", "--json")
    )["key"]
    issue("--tenant", "initech", "--create")

    tenant = Tenant.objects.get(slug="initech")
    caller = find_caller(key)
    assert caller is not None
    assert (caller.tenant_id, caller.scopes) == (tenant.pk, {"read", "write", "admin"})
    with tenant_scope(tenant):
        kinds = UserProfile.objects.for_tenant(tenant).values_list("kind", "external_id")
        assert set(kinds) == {("shared", "shared"), ("person", "bob")}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--tenant", "initech"], "There is no tenant initech. Add --create"),
        (["--tenant", "Not A Slug", "--create"], "lower-case letters"),
        (["--tenant", "initech", "--create", "--scopes", "read,fly"], "Unknown scope fly: there are read"),
        (["--tenant", "initech", "--create", "--scopes", ","], "needs a scope"),
        (["--tenant", "initech", "--create", "--user", " "], "not blank"),
        (["--tenant", "initech", "--create", "--user", "me"], "`me` stands for"),
    ],
)  # fmt: skip
def test_a_mistake_is_said_and_leaves_nothing_behind(db: None, acme: Team, arguments: Any, says: str) -> None:
    with pytest.raises(CommandError, match=says.replace("(", r"\(")):
        issue(*arguments)

    assert not Tenant.objects.filter(slug="initech").exists()

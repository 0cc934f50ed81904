"""Secrets at rest: what is kept can't be read without the key, and the key can be changed."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.core.management import CommandError, call_command
from django.test import Client

from nebo.product.events.endpoints import NewEndpoint, create_endpoint, read_secrets
from nebo.product.governance.services.erasure import find_erasure, request_erasure
from nebo.product.operations.checks import sealed as sealed_check
from nebo.product.workspace.providers import NewProvider, set_provider
from nebo.tenants.actor import Actor
from nebo.tenants.models import ModelProvider
from nebo.tenants.providers import find_provider
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.sealed_rows import list_sealed_columns, reencrypt
from nebo.tenants.sealing import Unreadable, unseal
from nebo.tenants.services import get_or_create_person
from tests.conftest import Team

OWNER = Actor("user", "1")
KEY = "sk-canary-0123456789"
OLD, NEW = "o" * 40, "n" * 40


@pytest.fixture
def held(committed_db: None, acme: Team) -> dict[str, Any]:
    """A webhook and a provider of acme."""
    with tenant_scope(acme.tenant):
        issued = create_endpoint(tenant=acme.tenant, new=NewEndpoint("https://hooks.example/"), actor=OWNER)
        provider = set_provider(
            tenant=acme.tenant, use="chat", new=NewProvider("openai", "gpt-x", key=KEY), actor=OWNER
        )
    return {"endpoint": issued.endpoint, "secret": issued.secret, "provider": provider}


def read_all(team: Team, held: dict[str, Any]) -> tuple[str, str]:
    with tenant_scope(team.tenant):
        held["endpoint"].refresh_from_db()
        (secret,) = read_secrets(held["endpoint"])
        own = find_provider(tenant=team.tenant, use="chat")
    assert own is not None
    return secret, own.key


def test_every_secret_that_is_read_again_is_in_a_sealed_column() -> None:
    columns = {(model._meta.db_table, column) for model, column in list_sealed_columns()}

    assert columns == {
        ("events_endpoint", "sealed_secret"),
        ("events_endpoint", "sealed_old_secret"),
        ("tenants_modelprovider", "sealed_key"),
    }


def test_what_is_stored_shows_nothing_of_the_secret(held: dict[str, Any], acme: Team) -> None:
    with tenant_scope(acme.tenant):
        row = ModelProvider.objects.for_tenant(acme.tenant).get()

    assert KEY not in row.sealed_key
    assert read_all(acme, held) == (held["secret"], KEY)


def test_a_key_is_changed_while_rows_are_still_under_the_old_one(
    held: dict[str, Any], acme: Team, settings: Any
) -> None:
    settings.ENCRYPTION_KEYS = (OLD,)
    reencrypt()

    settings.ENCRYPTION_KEYS = (NEW, OLD)
    before = read_all(acme, held)
    shown = StringIO()
    call_command("reencrypt", stdout=shown)
    settings.ENCRYPTION_KEYS = (NEW,)

    assert shown.getvalue() == "2 encrypted anew, 0 were under the newest key already.\n"
    assert read_all(acme, held) == before == (held["secret"], KEY)


def test_a_new_secret_key_keeps_secrets_and_logins(
    held: dict[str, Any], acme: Team, settings: Any, client: Client
) -> None:
    client.force_login(acme.owner)
    old = settings.SECRET_KEY

    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another key of this server, quite long", [old]
    page = client.get("/t/acme/keys/")
    kept = read_all(acme, held)
    reencrypt()
    settings.SECRET_KEY_FALLBACKS = []

    assert page.status_code == 200
    assert client.get("/t/acme/keys/").status_code == 200
    assert kept == read_all(acme, held) == (held["secret"], KEY)


def test_a_new_secret_key_still_knows_who_was_erased(committed_db: None, acme: Team, settings: Any) -> None:
    with tenant_scope(acme.tenant):
        bob = get_or_create_person(tenant=acme.tenant, external_id="bob")
        asked = request_erasure(tenant=acme.tenant, person=bob, actor=OWNER)

    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", [settings.SECRET_KEY]

    with tenant_scope(acme.tenant):
        assert find_erasure(tenant=acme.tenant, external_id="bob") == asked


def test_what_nobody_can_read_is_left_and_told(held: dict[str, Any], acme: Team, settings: Any) -> None:
    settings.SECRET_KEY = "another key of this server, quite long"

    (finding,) = sealed_check.look()
    shown = StringIO()
    with pytest.raises(CommandError, match="events_endpoint: 1, tenants_modelprovider: 1"):
        call_command("reencrypt", stdout=shown)

    assert finding.state == "broken"
    assert "1 in events_endpoint, 1 in tenants_modelprovider" in finding.detail
    assert KEY not in finding.detail + finding.remedy


def test_the_doctor_says_when_an_older_key_is_still_needed(held: dict[str, Any], settings: Any) -> None:
    settings.ENCRYPTION_KEYS = (NEW,)

    before = [finding.state for finding in sealed_check.look()]
    reencrypt()
    after = [(finding.state, finding.detail) for finding in sealed_check.look()]

    assert before == ["note"]
    assert after == [("ok", "2, all under the newest key")]


def test_a_text_that_was_never_sealed_is_not_taken_for_a_secret() -> None:
    with pytest.raises(Unreadable):
        unseal(Fernet(Fernet.generate_key()).encrypt(b"x").decode())
    with pytest.raises(Unreadable):
        unseal("sk-in-clear-text")

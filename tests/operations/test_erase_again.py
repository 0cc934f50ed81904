"""Whoever came back after their erasure is erased again; whoever has only their name is not."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from nebo.product.governance.services.erasure import digest_person
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team


@pytest.fixture
def erase_again(acme: Team, tmp_path: Path) -> Callable[[datetime], str]:
    """What the command says of a ledger in which acme's person was erased at that time."""

    def run(at: datetime) -> str:
        digest = digest_person(tenant=acme.tenant, external_id=acme.person.external_id)
        entry = {"tenant": str(acme.tenant.pk), "person": digest, "erased_at": at.isoformat()}
        ledger = tmp_path / "erasures.jsonl"
        ledger.write_text(f"{json.dumps(entry)}\n")
        said = StringIO()
        call_command("erase_again", erased=ledger, stdout=said)
        return said.getvalue()

    return run


def is_there(team: Team) -> bool:
    with tenant_scope(team.tenant):
        return UserProfile.objects.for_tenant(team.tenant).filter(external_id="alice").exists()


def test_somebody_who_was_there_before_their_erasure_is_erased_again(
    committed_db: None, acme: Team, erase_again: Callable[[datetime], str]
) -> None:
    assert "1 people" in erase_again(datetime.now(tz=UTC) + timedelta(seconds=1))

    assert not is_there(acme)


def test_somebody_who_was_told_of_since_by_the_same_name_stays(
    committed_db: None, acme: Team, erase_again: Callable[[datetime], str]
) -> None:
    assert "0 people" in erase_again(datetime.now(tz=UTC) - timedelta(days=1))

    assert is_there(acme)

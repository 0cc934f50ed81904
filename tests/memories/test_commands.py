"""`manage.py memories …`: tables, confirmation, and the door for every change."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from memories.models import AuditEntry, Memory
from memories.storing.edit import delete_memory
from nebo.tenants.scoping import tenant_scope
from nebo.terminal_tables import format_table
from tests.conftest import Team
from tests.memories.conftest import AGENT, live, remember

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("memories", *arguments, stdout=out)
    return out.getvalue()


def say_yes(monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    monkeypatch.setattr("sys.stdin", StringIO(answer))


@pytest.fixture
def known(db: None, acme: Team) -> Team:
    with tenant_scope(acme.tenant):
        remember(acme, "Prefers tea over coffee", key="drink", layer="tacit", namespace="preferences")
        remember(
            acme, "Sarah\nis her sister " + "x" * 100, key="person/sarah", layer="entity", namespace="default"
        )
    return acme


def values(team: Team) -> set[str]:
    with tenant_scope(team.tenant):
        return {memory.value.split("\n")[0] for memory in live(team)}


def id_of(team: Team, key: str) -> str:
    with tenant_scope(team.tenant):
        return str(Memory.objects.for_tenant(team.tenant).get(key=key).pk)


def test_a_list_is_a_table_with_a_line_a_memory(known: Team) -> None:
    lines = run("list", "--tenant", "acme", "--user", "alice").splitlines()

    assert lines[0].split() == ["ID", "NAMESPACE", "KEY", "VALUE", "CONF", "SEEN", "UPDATED"]
    assert set(lines[1]) == {"-", " "}
    assert lines[2].startswith(id_of(known, "person/sarah"))
    assert "Sarah is her sister" in lines[2]
    assert lines[3].startswith(id_of(known, "drink"))
    assert lines[-1] == "2 in all."


def test_a_list_is_narrowed_and_cut(known: Team) -> None:
    alice = ("--tenant", "acme", "--user", "alice")

    assert "sarah" not in run("list", *alice, "--namespace", "tacit")
    assert run("list", *alice, "--limit", "1").endswith("1 of 2.\n")
    assert run("list", *alice, "--status", "deleted") == "No memories.\n"


def test_deleting_shows_what_and_asks_first(known: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ("delete", id_of(known, "drink"), "--tenant", "acme", "--user", "alice")
    say_yes(monkeypatch, "n\n")
    with pytest.raises(CommandError, match="Nothing was changed"):
        run(*arguments)
    say_yes(monkeypatch, "y\n")

    told = run(*arguments)

    assert "Prefers tea" in told
    assert told.endswith("Delete 1? [y/N] Deleted 1.\n")
    assert values(known) == {"Sarah"}
    with tenant_scope(known.tenant):
        assert Memory.objects.for_tenant(known.tenant).get(key="drink").status == "deleted"
        entry = AuditEntry.objects.for_tenant(known.tenant).get(action="memory.deleted")
    assert entry.actor == "operator:memories"


def test_without_anybody_to_ask_nothing_is_done(known: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    say_yes(monkeypatch, "")

    with pytest.raises(CommandError):
        run("clear", "--tenant", "acme", "--user", "alice")

    assert len(values(known)) == 2


def test_purging_leaves_nothing(known: Team) -> None:
    run("delete", id_of(known, "drink"), "--tenant", "acme", "--user", "alice", "--purge", "--yes")

    with tenant_scope(known.tenant):
        assert not Memory.objects.for_tenant(known.tenant).filter(key="drink").exists()


def test_clearing_takes_everything_or_one_namespace(known: Team) -> None:
    told = run("clear", "--tenant", "acme", "--user", "alice", "--namespace", "tacit", "--yes")
    assert told == "Deleted 1; they can be restored for 30 days.\n"
    assert values(known) == {"Sarah"}

    run("clear", "--tenant", "acme", "--user", "alice", "--yes")

    assert values(known) == set()


def test_upkeep_by_hand(known: Team) -> None:
    month = timezone.now() - timedelta(days=31)
    with tenant_scope(known.tenant):
        guess = remember(known, "Perhaps plays chess", key="chess", confidence=0.6).memory
        drink = Memory.objects.for_tenant(known.tenant).get(key="drink")
        delete_memory(tenant=known.tenant, memory=drink, actor=AGENT)
        Memory.unscoped.filter(pk=guess.pk).update(created_at=month)
        Memory.unscoped.filter(pk=drink.pk).update(deleted_at=month)

    assert run("clean-provisional", "--tenant", "acme").startswith("Deleted 1;")
    assert run("purge-trash", "--tenant", "acme", "--yes") == "Purged 1.\n"
    assert values(known) == {"Sarah"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("list", "--tenant", "nobody", "--user", "alice"), "no tenant"),
        (("list", "--tenant", "acme", "--user", "nobody"), "person|found|Nobody"),
        (("delete", str(uuid4()), "--tenant", "acme", "--user", "alice", "--yes"), "[Nn]ot found"),
        (("delete", "x", "--tenant", "acme", "--user", "alice", "--yes"), "invalid"),
        (("erase", "--tenant", "acme"), "invalid choice"),
    ],
)
def test_what_is_not_there_is_said(known: Team, arguments: Any, words: str) -> None:
    with pytest.raises(CommandError, match=words):
        run(*arguments)


def test_anothers_memory_is_not_deleted_by_id(known: Team, rival: Team) -> None:
    with tenant_scope(rival.tenant):
        theirs = remember(rival, "Likes tea").memory

    with pytest.raises(CommandError, match="Not found"):
        run("delete", str(theirs.pk), "--tenant", "acme", "--user", "alice", "--yes")


def test_columns_are_as_wide_as_they_look() -> None:
    table = format_table(("A", "B"), [("紅茶", "x"), ("tea", "y")])

    assert table.splitlines() == ["A     B", "----  -", "紅茶  x", "tea   y"]

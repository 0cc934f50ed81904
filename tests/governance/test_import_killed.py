"""The command that brings conversations in, killed in the midst of it and started again: a real process, kill -9."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from nebo.database import database_urls
from nebo.env import env
from nebo.tenants.scoping import tenant_scope
from sessions.models import Message, Session
from tests.conftest import Team
from tests.governance.test_import_conversations import node
from tests.jobs.worker_process import ROOT, environment, wait_until

CONVERSATIONS, EXCHANGES = 120, 3


def conversation(number: int) -> dict[str, Any]:
    """A conversation of the length that most have, as ChatGPT's export writes it."""
    nodes: list[dict[str, Any]] = [{"id": "root", "parent": None, "children": [], "message": None}]
    for turn in range(EXCHANGES):
        for role, text in (
            ("user", f"Question {turn} of talk {number}: how do I prune roses?"),
            ("assistant", f"Answer {turn} of talk {number}: in February, above an outer bud."),
        ):
            name = f"{number}-{turn}-{role}"
            nodes.append(node(name, nodes[-1]["id"], role, text, 1_700_000_000.0 + number))
    return {
        "conversation_id": f"talk-{number}",
        "current_node": nodes[-1]["id"],
        "mapping": {one["id"]: one for one in nodes},
    }


def command(file: Path) -> Sequence[str]:
    options = ("--source", "chatgpt", "--tenant", "acme", "--user", "ana")
    return (sys.executable, "manage.py", "import_conversations", str(file), *options)


def stored(team: Team) -> int:
    with tenant_scope(team.tenant):
        return Message.objects.for_tenant(team.tenant).count()


@pytest.mark.slow
def test_an_import_that_is_killed_goes_on_and_stores_everything_once(
    committed_db: None, acme: Team, tmp_path: Path
) -> None:
    file = tmp_path / "conversations.json"
    file.write_text(json.dumps([conversation(number) for number in range(CONVERSATIONS)]))
    messages = CONVERSATIONS * EXCHANGES * 2
    variables = environment(database_urls(env), env.test_database)

    first = subprocess.Popen(command(file), cwd=ROOT, env=variables, stderr=subprocess.DEVNULL)
    wait_until(lambda: stored(acme) >= messages // 3)
    first.kill()
    assert first.wait() == -9
    halfway = stored(acme)
    assert 0 < halfway < messages
    rest = subprocess.run(command(file), cwd=ROOT, env=variables, capture_output=True, text=True, check=True)

    assert f"{messages - halfway} messages stored" in rest.stdout
    assert f"{halfway} pieces were there already" in rest.stdout
    with tenant_scope(acme.tenant):
        rows = Message.objects.for_tenant(acme.tenant).order_by("session__key", "seq")
        found = list(rows.values_list("session__key", "seq", "external_id"))
        assert Session.objects.for_tenant(acme.tenant).count() == CONVERSATIONS
    assert len(found) == len({(key, external_id) for key, _, external_id in found}) == messages
    assert {seq for _, seq, _ in found} == set(range(1, EXCHANGES * 2 + 1))

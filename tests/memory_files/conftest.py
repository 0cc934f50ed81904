"""The tool as a model calls it, over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from nebo.product.memory_files.models import MemoryFile
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.memories.conftest import caller

Tool = Callable[..., str]


def tool_of(team: Team, user: str = "alice", **binding: Any) -> Tool:
    """`tool("view", path="/memories")` gives what the model reads; errors begin with `!`."""
    call = caller(team, **binding)

    def tool(command: str, **arguments: Any) -> str:
        answer = call("POST", f"users/{user}/memory-tool/", {"command": command, **arguments})
        assert answer.status_code == 200, answer.content
        result = answer.json()
        return "!" * result["is_error"] + result["content"]

    return tool


@pytest.fixture
def tool(db: None, acme: Team) -> Tool:
    return tool_of(acme)


def file_of(team: Team, path: str) -> MemoryFile:
    with tenant_scope(team.tenant):
        return MemoryFile.objects.for_tenant(team.tenant).get(path=path)

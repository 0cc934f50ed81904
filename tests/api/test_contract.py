"""The running server, asked what schemathesis makes up from the OpenAPI document: it answers as the document says, and
another team's key gets nothing that is this one's.

`NEBO_CONTRACT_CASES=14 .venv/bin/pytest tests/api/test_contract.py` asks more than 2,000 times with each
key. How often it asked is printed with `-s`.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import HypothesisException
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.api.conftest import agent_of
from tests.conftest import Team
from tests.documented import document, take_faults
from tests.live_server import live_server

CASES = int(os.environ.get("NEBO_CONTRACT_CASES", "3"))  # of an operation and a mode; about 80 operations
WORDS = ("lisbon", "invoice", "likes tea", "buy tea")  # of what is there
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
LAST = {"DELETE": 1}  # what takes things away comes after what reads them


@dataclass(frozen=True)
class Server:
    """Where it listens, a key for it, and what is there by the names that addresses use."""

    address: str
    secret: str
    foreign: str
    things: dict[str, str]
    asked: Counter[str] = field(default_factory=Counter)


@pytest.fixture
def server(committed_db: None, acme: Team, rival: Team, settings: Any) -> Iterator[Server]:
    settings.ROOT_URLCONF = "nebo.urls"
    with live_server() as address:
        agent = agent_of(acme, scopes=("read", "write", "admin"))
        session = agent.post("sessions/", {"user": "bob", "key": "chat"}).json()["id"]
        said = {
            "messages": [
                {"role": "user", "content": "I live in Lisbon. Please send me the invoice on Friday."}
            ]
        }
        message = agent.post(f"sessions/{session}/turns/", said).json()["messages"][0]["id"]
        things = {
            "user": "bob",
            "session_id": session,
            "message_id": message,
            "memory_id": agent.post("users/bob/memories/", {"value": "Likes tea."}).json()["id"],
            "todo_id": agent.post("users/bob/todos/", {"text": "Buy tea"}).json()["id"],
            "job_id": agent.post(f"sessions/{session}/flush/").json()["job"]["id"],
            "slug": agent.post("personas/", {"slug": "guide", "name": "Guide"}).json()["slug"],
            "name": "SOUL",
        }
        foreign = agent_of(rival, scopes=("read", "write", "admin"))
        yield Server(address, agent.secret, foreign.secret, things)


@pytest.mark.slow
@pytest.mark.timeout(120 * CASES)
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize("key", ["own", "foreign"])
def test_whatever_is_sent_the_answer_is_as_documented(server: Server, mode: GenerationMode, key: str) -> None:
    schema = schemathesis.openapi.from_dict(document())
    operations = [found.ok() for found in schema.get_all_operations()]
    faults = []

    for operation in sorted(operations, key=when):
        try:
            ask(server, operation, mode, foreign=key == "foreign")
        except (FailureGroup, HypothesisException, AssertionError) as fault:
            faults += [f"{operation.label}: {one}" for one in getattr(fault, "exceptions", [fault])]

    take_faults()  # schemathesis has judged the answers; of what it sends some is wrong on purpose
    print(
        f"\n{key} key, {mode.name.lower()}: {server.asked.total()} asked, {dict(sorted(server.asked.items()))}"
    )
    assert faults == []


def when(operation: Any) -> int:
    """What takes things away comes after what reads them, and what ends the key itself after everything."""
    return LAST.get(operation.method.upper(), 0) + operation.label.endswith("DELETE /api/v1/key/")


def ask(server: Server, operation: Any, mode: GenerationMode, *, foreign: bool) -> None:
    """Some requests that the document allows, or that it doesn't; half of them about what is there. A foreign key is
    told nothing of that.
    """

    @settings(
        max_examples=CASES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode), known=st.booleans())
    def each(case: Any, known: bool) -> None:
        if known:
            case.path_parameters |= {
                name: thing for name, thing in server.things.items() if name in case.path_parameters
            }
        if "wait" in (case.query or {}):
            case.query["wait"] = 0
        case.headers["Authorization"] = f"Bearer {server.foreign if foreign else server.secret}"
        response = case.call_and_validate(base_url=server.address, checks=CHECKS)
        server.asked[f"{response.status_code // 100}xx"] += 1
        if foreign:
            told = response.content.decode(errors="replace").lower()
            ours = [*WORDS, *(thing for name, thing in server.things.items() if name.endswith("_id"))]
            assert [word for word in ours if word in told and word not in sent_in(case)] == []

    each()


def sent_in(case: Any) -> str:
    """What a request says, which an answer may say again."""
    return f"{case.body!r} {case.query!r} {case.path_parameters!r}".lower()

"""A team's own providers: its words go there, its key to that address alone, and nothing shows the key."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from memories.models import AuditEntry
from nebo.llm.breakers import breaker_of, forget_breakers
from nebo.llm.errors import AllModelsFailed
from nebo.llm.routing import complete
from nebo.llm.types import ChatMessage, ChatRequest
from nebo.outbound.guarded import guarded_transport
from nebo.product.workspace.providers import ENTER_AGAIN
from nebo.tenants.models import ModelProvider
from nebo.tenants.providers import list_chat_models_of
from nebo.tenants.scoping import tenant_scope
from search.embeddings.own import asked_for, forget_own
from search.embeddings.registry import get_embedder
from search.embeddings.serving import VectorModel
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.memories.conftest import Call, caller
from tests.scripted_server import ScriptedServer, json_answer, scripted_server, silent, status

__all__ = ["scripted_server"]
pytestmark = pytest.mark.django_db
KEY = "sk-canary-0123456789"
CHAT = "/v1/chat/completions"
REPLY = {"choices": [{"message": {"content": "ready"}}]}
REQUEST = ChatRequest(
    task="summarize", system="Be short.", prompt="Hello", material=(ChatMessage("user", "Hello"),)
)


@pytest.fixture(autouse=True)
def _loopback_may_be_called(settings: Any) -> Iterator[None]:
    settings.WEBHOOK_NETWORKS = ("127.0.0.0/8",)
    forget_own()
    yield
    settings.WEBHOOK_NETWORKS = ("127.0.0.0/8",)
    guarded_transport("http://127.0.0.1/").close()


@pytest.fixture
def call(db: None, acme: Team) -> Call:
    return caller(acme, scopes=("admin",))


def put(call: Call, server: ScriptedServer | None = None, use: str = "chat", **fields: Any) -> Any:
    base = {"base_url": f"{server.url}/v1"} if server else {}
    return call(
        "PUT", f"providers/{use}/", {"kind": "openai", "model": "gpt-x", "key": KEY, **base, **fields}
    )


def test_the_key_goes_in_and_never_comes_out(call: Call, acme: Team) -> None:
    made = put(call)

    answers = [made, call("GET", "providers/"), call("GET", "providers/chat/")]
    assert (made.status_code, made.json()["has_key"], made.json()["own"]) == (200, True, True)
    assert made.json()["base_url"] == "https://api.openai.com/v1"
    assert not any(KEY in answer.content.decode() for answer in answers)
    with tenant_scope(acme.tenant):
        (entry,) = AuditEntry.objects.for_tenant(acme.tenant).filter(object_type="provider")
        row = ModelProvider.objects.for_tenant(acme.tenant).get()
    assert (entry.action, entry.detail["host"], entry.detail["key_changed"]) == (
        "provider.set",
        "api.openai.com",
        True,
    )
    assert KEY not in json.dumps(entry.detail) + row.sealed_key


def test_a_team_s_words_go_to_its_own_provider_with_its_key(
    call: Call, acme: Team, rival: Team, scripted_server: ScriptedServer
) -> None:
    scripted_server.always(CHAT, json_answer(REPLY))
    put(call, scripted_server)

    reply = complete(REQUEST, models=list_chat_models_of(acme.tenant.pk))
    theirs = list_chat_models_of(rival.tenant.pk)

    assert (reply.text, reply.provider, reply.model) == ("ready", "openai", "gpt-x")
    (sent,) = scripted_server.requests
    assert sent.headers["authorization"] == f"Bearer {KEY}"
    assert [model.provider for model in theirs] == ["rules"]


def test_a_job_asks_the_provider_of_its_team(
    call: Call, acme: Team, scripted_server: ScriptedServer, monkeypatch: Any
) -> None:
    scripted_server.always(CHAT, json_answer(REPLY))
    put(call, scripted_server)

    asked = call("POST", "providers/chat/test/")
    run_jobs(acme.tenant)

    assert asked.status_code == 202
    job = call("GET", f"jobs/{asked.json()['job']['id']}/").json()
    (outcome,) = job["result"]["models"]
    assert (outcome["model"], outcome["works"], outcome["words"]) == ("openai/gpt-x", True, "")
    assert len(scripted_server.requests) == 1


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        (status(401), "the key was not accepted (401)"),
        (status(404), "no such model or address (404)"),
        (status(429), "too many requests (429)"),
        (status(302), "its address redirects, correct the base URL (302)"),
    ],
)
def test_a_test_says_in_plain_words_what_is_wrong(
    call: Call, acme: Team, scripted_server: ScriptedServer, behaviour: Any, words: str
) -> None:
    scripted_server.always(CHAT, behaviour)
    put(call, scripted_server)

    asked = call("POST", "providers/chat/test/")
    run_jobs(acme.tenant)

    job = call("GET", f"jobs/{asked.json()['job']['id']}/").json()
    assert job["state"] == "succeeded"
    assert job["result"]["models"][0]["words"] == f"openai/gpt-x: {words}"
    assert KEY not in json.dumps(job)


@pytest.mark.parametrize(
    "address",
    [
        "http://169.254.169.254/v1", "https://10.0.0.1/v1", "https://[::ffff:10.0.0.1]/", "https://0x7f000001/",
        "http://provider.example/v1", "https://localhost/v1", "https://metadata.google.internal/",
        "https://user:word@provider.example/", "ftp://provider.example/", "https://provider.example/?key=1",
    ],
)  # fmt: skip
def test_an_address_inside_is_refused(call: Call, acme: Team, settings: Any, address: str) -> None:
    settings.WEBHOOK_NETWORKS = ()

    answer = put(call, base_url=address)

    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, "#/base_url")
    with tenant_scope(acme.tenant):
        assert not ModelProvider.objects.for_tenant(acme.tenant).exists()


def test_a_name_that_leads_inside_is_refused_when_it_is_called(
    call: Call, acme: Team, scripted_server: ScriptedServer, settings: Any
) -> None:
    put(call, scripted_server)
    with tenant_scope(acme.tenant):
        rows = ModelProvider.objects.for_tenant(acme.tenant)
        rows.update(base_url=f"https://localhost:{scripted_server.url.rpartition(':')[2]}/v1")
    settings.WEBHOOK_NETWORKS = ()

    with pytest.raises(AllModelsFailed, match="leads into a network where Nebo sends nothing"):
        complete(REQUEST, models=list_chat_models_of(acme.tenant.pk))

    assert scripted_server.requests == []


def test_the_key_is_not_sent_to_an_address_it_was_not_entered_for(call: Call) -> None:
    put(call)

    elsewhere = put(call, key="", base_url="https://collector.example/v1")
    same = put(call, key="", model="gpt-y")

    assert (elsewhere.status_code, elsewhere.json()["detail"]) == (400, ENTER_AGAIN)
    assert (same.status_code, same.json()["model"], same.json()["has_key"]) == (200, "gpt-y", True)


def test_a_provider_that_fails_rests_for_its_team_alone(
    call: Call, acme: Team, scripted_server: ScriptedServer
) -> None:
    forget_breakers()
    scripted_server.always(CHAT, status(401))
    put(call, scripted_server)
    models = list_chat_models_of(acme.tenant.pk)

    for _ in range(4):
        with pytest.raises(AllModelsFailed):
            complete(REQUEST, models=models, backoff_s=())

    shown = call("GET", "providers/chat/").json()
    assert shown["resting_reason"] == "the key was not accepted (401)"
    assert shown["resting_since"] is not None
    assert breaker_of("chat", provider="openai", model="gpt-x").is_open is False
    assert put(call, scripted_server).json()["resting_reason"] == ""


def test_while_it_fails_the_server_s_own_is_not_asked(
    call: Call, acme: Team, scripted_server: ScriptedServer
) -> None:
    scripted_server.always(CHAT, silent(0.1))
    put(call, scripted_server)

    assert [f"{one.provider}/{one.model}" for one in list_chat_models_of(acme.tenant.pk)] == ["openai/gpt-x"]


def test_a_removed_provider_gives_way_to_the_server_s_own(call: Call, acme: Team) -> None:
    put(call)

    removed = call("DELETE", "providers/chat/")

    assert removed.status_code == 204
    assert call("GET", "providers/chat/").json()["own"] is False
    assert [model.provider for model in list_chat_models_of(acme.tenant.pk)] == ["rules"]
    assert call("DELETE", "providers/chat/").status_code == 404


def test_vectors_come_from_a_team_s_account_for_the_model_that_serves(
    call: Call, acme: Team, rival: Team, scripted_server: ScriptedServer, monkeypatch: Any
) -> None:
    vector = {"data": [{"index": 0, "embedding": [1.0] + [0.0] * 1535}]}
    scripted_server.always("/v1/embeddings", json_answer(vector))
    with tenant_scope(acme.tenant):
        ModelProvider.objects.for_tenant(acme.tenant).create(
            use="embedding", kind="openai", base_url=f"{scripted_server.url}/v1", model="text-embedding-3-small",
            changed_at="2026-01-01T00:00:00Z",
        )  # fmt: skip
    embedder = get_embedder.__globals__["openai"].build_openai_embedder(api_key="sk-server")
    monkeypatch.setattr("search.embeddings.serving.get_configured", lambda: embedder)
    serving = VectorModel(1, "openai", "text-embedding-3-small", 1536, serves=True)

    made = asked_for(acme.tenant.pk, serving).embed(["ready"])
    theirs = asked_for(rival.tenant.pk, serving)

    assert (len(made[0]), made[0].model_id) == (1536, 1)
    assert "authorization" not in scripted_server.requests[0].headers
    assert theirs.own is None


def test_vectors_of_another_model_than_the_one_that_serves_are_refused(call: Call) -> None:
    answer = put(call, use="embedding", model="text-embedding-3-large")

    assert answer.status_code == 400
    assert "makes vectors itself" in answer.json()["detail"]


def test_a_key_of_one_person_sees_no_providers(call: Call, acme: Team) -> None:
    put(call)
    bound = caller(acme, person=acme.person, scopes=("admin",))

    answers = [
        bound("GET", "providers/"),
        bound("GET", "providers/chat/"),
        bound("DELETE", "providers/chat/"),
    ]

    assert [answer.status_code for answer in answers] == [404, 404, 404]
    assert call("GET", "providers/chat/").json()["own"] is True

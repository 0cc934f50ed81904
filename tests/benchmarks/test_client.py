"""The client against a server that misbehaves by script."""

import pytest

from benchmarks.client import EMBED_JOBS, CallFailed, Client, read_server_timing
from benchmarks.load import put_load
from tests.scripted_server import ScriptedServer, hang_up, json_answer, status

SEARCH = "/api/v1/users/ada%2Flovelace/search/"


def test_a_search_carries_the_key_and_gives_the_times_the_server_tells(
    scripted_server: ScriptedServer, client: Client
) -> None:
    timing = {"Server-Timing": "embed;dur=1.5, sql;dur=3"}
    scripted_server.on(SEARCH, json_answer({"results": []}, headers=timing))

    answer = client.search("ada/lovelace", "Who?", limit=50)

    assert answer.body == {"results": []}
    assert answer.parts == {"embed": 1.5, "sql": 3}
    assert answer.ms > 0
    assert scripted_server.requests[0].headers["authorization"] == "Bearer nebo_key"
    assert scripted_server.requests[0].json == {"query": "Who?", "limit": 50}


def test_a_refusal_says_what_the_server_said(scripted_server: ScriptedServer, client: Client) -> None:
    scripted_server.on(SEARCH, json_answer({"detail": "no such person"}, status=404))

    with pytest.raises(CallFailed, match=r"404.*no such person"):
        client.search("ada/lovelace", "Who?")


def test_a_call_is_made_again_when_told_to_slow_down(scripted_server: ScriptedServer, client: Client) -> None:
    scripted_server.on(SEARCH, status(429, retry_after="0"), json_answer({"results": []}))

    assert client.search("ada/lovelace", "Who?").body == {"results": []}


def test_a_turn_sent_again_on_a_new_connection_has_the_same_idempotency_key(
    scripted_server: ScriptedServer, client: Client
) -> None:
    scripted_server.on(
        "/api/v1/sessions/s/turns/", hang_up(), json_answer({"messages": [{"id": "1"}]}, status=201)
    )

    stored = client.add_turns("s", [{"role": "user", "content": "Hello"}])

    keys = [request.headers["idempotency-key"] for request in scripted_server.requests]
    assert stored == [{"id": "1"}]
    assert len(keys) == 2
    assert len(set(keys)) == 1


def test_waiting_ends_when_no_embedding_job_is_open(scripted_server: ScriptedServer, client: Client) -> None:
    scripted_server.on(f"/api/v1/{EMBED_JOBS}", json_answer({"results": [{"state": "succeeded"}]}))

    client.wait_for_vectors(limit_s=5)

    assert len(scripted_server.requests) == 1


def test_waiting_gives_up_after_its_time(scripted_server: ScriptedServer, client: Client) -> None:
    scripted_server.on(f"/api/v1/{EMBED_JOBS}", json_answer({"results": [{"state": "running"}]}))

    with pytest.raises(TimeoutError, match="worker"):
        client.wait_for_vectors(limit_s=-1)


def test_a_load_is_dealt_out_to_its_clients_and_every_item_is_called_once(
    scripted_server: ScriptedServer, client: Client
) -> None:
    scripted_server.always(SEARCH, json_answer({"results": []}))
    questions = [f"Question {number}?" for number in range(20)]

    load = put_load(
        client,
        4,
        questions,
        lambda own, text: own.search("ada/lovelace", text),
    )

    assert len(load.answers) == load.spread.count == 20
    assert sorted(request.json["query"] for request in scripted_server.requests) == sorted(questions)


def test_server_timing_is_read_with_whatever_else_it_says() -> None:
    assert read_server_timing('embed;desc="a model";dur=1.5, sql;dur=12, cached') == {
        "sql": 12.0,
        "embed": 1.5,
    }

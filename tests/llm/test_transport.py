from __future__ import annotations

import multiprocessing
import ssl
import time
from dataclasses import replace

import pytest

from nebo.llm.deadline import DeadlineTransport, usual_context
from nebo.llm.errors import PermanentError, RetryableError
from nebo.llm.transport import Endpoint, HttpTransport
from tests.scripted_server import (
    Behaviour,
    ScriptedServer,
    drip,
    drip_head,
    hang_up,
    huge,
    json_answer,
    silent,
    status,
    truncated,
)

FAR_S = 20.0  # a test that waits this long has failed anyway
TIMELY_S = 5.0  # far more than a loaded machine needs to notice a deadline of 0.3 s


def test_posts_json_and_returns_status_headers_and_body(
    transport: HttpTransport, scripted_server: ScriptedServer, endpoint: Endpoint
) -> None:
    scripted_server.on("/answer", json_answer({"ok": True}, status=503, headers={"Retry-After": "7"}))

    answer = transport.post_json(endpoint, {"text": "Grüße \ud83d"}, timeout_s=FAR_S)

    sent = scripted_server.requests[0]
    assert (answer.status, answer.body, answer.headers["retry-after"]) == (503, b'{"ok": true}', "7")
    assert (sent.json, sent.headers["authorization"]) == ({"text": "Grüße \ud83d"}, "Bearer sk-secret")


@pytest.mark.parametrize(
    "behaviour", [silent(FAR_S), drip({"text": "x" * 2000}), drip_head()], ids=["silent", "drip", "drip head"]
)
def test_leaves_a_slow_provider_at_the_deadline(
    transport: HttpTransport, scripted_server: ScriptedServer, endpoint: Endpoint, behaviour: Behaviour
) -> None:
    scripted_server.on("/answer", behaviour)

    started = time.monotonic()
    with pytest.raises(RetryableError, match=r"no complete answer within 0\.3 s") as caught:
        transport.post_json(endpoint, {}, timeout_s=0.3)

    assert caught.value.kind == "timeout"
    assert 0.3 <= time.monotonic() - started < TIMELY_S


def test_the_deadline_also_holds_on_a_connection_used_before(
    transport: HttpTransport, scripted_server: ScriptedServer, endpoint: Endpoint
) -> None:
    scripted_server.on("/answer", json_answer({}), drip({"text": "x" * 2000}))
    transport.post_json(endpoint, {}, timeout_s=FAR_S)

    started = time.monotonic()
    with pytest.raises(RetryableError):
        transport.post_json(endpoint, {}, timeout_s=0.3)

    assert time.monotonic() - started < TIMELY_S


def test_a_later_call_has_its_own_deadline(
    transport: HttpTransport, scripted_server: ScriptedServer, endpoint: Endpoint
) -> None:
    scripted_server.on("/silent", silent(FAR_S))
    scripted_server.on("/answer", json_answer({"ok": 1}))
    with pytest.raises(RetryableError):
        transport.post_json(replace(endpoint, url=f"{scripted_server.url}/silent"), {}, timeout_s=0.05)

    answer = transport.post_json(endpoint, {}, timeout_s=FAR_S)

    assert answer.body == b'{"ok": 1}'


@pytest.mark.parametrize(
    "behaviour", [hang_up(), truncated({"text": "x" * 100})], ids=["hung up", "truncated"]
)
def test_a_broken_connection_is_worth_a_retry(
    transport: HttpTransport, scripted_server: ScriptedServer, endpoint: Endpoint, behaviour: Behaviour
) -> None:
    scripted_server.on("/answer", behaviour)

    with pytest.raises(RetryableError, match="broke before the answer was complete") as caught:
        transport.post_json(endpoint, {}, timeout_s=FAR_S)

    assert caught.value.kind == "connection"


def test_a_provider_that_is_not_there_is_worth_a_retry_and_named(transport: HttpTransport) -> None:
    with ScriptedServer() as gone:
        endpoint = Endpoint("ollama", "qwen", gone.url.replace("http://", "http://me:hunter2@"))

    with pytest.raises(RetryableError) as caught:
        transport.post_json(endpoint, {}, timeout_s=FAR_S)

    assert str(caught.value) == f"ollama/qwen: can't connect to {gone.url.removeprefix('http://')}"


def test_an_answer_over_the_size_limit_is_refused(
    transport: HttpTransport, scripted_server: ScriptedServer, endpoint: Endpoint
) -> None:
    scripted_server.on("/answer", huge(3), huge(3))

    with pytest.raises(PermanentError, match="larger than 2048 KiB") as caught:
        transport.post_json(endpoint, {}, timeout_s=FAR_S)
    allowed = transport.post_json(endpoint, {}, timeout_s=FAR_S, max_bytes=4 * 1024 * 1024)

    assert caught.value.kind == "too-large"
    assert len(allowed.body) > 3 * 1024 * 1024


@pytest.mark.parametrize("key", ["sk-secret\nX-Evil: 1", "sk-secret-ü"])
def test_a_key_that_fits_no_header_is_refused_without_being_told(
    transport: HttpTransport, scripted_server: ScriptedServer, key: str
) -> None:
    endpoint = Endpoint("openai", "gpt-x", scripted_server.url, {"authorization": f"Bearer {key}"})

    with pytest.raises(PermanentError) as caught:
        transport.post_json(endpoint, {}, timeout_s=FAR_S)

    assert "sk-secret" not in f"{caught.value!r} {caught.value.__cause__!r} {endpoint!r}"
    assert caught.value.__suppress_context__


@pytest.mark.parametrize("url", ["nowhere", "ftp://127.0.0.1/x", "http://127.0.0.1:port"])
def test_an_address_that_is_none_is_refused(transport: HttpTransport, url: str) -> None:
    with pytest.raises(PermanentError, match="address or key"):
        transport.post_json(Endpoint("openai", "gpt-x", url), {}, timeout_s=FAR_S)


def _status_seen_by(transport: HttpTransport, endpoint: Endpoint) -> int:
    return transport.post_json(endpoint, {}, timeout_s=FAR_S).status


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_forked_process_opens_its_own_connections(
    transport: HttpTransport, scripted_server: ScriptedServer, endpoint: Endpoint
) -> None:
    scripted_server.always("/answer", status(204))
    _status_seen_by(transport, endpoint)

    child = multiprocessing.get_context("fork").Process(target=_status_seen_by, args=(transport, endpoint))
    child.start()
    child.join(FAR_S)

    assert child.exitcode == 0
    assert _status_seen_by(transport, endpoint) == 204
    assert scripted_server.connection_count == 2


def test_loopback_is_never_asked_through_a_proxy(
    monkeypatch: pytest.MonkeyPatch,
    transport: HttpTransport,
    scripted_server: ScriptedServer,
    endpoint: Endpoint,
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    scripted_server.on("/answer", status(200))

    assert _status_seen_by(transport, endpoint) == 200


def test_elsewhere_the_proxy_of_the_environment_is_used_and_bound_by_the_deadline(
    monkeypatch: pytest.MonkeyPatch, transport: HttpTransport, scripted_server: ScriptedServer
) -> None:
    monkeypatch.setenv("HTTP_PROXY", scripted_server.url)
    monkeypatch.setenv("NO_PROXY", "")
    scripted_server.on("http://provider.test/answer", drip({"text": "x" * 2000}))

    started = time.monotonic()
    with pytest.raises(RetryableError, match="no complete answer"):
        transport.post_json(Endpoint("openai", "gpt-x", "http://provider.test/answer"), {}, timeout_s=0.3)

    assert time.monotonic() - started < TIMELY_S


def test_the_authorities_are_read_once_however_many_clients_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[ssl.SSLContext] = []

    def create() -> ssl.SSLContext:
        read.append(ssl.create_default_context())
        return read[-1]

    usual_context.cache_clear()
    monkeypatch.setattr("httpx.create_ssl_context", create)

    for _ in range(3):
        DeadlineTransport().close()

    assert len(read) == 1

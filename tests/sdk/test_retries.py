"""When the client tries again, and that nothing is done twice."""

from __future__ import annotations

import pytest
from nebo_client import Busy, Invalid, ServerError, Unreachable

from tests.scripted_server import Behaviour, ScriptedServer, hang_up, json_answer, silent, status
from tests.sdk.conftest import at_scripted

PATH = "/api/v1/users/annie/memories/"
STORED = json_answer({"id": "1", "value": "Drinks rooibos."}, status=201)
RUNNING = json_answer({"code": "idempotency-key-in-use"}, status=409, headers={"Retry-After": "0"})


@pytest.mark.parametrize(
    "first",
    [status(503), status(502), status(429, retry_after="0"), hang_up(), RUNNING],
    ids=["503", "502", "429", "hang up", "running"],
)
def test_what_passes_is_tried_again_with_the_same_key(
    scripted_server: ScriptedServer, first: Behaviour
) -> None:
    scripted_server.on(PATH, first, STORED)

    with at_scripted(scripted_server) as nebo:
        stored = nebo.user("annie").add_memory("Drinks rooibos.")

    assert stored["id"] == "1"
    keys = [request.headers["idempotency-key"] for request in scripted_server.requests]
    assert len(keys) == 2
    assert keys[0] == keys[1]


def test_another_call_has_another_key(scripted_server: ScriptedServer) -> None:
    scripted_server.always(PATH, STORED)

    with at_scripted(scripted_server) as nebo:
        nebo.user("annie").add_memory("Drinks rooibos.")
        nebo.user("annie").add_memory("Drinks rooibos.")

    assert len({request.headers["idempotency-key"] for request in scripted_server.requests}) == 2


@pytest.mark.parametrize(
    ("answer", "error", "tries"),
    [
        (json_answer({"code": "invalid"}, status=400), Invalid, 1),
        (json_answer({"code": "internal"}, status=500), ServerError, 1),
        (json_answer({"code": "busy"}, status=503, headers={"Retry-After": "0"}), Busy, 3),
        (json_answer({"code": "throttled"}, status=429, headers={"Retry-After": "3600"}), Busy, 1),
        (hang_up(), Unreachable, 3),
    ],
    ids=["400", "500", "503", "an hour", "hang up"],
)
def test_the_client_gives_up(
    scripted_server: ScriptedServer, answer: Behaviour, error: type[Exception], tries: int
) -> None:
    scripted_server.always(PATH, answer)

    with at_scripted(scripted_server, retries=2) as nebo, pytest.raises(error):
        nebo.user("annie").add_memory("Drinks rooibos.")

    assert len(scripted_server.requests) == tries


def test_silence_ends_with_the_timeout(scripted_server: ScriptedServer) -> None:
    scripted_server.always(PATH, silent(30))

    with at_scripted(scripted_server, retries=0, timeout=0.2) as nebo, pytest.raises(Unreachable):
        nebo.user("annie").add_memory("Drinks rooibos.")

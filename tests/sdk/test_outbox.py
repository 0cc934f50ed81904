"""Turns that couldn't be delivered: none is lost, none is doubled, and their order stays."""

from __future__ import annotations

import json

import httpx
import pytest
from nebo_client import Nebo
from nebo_client.outbox import Outbox

from tests.scripted_server import ScriptedServer, json_answer
from tests.sdk.conftest import Place, at_scripted, told, user_says

NOWHERE = "http://127.0.0.1:9"


class LosesAnswers(httpx.BaseTransport):
    """The request arrives; what is answered to a turn gets lost."""

    def __init__(self) -> None:
        self.inner = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        response = self.inner.handle_request(request)
        if request.url.path.endswith("/turns/"):
            response.close()
            raise httpx.ReadError("lost", request=request)
        return response


def test_turns_wait_while_nebo_is_down_and_go_first_when_it_is_back(place: Place, outbox: Outbox) -> None:
    with Nebo(place.key, NOWHERE, retries=0, outbox=outbox.folder) as nebo:
        chat = nebo.user("annie").session("chat")
        assert chat.add(user_says("One.")) is None
        assert chat.add(user_says("Two.")) is None
    assert len(outbox) == 2

    with Nebo(place.key, place.url, outbox=outbox.folder) as nebo:
        chat = nebo.user("annie").session("chat")
        assert chat.add(user_says("Three.")) is not None
        assert told(chat) == ["One.", "Two.", "Three."]
    assert len(outbox) == 0


def test_a_turn_that_arrived_although_its_answer_was_lost_is_stored_once(
    place: Place, outbox: Outbox
) -> None:
    lossy = Nebo(place.key, place.url, retries=0, outbox=outbox.folder, transport=LosesAnswers())
    with lossy as nebo:
        assert nebo.user("annie").session("chat").add(user_says("One.")) is None

    with Nebo(place.key, place.url, outbox=outbox.folder) as nebo:
        assert nebo.send_kept() == 0
        assert told(nebo.user("annie").session("chat")) == ["One."]


def test_what_is_refused_for_good_is_put_aside_and_holds_up_nothing(place: Place, outbox: Outbox) -> None:
    with Nebo(place.key, NOWHERE, retries=0, outbox=outbox.folder) as nebo:
        nebo.user("annie").session("chat").add(user_says("x" * 2_000_000))
        nebo.user("annie").session("chat").add(user_says("Fine."))

    with Nebo(place.key, place.url, outbox=outbox.folder) as nebo:
        assert nebo.send_kept() == 0
        assert told(nebo.user("annie").session("chat")) == ["Fine."]
    aside = outbox.folder / "refused"
    assert len(list(aside.glob("*.json"))) == len(list(aside.glob("*.txt"))) == 1


def test_a_revoked_key_keeps_the_turns(scripted_server: ScriptedServer, outbox: Outbox) -> None:
    scripted_server.always("/api/v1/sessions/", json_answer({"code": "unauthenticated"}, status=401))

    with at_scripted(scripted_server, outbox=outbox.folder) as nebo:
        assert nebo.user("annie").session("chat").add(user_says("One.")) is None
        assert nebo.send_kept() == 1


def test_two_processes_do_not_send_at_once(place: Place, outbox: Outbox) -> None:
    with Nebo(place.key, NOWHERE, retries=0, outbox=outbox.folder) as nebo:
        nebo.user("annie").session("chat").add(user_says("One."))

    with Nebo(place.key, place.url, outbox=outbox.folder) as nebo:
        with outbox.sending() as mine:
            assert mine
            assert nebo.send_kept() == 1
        assert nebo.send_kept() == 0


@pytest.mark.parametrize("field", ["external_id", "created_at"])
def test_a_kept_message_has_a_name_and_a_time_of_its_own(place: Place, outbox: Outbox, field: str) -> None:
    with Nebo(place.key, NOWHERE, retries=0, outbox=outbox.folder) as nebo:
        nebo.user("annie").session("chat").add(user_says("One."))

    (path,) = outbox.folder.glob("*.json")
    assert json.loads(path.read_text())["messages"][0][field]
    assert path.parent.stat().st_mode & 0o077 == 0

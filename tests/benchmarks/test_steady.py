"""What is said of a search beside heavy work."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from benchmarks.asking import Asker, Reply
from benchmarks.client import Client
from benchmarks.conversations import Conversation, Question, Turn
from benchmarks.exchange import Exchange, Stretch, render_exchange
from benchmarks.importing import Asked, Import, render_import
from benchmarks.latency import Person
from benchmarks.newcomer import Look, Newcomer
from benchmarks.quality import Subject
from tests.benchmarks.test_page import cells
from tests.scripted_server import ScriptedServer, json_answer, status

SEARCH = "/api/v1/users/ada/search/"
QUESTIONS = (Question("Where?", "single", ("m1",)), Question("Who?", "single", ("m2",)))
SUBJECT = Subject(Conversation("talk", (), QUESTIONS), "ada", "s", {})
NAMED = {"results": [{"messages": [{"id": "1", "external_id": "m1"}]}]}


def test_a_question_beside_an_import_counts_where_it_was_put() -> None:
    alone = [Asked(0.0, 10.0)] * 4
    beside = [Asked(100.0, 20.0), Asked(109.0, 20.0), Asked(110.0, 30.0)]

    told = render_import(Import(alone, beside, 100.0, Person("ben", "s", 500, 10.0, 20.0)))

    assert cells(told.partition("\n\n")[0])[1:] == [
        ["alone", "4", "10.0", "10.0", "10.0", "1.000", "1.000"],
        ["while the turns are stored", "2", "20.0", "20.0", "20.0", "2.0", "2.0"],
        ["while their vectors are made", "1", "30.0", "30.0", "30.0", "3.0", "3.0"],
        ["the whole import", "3", "20.0", "30.0", "30.0", "2.0", "3.0"],
    ]
    assert (
        "500 turns, 100 a call, were stored in 10 s and had their vectors after 20 s (25 a second)." in told
    )


def test_an_exchange_tells_failures_recall_and_answers_that_differ() -> None:
    replies = [
        Reply(0, 0.0, 0.010, ("m1", "m2")),
        Reply(0, 1.0, 1.010, ("m1",)),
        Reply(1, 2.0, 2.010, ("m1", "m2")),
        Reply(1, 3.0, 3.010, failure="500: broken"),
    ]
    old, new = [("m1", "m2"), ()], [("m1",), ("m1", "m2")]
    stretches = [Stretch("old alone", replies, [old]), Stretch("cutover", replies, [old, new])]

    told = render_exchange(Exchange(SUBJECT, 1_000, stretches, 60.0, 30, 30, Look(20, 19), Look(30, 30)))

    assert cells(told.partition("\n\n")[0])[1:] == [
        ["old alone", "4", "1", "1.000", "33.3%", "10.0", "10.0"],
        ["cutover", "4", "1", "1.000", "100.0%", "10.0", "10.0"],
    ]
    assert "19 of 20" in told
    assert "500: broken" in told


def test_askers_note_failures_and_go_on(scripted_server: ScriptedServer, client: Client) -> None:
    scripted_server.on(SEARCH, status(500))
    scripted_server.always(SEARCH, json_answer(NAMED))
    asker = Asker(SUBJECT)

    began = time.monotonic()
    with asker.asking(client, 2):
        while len(asker.replies) < 4:
            time.sleep(0.01)
    ended = time.monotonic()

    failed = [reply for reply in asker.replies if reply.failure]
    assert [reply.failure.partition(":")[0] for reply in failed] == ["500"]
    assert {reply.found for reply in asker.replies if not reply.failure} == {("m1",)}
    assert asker.list_within(began, ended) == asker.replies
    first_asked_at = min(reply.asked_at for reply in asker.replies)
    assert asker.list_around(began, first_asked_at) == []


def test_no_two_askings_are_alike_so_that_no_kept_answer_is_given(
    scripted_server: ScriptedServer, client: Client
) -> None:
    scripted_server.always(SEARCH, json_answer(NAMED))
    asker = Asker(SUBJECT)

    asker.ask_all(client)
    assert asker.ask_all(client) == [("m1",), ("m1",)]

    bodies = [request.body for request in scripted_server.requests]
    assert len(set(bodies)) == len(bodies) == 4


def test_a_newcomer_is_found_by_vector_when_the_own_words_lead_there_first(
    scripted_server: ScriptedServer, client: Client
) -> None:
    said_at = datetime(2024, 1, 1, tzinfo=UTC)
    newcomer = Newcomer("ada")
    newcomer.written = [(0.0, Turn(id, "Ada", id, said_at)) for id in ("m1", "m2")]
    newcomer.written.append((time.monotonic(), Turn("m3", "Ada", "too new", said_at)))
    scripted_server.always(SEARCH, json_answer(NAMED))

    assert newcomer.look(client) == Look(wanted=2, found=1)
    assert scripted_server.requests[0].json["ranking"] == "dense"

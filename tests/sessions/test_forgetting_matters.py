"""What goes on telling what somebody asks to have forgotten goes with it; what only may be about it is asked about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from tests.conftest import Team
from tests.dashboard.waiting import items_of, press, undo
from tests.sessions.conftest import Call, caller
from tests.sessions.test_forgetting import begin, say, work
from tests.visitors import visitor

pytestmark = pytest.mark.usefixtures("committed_db")


@dataclass(frozen=True)
class Quarrel:
    """What was told of a matter, what of other things, how it is taken back, and what only may be about it."""

    told: tuple[str, ...]
    else_told: tuple[str, ...]
    asked: str
    unclear: tuple[str, ...] = ()


QUARRELS = {
    "en": Quarrel(
        (
            "I had a huge fight with Tomás yesterday. He slammed the door and left.",
            "he threw my keys into the river",
            "Since the fight I sleep on the sofa.",
        ),
        ("Tomás is my boyfriend.", "I watched a boxing fight on TV.", "My mum had a fight with the bank."),
        "Please forget the fight with Tomás.",
        ("We yelled at each other all night.",),
    ),
    "de": Quarrel(
        (
            "Ich hatte einen furchtbaren Streit mit Merle. Sie hat die Tür zugeknallt.",
            "Seit dem Streit schlafe ich auf dem Sofa.",
        ),
        ("Merle ist meine Frau.", "Ich streite mich oft mit dem Amt."),
        "Vergiss bitte den Streit mit Merle.",
        ("Ich bin immer noch stinksauer auf sie.",),
    ),
    "es": Quarrel(
        (
            "Iker y yo discutimos ayer por el dinero, fue horrible.",
            "Desde la discusión no me habla.",
        ),
        ("Iker es mi novio.", "Juego al pádel todos los jueves."),
        "Olvida lo que te conté de la discusión con Iker, por favor.",
        ("Nos gritamos toda la noche.",),
    ),
}

# All that was said about somebody, whatever else it tells.
ABOUT = {
    "de": Quarrel(
        (
            "der filialleiter stresst, will mir die samstage nich freigeben",
            "mit dem filialleiter hab ich mich wieder vertragen, der is eigentlich n netter",
        ),
        ("Meine Tochter Sandra wohnt in Bochum.",),
        "vergiss ma bitte, wat ich über den filialleiter gesagt hab",
    ),
    "es": Quarrel(
        (
            "he tenido una bronca con la vecina de arriba, la encarni, por el ruido",
            "y encima me ha denunciado la encarni",
            "con la encarni ya está todo hablado, retiró la denuncia",
        ),
        ("Mi hermana vive en Cádiz.",),
        "olvídate de lo de la encarni, que no quiero que conste",
    ),
}


@pytest.fixture
def call(acme: Team, settings: Any) -> Call:
    settings.ROOT_URLCONF = "nebo.urls"
    return caller(acme, scopes=["read", "write", "admin"])


def shown(call: Call, session_id: str) -> str:
    rows = call("GET", f"sessions/{session_id}/messages/?limit=100").json()["results"]
    return "\n".join(row["content"] for row in rows)


def forget_quarrel(call: Call, acme: Team, case: Quarrel) -> str:
    """Told, taken back, and all jobs done."""
    session_id = begin(call, "chat")
    first, *others = case.told
    for text in (*case.else_told, first, *case.unclear, *others):
        say(call, session_id, ("user", text))
    work(acme)
    for request in say(call, session_id, ("user", case.asked))["forget_requests"]:
        call("POST", f"users/alice/forget-requests/{request['id']}/confirm/")
    work(acme)
    return session_id


@pytest.mark.parametrize("language", QUARRELS)
def test_what_goes_on_telling_it_goes_with_it_and_comes_back(call: Call, acme: Team, language: str) -> None:
    case = QUARRELS[language]

    session_id = forget_quarrel(call, acme, case)
    left = shown(call, session_id)
    for memory in call("GET", "users/alice/memories/?status=deleted").json()["results"]:
        call("POST", f"memories/{memory['id']}/restore/")
    back = shown(call, session_id)

    assert [text for text in case.told if text in left] == []
    assert [text for text in case.else_told if text not in left] == []
    assert [text for text in (*case.told, *case.else_told) if text not in back] == []


@pytest.mark.parametrize("language", ABOUT)
def test_all_that_was_said_about_somebody_goes(call: Call, acme: Team, language: str) -> None:
    case = ABOUT[language]

    session_id = forget_quarrel(call, acme, case)
    left = shown(call, session_id)

    assert [text for text in case.told if text in left] == []
    assert [text for text in case.else_told if text not in left] == []


@pytest.mark.parametrize("language", QUARRELS)
def test_what_only_may_be_about_it_is_asked_about(call: Call, acme: Team, language: str) -> None:
    case = QUARRELS[language]

    session_id = forget_quarrel(call, acme, case)
    (request,) = call("GET", "users/alice/forget-requests/").json()["results"]
    before = shown(call, session_id)
    ids = [one["id"] for one in request["passages"]]
    answer = call("POST", f"users/alice/forget-requests/{request['id']}/confirm/", {"passages": ids})

    assert {one["text"] for one in request["passages"]} >= set(case.unclear)
    assert {one["text"] for one in request["passages"]}.isdisjoint(case.told)
    assert all(text in before for text in case.unclear)
    assert answer.status_code == 200
    assert not any(text in shown(call, session_id) for text in case.unclear)


@pytest.mark.parametrize("language", QUARRELS)
def test_what_was_withheld_by_a_decision_is_shown_again_once_that_is_undone(
    call: Call, acme: Team, language: str
) -> None:
    case = QUARRELS[language]
    session_id = forget_quarrel(call, acme, case)
    before, client = shown(call, session_id), visitor(acme.owner)
    (item,) = items_of(acme)
    ids = [one.id for one in item.options if one.name == "passage"]
    press(client, item, passage=ids)
    work(acme)
    withheld = shown(call, session_id)

    undo(client)
    work(acme)

    assert ids
    assert not any(text in withheld for text in case.unclear)
    assert shown(call, session_id) == before
    assert not any(text in before for text in case.told)
    (again,) = items_of(acme)
    assert [(one.id, one.text) for one in again.options] == [(one.id, one.text) for one in item.options]
    assert again.seen == item.seen


def test_a_passage_that_the_request_does_not_name_is_named_in_the_answer(call: Call, acme: Team) -> None:
    forget_quarrel(call, acme, QUARRELS["en"])
    (request,) = call("GET", "users/alice/forget-requests/").json()["results"]

    answer = call(
        "POST", f"users/alice/forget-requests/{request['id']}/confirm/", {"passages": [request["id"]]}
    )

    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"] == "#/passages"


def test_everything_about_it_takes_what_may_be_about_it_along(call: Call, acme: Team) -> None:
    case = QUARRELS["en"]
    everything = Quarrel(
        case.told, case.else_told, "Please forget everything about the fight with Tomás.", case.unclear
    )

    session_id = forget_quarrel(call, acme, everything)

    assert call("GET", "users/alice/forget-requests/").json()["results"] == []
    assert not any(text in shown(call, session_id) for text in case.unclear)

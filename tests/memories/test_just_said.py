"""A bare correction is about what was said just before: the nearest memory or todo with the same kind of figure."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memories.models import Todo
from tests.conftest import Team
from tests.memories.conftest import SAID, hear, hear_message, live, say

pytestmark = pytest.mark.django_db


def values(team: Team) -> list[str]:
    return [memory.value for memory in live(team)]


@pytest.mark.parametrize(
    ("told", "corrected", "right", "wrong"),
    [
        ("I take pottery lessons at the town hall, mondays and fridays", "no wait, it's tuesdays and fridays",
         "Tuesdays and Fridays", "Mondays"),
        ("My niece Ida is 6.", "actually 7", "7", "6"),
        ("My landlord is called Torben.", "sorry, torsten", "Torsten", "Torben"),
        ("Unser Chor probt immer dienstags in der Aula.", "ach nein, mittwochs", "mittwochs", "dienstags"),
    ],
)  # fmt: skip
def test_the_next_message_puts_right_what_was_said(
    scope: Team, told: str, corrected: str, right: str, wrong: str
) -> None:
    hear(scope, told)

    hear(scope, corrected, at=SAID + timedelta(minutes=1))

    (kept,) = values(scope)
    assert right in kept and wrong not in kept


def test_so_does_one_some_messages_later(scope: Team) -> None:
    hear(scope, "I take pottery lessons at the town hall, mondays and fridays")
    hear(scope, "My cousin Wanda keeps two alpacas in Devon.", at=SAID + timedelta(minutes=2))

    hear(scope, "no wait, it's tuesdays and thursdays", at=SAID + timedelta(minutes=4))

    assert any("Tuesdays and Thursdays" in value for value in values(scope))
    assert len(values(scope)) == 2


def test_the_day_of_a_todo_that_was_told_last_is_put_right(scope: Team) -> None:
    now = datetime.now(UTC)  # what was due long ago is no longer open
    hear(scope, "My sister Ida swims on Mondays.", at=now)
    hear(scope, "I have to hand in the tax form by Tuesday", at=now)

    hear(scope, "no sorry, I mean Thursday", at=now)

    todo = Todo.objects.for_tenant(scope.tenant).get()
    assert todo.due_at is not None and todo.due_at.strftime("%A") == "Thursday"
    assert values(scope) == ["The user's sister Ida swims on Mondays."]


def test_what_was_said_long_before_is_not_meant(scope: Team) -> None:
    hear(scope, "I take pottery lessons at the town hall, mondays and fridays")

    hear(scope, "no wait, it's tuesdays and thursdays", at=SAID + timedelta(hours=3))

    assert "Mondays and Fridays" in values(scope)[0]


@pytest.mark.parametrize(
    "next_message",
    [
        "on fridays my brother has band practice",
        "actually 4 people from work came along",
        "sorry, do you have 2 minutes?",
        "no, 3 eggs are plenty",
        "thanks, see you thursday",
        "actually I like them",
        "sorry, wrong chat",
        "ten minutes later it rained",
    ],
)
def test_what_corrects_nothing_leaves_it_as_it_was(scope: Team, next_message: str) -> None:
    hear(scope, "My niece Ida is 6.")
    hear(
        scope,
        "I take pottery lessons at the town hall, mondays and wednesdays",
        at=SAID + timedelta(minutes=1),
    )
    before = values(scope)

    hear(scope, next_message, at=SAID + timedelta(minutes=2))

    assert values(scope)[:2] == before


def test_it_is_undone_like_every_change(scope: Team) -> None:
    hear(scope, "My niece Ida is 6.")
    (message,) = say(scope, "actually 7")

    hear_message(scope, message, at=SAID + timedelta(minutes=1))

    (now,) = live(scope)
    assert now.value == "The user's niece Ida is 7."
    assert now.supersedes.get().value == "The user's niece Ida is 6."


def test_who_is_called_otherwise_weeks_later_is_called_so_alone(scope: Team) -> None:
    hear(scope, "My aunt has started yoga lessons with somebody called Bettina, Mondays and Thursdays")

    hear(
        scope,
        "Correction, my aunt's yoga teacher is called Bettine, not Bettina",
        at=SAID + timedelta(days=30),
    )

    (kept,) = values(scope)
    assert "Bettine," in kept


def test_what_calls_itself_a_correction_may_say_why(scope: Team) -> None:
    hear(scope, "Ab 3. März bin ich Pförtnerin im Klinikum Fürth.")

    hear(scope, "ach, Korrektur: ab 1. April, März war denen zu früh", at=SAID + timedelta(minutes=1))

    (kept,) = values(scope)
    assert "1. April" in kept and "März" not in kept


def test_nobody_loses_their_name_by_another_age(scope: Team) -> None:
    hear(scope, "buenas. me llamo Benita, tengo 68 años y mi nieto me ha puesto esto en el móvil.")
    hear(
        scope, "mi nieto se llama Unai, tiene 14 años, es el que me puso esto", at=SAID + timedelta(minutes=1)
    )

    hear(scope, "no tengo 68, eh, que cumplí 69 en mayo", at=SAID + timedelta(days=90), thorough=True)

    kept = values(scope)
    assert any("llamo Benita" in value for value in kept)
    assert any("Unai tiene 14" in value for value in kept)
    assert not any("Tengo 68" in value or "Tengo 14" in value or "Unai tiene 6" in value for value in kept)

"""The task follows the talk: begun by a request, kept by what is about it, ended by what says it is done."""

from __future__ import annotations

import pytest

from nebo.reading.meaning.reader import read_text
from nebo.reading.requests.tasks import LEFT_AFTER, follow_task, is_left

TAX = "Help me prepare the documents for my tax return"


def after(*said: str, current: str = "") -> str:
    for text in said:
        current = follow_task(current, read_text(text).sentences)
    return current


@pytest.mark.parametrize(
    ("said", "task"),
    [
        (
            "Morning! Could you help me draft a speech for my brother's wedding?",
            "Could you help me draft a speech for my brother's wedding?",
        ),
        (
            "Hilf mir bitte, einen Trainingsplan für den Halbmarathon aufzustellen.",
            "Hilf mir bitte, einen Trainingsplan für den Halbmarathon aufzustellen.",
        ),
        (
            "Necesito que me ayudes a redactar una carta para el casero.",
            "Necesito que me ayudes a redactar una carta para el casero.",
        ),
        (
            "Ayúdame a redactar la carta al ayuntamiento.",
            "Ayúdame a redactar la carta al ayuntamiento.",
        ),
        (
            "Ahora ayúdame a preparar la fiesta de Jimena.",
            "Ahora ayúdame a preparar la fiesta de Jimena.",
        ),
        ("Erinnere mich bitte an den Termin beim Notar.", ""),
        ("I had a lovely weekend at the lake.", ""),
        ("Please keep your answers short from now on.", ""),
        ("Remind me to water the plants tomorrow.", ""),
        ("What's the capital of Peru?", ""),
        ("Shorter, please.", ""),
    ],
)
def test_a_request_that_names_something_begins_a_task(said: str, task: str) -> None:
    assert after(said) == task


def test_another_request_takes_its_place() -> None:
    assert after(
        "Can you help me plan the menu for Saturday's dinner?",
        "Now write me a cover letter for the museum job.",
    ).startswith("Now write me a cover letter")


def test_a_request_about_the_same_goes_on_with_it() -> None:
    task = after("Can you help me plan the menu for Saturday's dinner?")

    assert after("Please add a dessert to the menu for Saturday.", current=task) == task
    assert after("Make it a bit shorter.", "Thanks!", current=task) == task


@pytest.mark.parametrize(
    "said",
    [
        "The tax return is filed, all done.",
        "I sent the tax return off this morning.",
        "Never mind the tax return, my accountant does it now.",
    ],
)
def test_what_is_done_or_dropped_is_no_task_any_more(said: str) -> None:
    assert after(said, current=TAX) == ""


@pytest.mark.parametrize(
    "said", ["I still haven't found the receipts for the tax return.", "My neighbour's dog is gone."]
)
def test_what_is_not_done_stays(said: str) -> None:
    assert after(said, current=TAX) == TAX


def test_a_task_nobody_speaks_of_any_more_is_left() -> None:
    chat = [f"We saw {number} herons at the river." for number in range(LEFT_AFTER)]

    assert is_left(TAX, chat)
    assert not is_left(TAX, chat[1:])
    assert not is_left(TAX, [*chat[:-1], "The tax office wrote again."])

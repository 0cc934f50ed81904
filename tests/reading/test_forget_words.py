"""Whether forgetting is asked for or declined."""

from __future__ import annotations

import pytest

from nebo.reading.words.forget_words import asks_to_keep, begins_to_forget


@pytest.mark.parametrize(
    "said",
    [
        "Don't forget that I'm vegan",
        "Vergiss bitte nicht, dass wir umziehen",
        "No olvides que soy celíaca",
        "N'oublie pas que je suis végétarien",
        "Non dimenticare che sono allergica",
    ],
)
def test_who_says_not_to_forget_wants_it_kept(said: str) -> None:
    assert asks_to_keep(said)
    assert not begins_to_forget(said)


@pytest.mark.parametrize(
    "said",
    [
        "Vergiss bitte, dass Merle und ich gestritten haben",
        "please forget what I said about Paul",
        "olvida que discutimos",
        "Oublie que je t'ai parlé de Paul",
        "Dimentica quello che ho detto",
    ],
)
def test_the_order_to_forget_is_seen(said: str) -> None:
    assert begins_to_forget(said)


@pytest.mark.parametrize(
    "said", ["I forget names all the time", "Ich vergesse oft Namen", "She told me to forget it"]
)
def test_whoever_forgets_orders_nothing(said: str) -> None:
    assert not begins_to_forget(said)


@pytest.mark.parametrize("said", ["Could you forget what Mrs Pugh said?", "¿Puedes olvidar lo de Rubén?"])
def test_who_asks_politely_to_forget_orders_it(said: str) -> None:
    assert begins_to_forget(said)

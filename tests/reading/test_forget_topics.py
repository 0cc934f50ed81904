"""What goes on with what somebody asked to have forgotten, right behind it in the same message."""

from __future__ import annotations

import pytest

from nebo.reading.forgetting.topics import Tie, find_topic

ROW = find_topic(
    ["big row with my flatmate Alf."], "forget the row with Alf, it's embarrassing", known=("Alf",)
)


@pytest.mark.parametrize("text", ['80 euros and he "lost" the receipt', "he sold my drill without asking!!"])
def test_what_they_did_goes_on(text: str) -> None:
    assert ROW.follows(text, same_message=True) == Tie.CLEAR


@pytest.mark.parametrize("text", ["My mother lives in Ely", "he's a nurse in Hull"])
def test_what_else_is_told_does_not(text: str) -> None:
    assert ROW.follows(text, same_message=True) != Tie.CLEAR

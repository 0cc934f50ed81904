"""What says nothing by itself is no memory, and what leads up to a statement is no part of it."""

from __future__ import annotations

import pytest

from nebo.reading.facts.statements import is_stump
from nebo.reading.words.openers import without_opener


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("By the way, I moved to Lisbon", "I moved to Lisbon"),
        ("Since I've moved to York.", "I've moved to York."),
        ("Considering I've lost two kilos since May.", "I've lost two kilos since May."),
        ("Since I moved to York, I cycle", "Since I moved to York, I cycle"),
        ("Since 2019 I haven't smoked", "Since 2019 I haven't smoked"),
    ],
)
def test_what_leads_up_to_a_statement_goes(said: str, kept: str) -> None:
    assert without_opener(said) == kept


@pytest.mark.parametrize(
    ("clause", "stump"),
    [
        ("As someone who is driven by curiosity", True),
        ("2024, will be affected by my first meeting", True),
        ("It was really good for me", True),
        ("I work on it together with the", True),
        ("I keep bees on the roof", False),
    ],
)
def test_a_clause_that_needs_another_is_a_stump(clause: str, stump: bool) -> None:
    assert is_stump(clause) is stump

"""What is over by what a sentence tells, though it reads little like an end: a colleague's leaving, a swap, a lapse."""

from __future__ import annotations

from nebo.reading.meaning.reader import Sentence
from nebo.reading.relations.colleagues import has_left_firm
from nebo.reading.relations.lapses import has_lapsed
from nebo.reading.relations.ranks import has_risen
from nebo.reading.relations.swaps import is_swapped
from nebo.reading.relations.working_days import works_other_days
from nebo.reading.relations.worn import is_taken_off


def is_told_over(known: str, sentence: Sentence) -> bool:
    """Whether a sentence tells by one of these that what is known holds no longer."""
    over = (has_risen, has_left_firm, is_swapped, has_lapsed, is_taken_off, works_other_days)
    return any(is_so(known, sentence) for is_so in over)

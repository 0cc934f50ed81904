"""Whether a quote supports a wish for how somebody wants to be answered, or a habit of their talk."""

from __future__ import annotations

from nebo.reading.meaning.reader import read_sentence
from nebo.reading.requests.wishes import FieldRequest, likely_slots, read_values
from nebo.reading.support.claims import weigh_claim
from nebo.reading.support.quoted import QuoteInContext
from nebo.reading.support.verdicts import SUPPORTED, Support, doubt, refuse
from nebo.reading.wording.covering import list_words

MIN_WORDS = 2  # of a quote that shows anything of a manner


def weigh_style(claim: str, source: QuoteInContext) -> Support:
    """A wish must be asked for in its quote, with the same value; what somebody says they like must be said so; a mere
    manner of talk is never plain to code.
    """
    asked = _values(source.clauses) or _values(source.sentences)
    claimed = _values(claim)
    if claimed and asked:
        same = set(claimed) <= set(asked)
        return SUPPORTED if same else refuse("The words quoted ask for something else.")
    found = weigh_claim(claim, source, serious=False)
    asks = read_sentence(source.sentences)
    is_wish = claimed or read_sentence(claim).may_be("wish")
    if found.holds and is_wish and not (asks.may_be("wish") or asks.may_be("wish_back")):
        return doubt("Code alone can't tell whether the words quoted ask for it.")
    if found.grade == "unsupported" and not claimed and len(list_words(source.quote)) > MIN_WORDS:
        return doubt("Code alone can't tell whether the words quoted show this manner.")
    return found


def _values(text: str) -> list[FieldRequest]:
    """What a sentence asks for with certainty, in any of the matters it is likely about."""
    meaning = read_sentence(text)
    return [one for slot in likely_slots(meaning.slots) for one in read_values(text, slot)]

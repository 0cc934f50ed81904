"""Plans to move that are over once the speaker tells where they live, after the day that was planned.

“We're moving to Cádiz on 1 August” ends the old home on that day, and says where they live from then on. When they tell
in October that they live in La Viña, nothing is planned any more. A plan without a day is over only where the message
names its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, date, timedelta
from difflib import SequenceMatcher

from memories.learning.utterance import Utterance
from memories.models import Memory
from memories.screening.personal import without_quote
from memories.storing.audited_writes import Change, change_memory, lock_person, policy_of
from nebo.reading.facts.values import find_value
from nebo.reading.meaning.antecedents import find_antecedent
from nebo.reading.meaning.reader import Sentence
from nebo.reading.relations.moves import find_planned_move
from nebo.reading.relations.own_words import in_own_words
from nebo.reading.relations.plans import tells_ahead
from nebo.reading.relations.same_fact import denies
from nebo.reading.times.dates import find_due
from nebo.reading.wording.adding import adds_one_more

LOOKED_THROUGH = 60  # memories, the newest
SURE = 0.7  # chance of a home from which a sentence without a place tells of one
LIVES = 0.5  # the same of one with a place
WHY_CHARS = 160  # characters of a sentence in a reason
ALIKE = 0.8  # share of their letters that two spellings of one place have: Ghent and Gent
_WORD = re.compile(r"[^\W\d_][\w'’-]+")


def end_moves_come_true(
    turn: Utterance, sentences: Iterable[Sentence], kept: Mapping[int, Memory]
) -> list[Memory]:
    """Close the speaker's plans to move that have come true; what was closed."""
    closed = []
    for sentence in sentences:
        new = kept.get(sentence.start)
        if new is None or not _tells_where_they_live(sentence):
            continue
        known = turn.known_before(without={memory.pk for memory in kept.values()})[:LOOKED_THROUGH]
        closed += [_close(turn, old, sentence, by=new) for old in known if _is_past(turn, old)]
    return closed


def _tells_where_they_live(sentence: Sentence) -> bool:
    text, meaning = sentence.text, sentence.meaning
    first = text.partition(",")[0]  # what follows is of the house, or of who lives there too
    if meaning.slot != "home" or meaning.is_of_another() or find_antecedent(first) is not None:
        return False
    if tells_ahead(text) or denies(text) or adds_one_more(first):
        return False
    return meaning.slot_chance >= (LIVES if find_value("home", text) else SURE)


def _is_past(turn: Utterance, old: Memory) -> bool:
    """Whether it is a plan to move whose day has come; one without a day, if the message names the place."""
    known = in_own_words(old.value, turn.person.display_name)
    place = find_planned_move(known)
    if not place or old.valid_from is None:
        return False
    said_on = old.valid_from.astimezone(UTC).date()
    day = _day_of(known, said_on)
    if day is not None:
        return day <= turn.at.astimezone(UTC).date()
    return any(_are_one(place, word) for word in _WORD.findall(turn.text))


def _day_of(known: str, said_on: date) -> date | None:
    when = find_due(known, said_on)
    if when is None or when.due is None:
        return None
    return when.day or when.due + timedelta(days=1)


def _are_one(place: str, word: str) -> bool:
    return word[:1].isupper() and SequenceMatcher(None, place.lower(), word.lower()).ratio() >= ALIKE


def _close(turn: Utterance, old: Memory, sentence: Sentence, *, by: Memory) -> Memory:
    policy = policy_of(lock_person(tenant=turn.tenant, person=turn.person))
    old.refresh_from_db()
    fields = {
        "status": Memory.Status.SUPERSEDED,
        "valid_to": max(turn.at, old.valid_from or turn.at),
        "superseded_by_id": by.pk,
    }
    why = f"Has come true: “{sentence.text[:WHY_CHARS]}”"
    reason = without_quote(policy, why)
    change = Change("superseded", turn.actor, reason=reason, message_id=turn.message_id)
    return change_memory(tenant=turn.tenant, memory=old, fields=fields, change=change)

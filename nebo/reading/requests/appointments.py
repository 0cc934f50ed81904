"""An appointment that somebody tells of, with its day still ahead: "booked the dentist for the 12th"."""

from __future__ import annotations

import re
from datetime import date

from nebo.reading.meaning.reader import Sentence
from nebo.reading.requests.todos import MIN_CHARS, FoundTodo, act_of, is_meant
from nebo.reading.times.dates import TimeMention, find_due
from nebo.reading.words.openers import without_opener

COMMITTED = 0.75  # chance that it is one thing to be done or kept, from which it is an appointment
DOUBT = 0.5  # chance of being done, of asking, or of being another's, from which its words must tell more

# Of what was done ("paid on the 1st") the day may be over; these say that it is still to come.
_FOR = re.compile(r"\b(?:for|für|para|pour|per)(?: (?:the|den|el|il|le|am))?\s*$", re.IGNORECASE)
_IS = re.compile(
    r"(?:\b(?:is|are|ist|sind|es|est|è)|['’]s)(?: (?:on|at|am|um|el|le|il|alle))?(?: the)?\s*$", re.IGNORECASE
)
# "Rang them on Friday": over, whichever Friday that was. "Booked the vet for Friday" isn't.
_IS_OVER = re.compile(
    r"(?:I |we |already )*(?:rang|called|phoned|told|did|done|went|saw|met|sent|wrote|emailed|paid|spoke"
    r"|talked|finished|posted)\b(?!.*\bfor\b)",
    re.IGNORECASE,
)
_DUE = re.compile(
    r"(?:i['’]ve(?: got)?|i have(?: got)?|there['’]s) (?:also )?(?:an?|my|another) "
    r"(?P<what>(?:[\w'’-]+ ){0,3}?(?:essay|assignment|report|paper|dissertation|thesis|coursework|homework|article"
    r"|chapter|presentation|application|return|invoice|bill|payment|form)\b[^,.;]{0,50}?)"
    r"(?:,? (?:that['’]s|which is))? due"
    r" (?:on |by |in )?(?P<when>[^,;]+)",
    re.IGNORECASE,
)
# Who leaves, or begins something, on a day tells what will be so from then on: nothing is to be done about it.
_CHANGES = re.compile(
    r"(?:(?:so|and|also|then) )*(?:i['’]?m|i am|we['’]?re|we are|i['’]?ll be|ich|wir|yo|je|io)?\s*(?:leaving|quitting"
    r"|resigning|retiring|moving out|changing jobs|kündigen?|höre?n? auf|dejo|renuncio|me jubilo|démissionne|quitte"
    r"|lascio|mi licenzio)\b",
    re.IGNORECASE,
)
_COPULA = re.compile(r"(?:\s+(?:is|are|ist|sind|es|est|è|now|jetzt)|['’]s)+$", re.IGNORECASE)
_NO_WAIT = re.compile(
    r"^(?:(?:no|nope|nein|non|wait|hang on|moment|warte|espera|aspetta|attends|sorry|actually|perdona)\b[\s,.!-]*)+",
    re.IGNORECASE,
)


def find_appointment(sentence: Sentence, on: date) -> FoundTodo | None:
    """What is to be kept on a day that is told; None where the sentence tells of none, or of somebody else's."""
    meaning = sentence.meaning
    chances = meaning.chances
    if due := _find_due_work(sentence, on):
        return due
    if meaning.slots.get("commitment", 0.0) < COMMITTED or not is_meant(meaning):
        return None
    if max(chances[kind] for kind in ("relative", "question", "request", "dropped", "forget")) >= DOUBT:
        return None
    text = _NO_WAIT.sub("", sentence.text)
    when = find_due(text, on)
    if when is None or when.day is None or not _is_ahead(text, when, sentence):
        return None
    act = _COPULA.sub("", act_of(text, when))
    return FoundTodo(act[:1].upper() + act[1:], "commitment", when.due) if len(act) >= MIN_CHARS else None


def _find_due_work(sentence: Sentence, on: date) -> FoundTodo | None:
    """Work that is to be handed in on a day: "I have an essay on fractions due 6 October"."""
    work = _DUE.match(without_opener(sentence.text))
    when = find_due(work["when"], on) if work and is_meant(sentence.meaning) else None
    if work is None or when is None or sentence.meaning.may_be("question"):
        return None
    return FoundTodo(f"{work['what'][:1].upper()}{work['what'][1:]}", "commitment", when.due)


def _is_ahead(text: str, when: TimeMention, sentence: Sentence) -> bool:
    before, chances = text[: when.start], sentence.meaning.chances
    if _IS_OVER.match(without_opener(text)) or _CHANGES.match(without_opener(text)):
        return False
    return bool(_FOR.search(before) or _IS.search(before)) or max(chances["done"], chances["event"]) < DOUBT

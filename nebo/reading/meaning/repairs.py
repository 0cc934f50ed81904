"""What somebody puts right as they speak: "born in 1988, sorry, typo, 1989", "My boss is Xaver. Sorry, Xavier."

Only where the correction says nothing else, and it is plain what of the words before it stands for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from nebo.reading.meaning.cutting import PAUSE, cut
from nebo.reading.meaning.put_right import put_right, without_figures
from nebo.reading.meaning.sentences import Span
from nebo.reading.meaning.telling import ClauseReading
from nebo.reading.wording.polarity import is_denied
from nebo.reading.words.content_words import content_words
from nebo.reading.words.pauses import split_at_pauses

CORRECTS = 0.3  # chance of a correction, from which a few words may be a bare one
CONTRADICTS = 0.2  # the same of them behind a "no", where they are nothing but what is put right
MAX_WORDS = 9  # of a bare correction
MAX_TAIL = 5  # of one behind a pause
MAX_OTHER = 2  # of its words that stand neither in what it puts right nor in its place: "typo", "meant"
# What is only denied is put in the place of nothing: "at 9.15, not 9", "los lunes, no los martes".
_DENIES = re.compile(
    r"(?:(?:and|und|y|et|e) )?(?:(?:not|nicht|kein\w*|pas)\b|(?:no|non) (?!it|its|wait|sorry|i\b)(?!\w+,))",
    re.IGNORECASE,
)
_DATED = re.compile(r"\b\d{1,2}(?:st|nd|rd|th)\b")
_ITS_DAY = re.compile(
    r"(?:so )?it(?:['’]s|['’]ll be| is) (?:now )?(?:on )?the \d{1,2}(?:st|nd|rd|th)(?: now| instead)?[.!]*",
    re.IGNORECASE,
)
_OF_SOMEBODY = re.compile(r"(?:(?:s?he|they)\b|er |sie |él |ella |ell?e |il |lui |lei )", re.IGNORECASE)
# "No hang on, 5" is "no, 5".
_HANG_ON = re.compile(
    r"^(?:no,? )?(?:hang on|hold on|wait(?: a (?:sec|minute|moment))?|scratch that|quatsch|moment(?: mal)?|espera"
    r"|attends|aspetta)"
    r"[,.!]? (?:no,? )?(?=\S)",
    re.IGNORECASE,
)
_CORRECTION = re.compile(
    r"^(?:(?:oh|ach|ah|no|nee|nein|sorry|wait|ok(?:ay)?|also|actually|small|quick|kurze|kleine|una|pequeña),? )*"
    r"(?:korrektur|correction|corrección|correction|rettifica|correzione)\s?[:,]\s*(?=\S)",
    re.IGNORECASE,
)
_SLIP = (
    r"(?:(?:oh |ach |ah )?(?:no|nein|nee|non|nah|sorry|perdón|digo|i mean|ich meine|quatsch)"
    r"(?:,? (?:wait|quatsch|sorry|espera|moment))?|(?:no )?wait(?:,? no)?)"
)
# "in Antwerp, no wait, in Ghent", „unsere goldene, nein, silberne Hochzeit“: what was said by a slip.
_SAID_TWICE = (
    re.compile(
        rf"\b(?P<how>in|at|on|from|to|am|um|im|bei|aus|nach|en|de"
        rf"|à) (?P<old>[\w'’:.-]+),? {_SLIP}, (?=(?P=how) [\w'’])",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?P<old>[a-zäöüß]{{2,}}(?P<end>e[nmrs]?)), {_SLIP}, (?=[a-zäöüß]{{2,}}(?P=end) [A-ZÄÖÜ])"
    ),
)
_EXCLAIMED = re.compile(r"\w+[,!.]\s+")  # "nope, …"


def set_right(known: str, stated: str, read: Callable[[str], ClauseReading]) -> str:
    """What was just said, with what a bare correction names in its place; empty where it is none.

    It is for who has just said it: "actually 5" is about nothing by itself.
    """
    stated = _first_of_correction(_HANG_ON.sub("no, ", stated))
    if _DENIES.match(stated) or stated.endswith("?") or not may_correct(stated, read):
        return ""
    surely = read(stated).chances["correction"] >= CORRECTS
    if not surely and _OF_SOMEBODY.match(stated):  # "my son has the dentist at three. He's seven."
        return ""
    corrected = put_right(known, stated, names=surely)
    if not corrected or is_denied(stated.partition(" ")[2]):  # but for a "no" at its beginning
        return ""
    bare = _EXCLAIMED.sub("", stated, count=1)
    before, *after = split_at_pauses(bare) or [bare]
    head = " ".join([before, *(part for part in after if not _goes_on(part))])
    other = content_words(without_figures(head)) - content_words(known) - content_words(corrected)
    return corrected if len(other) <= (MAX_OTHER if surely else 0) else ""


def _first_of_correction(stated: str) -> str:
    """What a correction that calls itself one puts right, without why: "correction: from 1 March, May was full"."""
    found = _CORRECTION.match(stated)
    return (
        f"no, {split_at_pauses(stated[found.end() :])[0]}"
        if found and stated[found.end() :].strip()
        else stated
    )


def may_correct(stated: str, read: Callable[[str], ClauseReading]) -> bool:
    """Whether a few words may be a bare correction: by themselves, or said with a "no"."""
    stated = _first_of_correction(stated)
    if len(stated.split()) > MAX_WORDS:
        return False
    contradicting = read(f"No, {stated}").chances["correction"] >= CONTRADICTS
    return contradicting or read(stated).chances["correction"] >= CORRECTS


def repair(spans: list[Span], read: Callable[[str], ClauseReading]) -> list[Span]:
    """Sentences of one message, without those that only put the one before right, which then reads as it is meant."""
    repaired: list[Span] = []
    for span in (_repair_itself(one, read) for one in spans):
        before = repaired[-1] if repaired else None
        if before and _says_which_day(before.text, span.text):
            repaired[-1] = Span(f"{before.text.rstrip(' .!')}, {span.text}", before.start, span.end)
            continue
        corrected = _put_right(before.text, span.text, read) if before else ""
        if before is None or not corrected:
            repaired.append(span)
            continue
        rest = list(_list_rest(span))
        repaired[-1] = Span(corrected, before.start, rest[0].start if rest else span.end)
        repaired += rest
    return repaired


def _says_which_day(before: str, stated: str) -> bool:
    """Whether it says no more than the day that takes the place of one denied: "We can't do the 15th. It's the
    22nd".
    """
    return (
        is_denied(before)
        and _DATED.search(before) is not None
        and _ITS_DAY.fullmatch(stated.strip()) is not None
    )


def _put_right(before: str, stated: str, read: Callable[[str], ClauseReading]) -> str:
    """What denies or corrects something itself is about something else."""
    if is_denied(before) or read(before).may_be("correction") or before.rstrip().endswith("?"):
        return ""
    return set_right(before, stated, read)


def _repair_itself(span: Span, read: Callable[[str], ClauseReading]) -> Span:
    span = _without_slip(span)
    whole = read(span.text).chances["correction"]
    for left, right in cut(span) if PAUSE.search(span.text) else ():
        if len(right.text.split()) > MAX_TAIL:
            continue
        alone = read(right.text).chances["correction"] if " " in right.text else 0.0
        if max(whole, alone) < CONTRADICTS:
            continue
        if corrected := _put_right(left.text, right.text, read):
            return Span(corrected, span.start, span.end)
    return span


def _without_slip(span: Span) -> Span:
    """A sentence without what is said anew in the same breath and the same form."""
    text = span.text
    for pattern in _SAID_TWICE:
        text = pattern.sub("", text)
    return Span(text, span.start, span.end) if text != span.text else span


def _list_rest(span: Span) -> Iterator[Span]:
    """What a correction goes on to say of whom it names: "sorry, Xavier, he's French"."""
    parts = split_at_pauses(span.text)
    if len(parts) > 1 and _goes_on(parts[-1]):
        yield Span(parts[-1], span.end - len(parts[-1]), span.end)


def _goes_on(part: str) -> bool:
    return part.lower().startswith(
        ("he's ", "she's ", "he is ", "she is ", "er ist ", "sie ist ", "es ", "il est ", "è ")
    )

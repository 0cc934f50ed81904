"""A short correction set into the fact that it is about: "no, 12 December" of "The deadline is 5 December".

Only where it names exactly one day, weekday, number or name that the fact doesn't have, and it is plain which one of
the fact it stands for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nebo.reading.meaning.sentences import capital
from nebo.reading.times.calendar_words import COUNTS, MONTHS, WEEKDAYS, plain
from nebo.reading.wording.names import names_of

_MONTH = "|".join(MONTHS)
_DAY = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th|\.|º)?(?: of| de| di)? (?:{_MONTH})\b|\b(?:{_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?\b",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(rf"\b(?:{'|'.join(WEEKDAYS)})s?\b", re.IGNORECASE)
_NUMBER = re.compile(rf"\b(?:\d+(?:[.:,]\d+)*(?:st|nd|rd|th)?|{'|'.join(COUNTS[3:])})\b", re.IGNORECASE)
_DAY_ALONE = re.compile(
    r"\b\d{1,2}(?:st|nd|rd|th)\b|\b\d{1,2}[.º]?(?=\W*$)"
)  # "the 11th, sorry", "no, el 14"
# What is over, named beside what holds: "it's the Lindauer, not Lindner", „nicht Lindner, Lindauer“.
_OVER = re.compile(
    r"\b(?:not|nicht|no|pas|non)\s+(?:(?:the|der|die|das|el|la|le|il)\s+)?(?P<name>[^\W\d_][\w'’-]{2,})",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\b(?P<count>\d+(?:[.:,]\d+)*) (?P<what>[^\W\d_]{4,})")
_LABEL = re.compile(r" \([^()]*\d[^()]*\)")  # the day beside a relative one


def put_right(known: str, stated: str, *, names: bool = True) -> str:
    """The fact with what a correction names in the place of what it had; empty where that isn't plain. Without
    `names`, only days and numbers are set in.
    """
    bare = _LABEL.sub("", known)
    plainly = _replaced_plainly(bare, stated)
    found = (
        [plainly]
        if plainly
        else [one for one in (_replacement(bare, stated, kind) for kind in (_DAY, _WEEKDAY, _NUMBER)) if one]
    )
    if not found and names:
        found = list(_replaced_name(bare, stated))
    if len(found) != 1:
        return ""
    old, new = found[0]
    new = capital(new) if old[:1].isupper() else f"{new[:1].lower()}{new[1:]}"
    return re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _: new, bare, count=1)


def corrects_plainly(known: str, stated: str) -> bool:
    """Whether a correction itself says what of the fact is over, or counts anew what the fact counts."""
    return _replaced_plainly(_LABEL.sub("", known), stated) is not None


def _replaced_plainly(known: str, stated: str) -> tuple[str, str] | None:
    """The one name that is over and the one new name; or the number of the same things."""
    ours, theirs = names_of(known), names_of(f"… {stated}")
    over = [word for word in ours if any(plain(word) == plain(one["name"]) for one in _OVER.finditer(stated))]
    new = [word for word in theirs if plain(word) not in set(map(plain, ours))]
    if len(over) == 1 and len(new) == 1:
        return over[0], new[0]
    had = {plain(one["what"]): one["count"] for one in _COUNTED.finditer(known)}
    counted = [(had.get(plain(one["what"])), one["count"]) for one in _COUNTED.finditer(stated)]
    told = [(before, now) for before, now in counted if before and before != now]
    before, now = told[0] if len(told) == 1 else (None, "")
    return (before, now) if before and known.count(before) == 1 else None


def _replacement(known: str, stated: str, kind: re.Pattern[str]) -> tuple[str, str] | None:
    """What of one kind stands in the fact, and what is told instead; a day may be told without its month."""
    if kind is _NUMBER:
        days = " ".join(found[0] for found in _DAY.finditer(known))
        known, stated = (_WEEKDAY.sub(" ", _DAY.sub(" ", text)) for text in (known, stated))
        if days and _DAY_ALONE.search(stated) and not _NUMBER.search(known):
            known = days
    return _one_for_one([m[0] for m in kind.finditer(known)], [m[0] for m in kind.finditer(stated)])


def _replaced_name(known: str, stated: str) -> Iterator[tuple[str, str]]:
    """A name for a name, where the one that is over is named too: "not Agnes, Annis"."""
    ours, theirs = names_of(known), names_of(f"… {stated}")
    found = _one_for_one(ours, theirs)
    if found and found[0] in theirs:
        yield found


def _one_for_one(ours: list[str], theirs: list[str]) -> tuple[str, str] | None:
    had = {plain(word): word for word in ours}
    named = {plain(word): word for word in theirs}
    new = [word for key, word in named.items() if key not in had]
    denied = [word for key, word in had.items() if key in named]
    meant = denied or list(had.values())
    return (meant[0], new[0]) if len(new) == 1 and len(meant) == 1 else None

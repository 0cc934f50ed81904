"""A short correction set into the fact that it is about: "no, 12 December" of "The deadline is 5 December".

Only where it names exactly one day, weekday, number or name that the fact doesn't have, and it is plain which one of
the fact it stands for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from nebo.reading.meaning.antecedents import find_antecedent
from nebo.reading.meaning.mistyped import find_mistyped
from nebo.reading.meaning.sentences import capital
from nebo.reading.times.calendar_words import COUNTS, MONTHS, SEASONS, WEEKDAYS, plain
from nebo.reading.times.dates import without_times
from nebo.reading.wording.names import names_of
from nebo.reading.wording.polarity import is_denied
from nebo.reading.words.stop_words import words

_MONTH = "|".join(MONTHS)
_DAY = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th|\.|º)?(?: of| de| di)? (?:{_MONTH})\b|\b(?:{_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?\b",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(rf"\b(?:{'|'.join(WEEKDAYS)})s?\b", re.IGNORECASE)
# Several in a row: "Tuesdays and Thursdays", „montags, mittwochs und freitags“.
_WEEKDAYS = re.compile(
    rf"{_WEEKDAY.pattern}(?:(?:, | ?[&/+] ?|,? (?:and|und|y|et|e) )(?:el |los |le |il )?{_WEEKDAY.pattern})+",
    re.IGNORECASE,
)
_NUMBER = re.compile(rf"\b(?:\d+(?:[.:,]\d+)*(?:st|nd|rd|th)?|{'|'.join(COUNTS[3:])})\b", re.IGNORECASE)
_DAY_ALONE = re.compile(
    r"\b\d{1,2}(?:st|nd|rd|th)\b|\b\d{1,2}[.º]?(?=\W*$)"
)  # "the 11th, sorry", "no, el 14"
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
# What the speaker, or who is named first, has for an age: "tengo 71 años y mi nieta …".
_OWN_AGE = re.compile(
    r"(?:\b(?:i am|ich bin|tengo|cumplo|cumplí|j['’]ai|ho|is|turned|turns|turn)|\bi['’]?m)"
    r" (?:(?:now|already|jetzt|schon|ya) )?$",
    re.IGNORECASE,
)
_MY_AGE = re.compile(
    r"\b(?:i am|i['’]?m|ich bin|tengo|cumplo|cumplí|j['’]ai|ho) (?:(?:not|now|nicht|jetzt|schon|ya) )?\d{1,3}\b",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th|[.º])$")
_PART_OF_YEAR = re.compile(rf"\b(?:{_MONTH}|{'|'.join(SEASONS.values())})\b", re.IGNORECASE)
# What is over, named beside what holds: "it's the Lindauer, not Lindner", „nicht Lindner, Lindauer“.
_OVER = re.compile(
    r"\b(?:not|nicht|no|pas|non)\s+(?:(?:from|in|at|to|with|aus|nach|bei|von|mit|zu|de|en|con|d[eu]|à|chez"
    r"|avec|da|di)\s+)?"
    r"(?:(?:the|der|die|das|el|la|le|il)\s+)?(?P<name>[^\W\d_][\w'’-]{2,})",
    re.IGNORECASE,
)
# Who isn't any more, where somebody else now is: "Jens isn't my supervisor anymore, it's Karoline".
_NO_LONGER = re.compile(
    r"\b(?P<name>[^\W\d_][\w'’-]{2,}) (?:is no longer|(?:isn['’]?t|is not)(?=.*\b(?:any ?more|any longer)\b)"
    r"|ist (?:nicht|kein\w*)(?=.*\bmehr\b)|ya no es|n['’]est plus|non è più)\b"
)
_OF_WHOM = re.compile(r",? (?:and |und |y |et |e )?(?:he|she|er|sie|él|ella|il|elle|lui|lei)\b.*$")
_IS_NOT = re.compile(
    r"(?:\b(?:isn['’]t|is not|['’]s not|aren['’]t|ist (?:gar |doch )?(?:kein\w*|nicht)|no es|no son|non è)"
    r"|\bn['’]est pas)\s+"
    r"(?:(?:an?|the|una?|une?|ein\w*|der|die|das) )?(?P<what>[^\W\d_]{4,})",
    re.IGNORECASE,
)
# The same behind what is so: "he's in year 9, not the choir", „sie ist Hebamme, nicht Ärztin“.
_NOT_SO = re.compile(
    r",\s+(?:(?:and|und|y|et|e) )?(?:not|nicht|no|pas|non)\s+"
    r"(?:(?:the|an?|der|die|das|eine?|el|la|una?|le|les|une|il|lo) )?(?P<what>[^\W\d_]{4,})\W*$",
    re.IGNORECASE,
)
_FIGURE = re.compile(rf"{_NUMBER.pattern}|{_WEEKDAY.pattern}|{_PART_OF_YEAR.pattern}", re.IGNORECASE)
_SIGN, _CURRENCY = (
    r"[$€£¥]",
    r"(?:euros?|pounds?|quid|dollars?|bucks|francs?|franken|kronor|chf|eur|gbp|usd)\b",
)
_MONEY = re.compile(rf"{_SIGN}|\b{_CURRENCY}", re.IGNORECASE)
_AMOUNT = rf"(?:{_SIGN}|\b{_CURRENCY}) ?{{0}}|{{0}} ?(?:{_SIGN}|{_CURRENCY})"
_CLOCK = re.compile(r"\b\d{1,2}(?:[:.]\d\d)? ?(?:[ap]\.?m\b\.?|uhr\b|o['’]clock\b)", re.IGNORECASE)
# What a version, a room or a bus is of: "PostgreSQL 14", "Room 214".
_VERSION = re.compile(
    r"\b((?=[a-z]*[A-Z])[A-Za-z][\w+#-]{2,}|[a-z]{3,}(?= v?\d+\.\d)),? v?(?P<number>\d+(?:\.\d+)*)"
)
_STAGE = re.compile(
    r"\b(?:phase|step|chapter|level|part|week|stage|sprint|module|milestone|lesson|unit|kapitel|schritt"
    r"|woche|teil|lektion"
    r"|fase|capítulo|etapa|semana|lección|étape|chapitre|semaine|leçon|capitolo|settimana|lezione)s? \d",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\b(?P<count>\d+(?:[.:,]\d+)*) (?P<what>[^\W\d_]{4,})")
# "I said six, it's eight", „ich sagte Dienstag, es ist Mittwoch“: what was said, and what it is.
_SAID_INSTEAD = re.compile(
    r"\b(?:I (?:said|told you|wrote)|ich (?:sagte|schrieb|hab(?:e)? (?:dir )?gesagt)|(?:te )?dije"
    r"|j['’]ai dit|ho detto) "
    r"(?:(?:on|am|el|le|il) )?(?P<old>[^\s,;]+(?: [^\s,;]+)??)(?:,|;)? (?:(?:but|and|aber|und|y|pero|et|mais|e|ma) )?"
    r"(?:(?:actually|eigentlich|en realidad) )?(?:it['’]?s|it is|there are|they['’]re|that['’]s|es sind"
    r"|es ist|das ist|sind|ist"
    r"|es|son|eran?|c['’]est|ce sont|è|sono) (?:(?:actually|on|am|el|le|il"
    r"|really) )?(?P<new>[^\s,;.!]+(?: [^\s,;.!]+)?)"
    r"(?=$|[,;.!])",
    re.IGNORECASE,
)
_TIME_OF_YEAR = "|".join((*MONTHS, *SEASONS, *WEEKDAYS))
_PLACE = re.compile(
    rf"\b(?:in|at|near|bei|nach|en|cerca de|à|chez|a"
    rf"|ad) (?P<place>(?!(?i:{_TIME_OF_YEAR})\b)[A-ZÀ-ÖØ-Þ][\w'’-]{{2,}})"
)
_LABEL = re.compile(r" \([^()]*\d[^()]*\)")  # the day beside a relative one
_IT_IS = re.compile(r"\b(?:its|it['’]s|i mean|i meant|wait)\b", re.IGNORECASE)
_IT_IS_ALONE = re.compile(rf"{_IT_IS.pattern} (?:now |actually |really )?\d[\d.,]*\W*$", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
SPELT_ALIKE = (
    0.75  # share of their letters that two spellings of one name have: Xaver and Xavier, Lindner and Lindauer
)
_WHOSE = words("my our mein meine unser unsere mi nuestro nuestra mon ma notre mio mia")
STEM = 5  # letters by which two forms of a word are told to be one: "vegetariana", "vegetarian"
LEAST_LETTERS = 4  # of such a name; "Mia" and "Mina" are two people


def put_right(known: str, stated: str, *, names: bool = True) -> str:
    """The fact with what a correction names in the place of what it had; empty where that isn't plain. Without
    `names`, only days and numbers are set in.
    """
    bare = _LABEL.sub("", known)
    plainly = _replaced_plainly(bare, stated)
    found = [plainly] if plainly else list(_replaced_weekdays(bare, stated))
    if not plainly and _tells_of_another(bare, stated):
        return ""
    if not found:
        found = [
            one for one in (_replacement(bare, stated, kind) for kind in (_DAY, _WEEKDAY, _NUMBER)) if one
        ] or list(_replaced_month(bare, stated))
    if not found and names:
        found = list(_replaced_name(bare, stated)) or list(_spelt_anew(bare, stated))
    if len(found) != 1 or _is_age_of_another(bare, found[0][0], stated):
        return ""
    old, new = found[0]
    if not plainly and (elsewhere := find_other_places(bare, stated)):
        bare = _move(bare, *elsewhere)
    if old.lower().endswith("days") and new.lower().endswith("day"):
        new += "s"
    new = capital(new) if old[:1].isupper() else f"{new[:1].lower()}{new[1:]}"
    new = _WEEKDAY.sub(lambda day: capital(day[0]) if "day" in day[0].lower() else day[0], new)
    if plainly and _is_somebody_else(old, stated):
        bare = _OF_WHOM.sub(".", bare)
    return re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _: new, bare, count=1)


def find_other_places(known: str, stated: str) -> tuple[list[str], list[str]] | None:
    """The places of the fact, and those of a sentence that names another: "Sundays in Hull instead" is no market in
    York.
    """
    ours, theirs = ([one["place"] for one in _PLACE.finditer(text)] for text in (known, stated))
    had = {plain(word) for word in _WORD.findall(known)}
    return (ours, theirs) if ours and any(plain(place) not in had for place in theirs) else None


def _move(known: str, ours: Sequence[str], theirs: Sequence[str]) -> str:
    """The fact with the one other place; empty where several are named, of which one may be over."""
    if len(ours) > 1 or len(theirs) > 1:
        return ""
    return re.sub(rf"(?<!\w){re.escape(ours[0])}(?!\w)", lambda _: theirs[0], known, count=1)


def _tells_of_another(known: str, stated: str) -> bool:
    """Whether a sentence begins with somebody of whom the fact says nothing: their day is no day of the fact."""
    told = find_antecedent(stated)
    if told is None:
        return False
    ours = {plain(word) for word in _WORD.findall(known)}
    theirs = {plain(word) for word in _WORD.findall(told.who)} | told.kin
    return ours.isdisjoint(theirs - _WHOSE)


def _is_age_of_another(known: str, old: str, stated: str) -> bool:
    """Whether a figure of the fact is the age of the one it is about, and a sentence tells of somebody whom the fact
    names only behind it: the granddaughter, of "I'm 71, and my granddaughter set this up".
    """
    before = known[: known.find(old)]
    about = find_antecedent(known)
    if _MY_AGE.search(stated) and about is not None and about.kin:  # "no tengo 71" is nobody else's age
        return True
    return _OWN_AGE.search(before) is not None and _tells_of_another(before, stated)


def corrects_another(known: str, stated: str) -> bool:
    """Whether a correction says what isn't so, and that is nothing of the fact: "Ana isn't a vet, she's a nurse" says
    nothing against "Ana is from Hull".
    """
    return _denies_nothing_of(known, [found["what"] for found in _IS_NOT.finditer(stated)])


def corrects_what_else(known: str, stated: str) -> bool:
    """The same of what isn't so and is named last, "…, not the choir": of a fact that answers another question."""
    behind = [found["what"] for found in _NOT_SO.finditer(stated)]
    return _denies_nothing_of(known, [what for what in behind if not _FIGURE.fullmatch(what)])


def _denies_nothing_of(known: str, what: Iterable[str]) -> bool:
    denied = list(map(plain, what))
    had = {plain(word)[:STEM] for word in _WORD.findall(known)}
    return bool(denied) and all(word[:STEM] not in had for word in denied)


def corrects_plainly(known: str, stated: str) -> bool:
    """Whether a correction itself says what of the fact is over, or counts anew what the fact counts."""
    return _replaced_plainly(_LABEL.sub("", known), stated) is not None


def without_figures(text: str) -> str:
    """A text without its days, weekdays and numbers, and without the "it's" before them."""
    return _IT_IS.sub(" ", _NUMBER.sub(" ", _WEEKDAY.sub(" ", _DAY.sub(" ", text))))


def _replaced_plainly(known: str, stated: str) -> tuple[str, str] | None:
    """The one name that is over and the one new name; or the number of the same things."""
    if said := find_mistyped(known, stated) or _said_instead(known, stated):
        return said
    ours, theirs = names_of(known), names_of(f"… {stated}")
    over = [
        word
        for word in ours
        if any(plain(word) == plain(one["name"]) for one in _OVER.finditer(stated))
        or _is_somebody_else(word, stated)
    ]
    new = [word for word in theirs if plain(word) not in set(map(plain, ours))]
    if len(over) == 1 and len(new) == 1:
        return over[0], new[0]
    if _tells_of_another(known, stated):
        return None
    had = {plain(one["what"]): one["count"] for one in _COUNTED.finditer(known)}
    counted = [(had.get(plain(one["what"])), one["count"]) for one in _COUNTED.finditer(stated)]
    replaced = [(before, now) for before, now in counted if before and before != now]
    before, now = replaced[0] if len(replaced) == 1 else (None, "")
    return (before, now) if before and known.count(before) == 1 else None


def _said_instead(known: str, stated: str) -> tuple[str, str] | None:
    """What was said, and what it is: "I said six, it's eight" of a fact that has the six once."""
    found = _SAID_INSTEAD.search(stated)
    if found is None:
        return None
    for kind in (_DAY, _WEEKDAY, _NUMBER):
        ours, new = kind.fullmatch(found["old"].strip()), kind.fullmatch(found["new"].strip())
        had = [one[0] for one in kind.finditer(known) if ours and plain(one[0]) == plain(ours[0])]
        if ours and new and len(had) == 1:
            return had[0], new[0]
    return None


def _is_somebody_else(name: str, stated: str) -> bool:
    """Whether who was named is no longer it: what was told of them isn't true of who now is."""
    return any(plain(name) == plain(one["name"]) for one in _NO_LONGER.finditer(stated))


def _replacement(known: str, stated: str, kind: re.Pattern[str]) -> tuple[str, str] | None:
    """What of one kind stands in the fact, and what is told instead; a day may be told without its month."""
    if kind is _NUMBER:
        days = " ".join(found[0] for found in _DAY.finditer(known))
        known, stated = (_WEEKDAY.sub(" ", _DAY.sub(" ", text)) for text in (known, stated))
        if days and _DAY_ALONE.search(stated) and not _NUMBER.search(_YEAR.sub(" ", known)):
            known = days
        if bool(_MONEY.search(known)) != bool(_MONEY.search(stated)) and not _IT_IS_ALONE.search(stated):
            return None  # "something like £600" is nobody's age
        if bool(_CLOCK.search(known)) != bool(_CLOCK.search(stated)):
            known, stated = (_CLOCK.sub(" ", text) for text in (known, stated))  # "15 minutes" is no "10 am"
        if not count_one_thing(known, stated):
            return None  # pandas 1.5 is no version of PostgreSQL
        if (
            _STAGE.search(known)
            and _STAGE.search(stated)
            and not is_denied(stated)
            and not _IT_IS.search(stated)
        ):
            return None  # after phase 1 comes phase 3
    found = _one_for_one([m[0] for m in kind.finditer(known)], [m[0] for m in kind.finditer(stated)])
    return None if found and kind is _NUMBER and _are_apart(known, stated, *found) else found


def _are_apart(known: str, stated: str, old: str, new: str) -> bool:
    """Whether one number is an amount of money and the other isn't, where both texts have such: "a battery for 10 hours
    and £249" is no other price.
    """
    of_money = [_AMOUNT.format(re.escape(number)) for number in (old, new)]
    is_money = [
        re.search(one, text, re.IGNORECASE) for one, text in zip(of_money, (known, stated), strict=True)
    ]
    return bool(_MONEY.search(known) and _MONEY.search(stated)) and bool(is_money[0]) != bool(is_money[1])


def is_other_version(known: str, stated: str) -> bool:
    """Whether a name that both have stands before another number: "Django 6.0" of "uses Django 5.2"."""
    ours, theirs = (
        {plain(one[1]): one["number"] for one in _VERSION.finditer(without_times(text))}
        for text in (known, stated)
    )
    return any(theirs[name] != ours[name] for name in ours.keys() & theirs) and put_right(known, stated) != ""


def count_one_thing(known: str, stated: str) -> bool:
    """Whether names that stand before numbers have one in common, where both texts have such."""
    ours, theirs = ({plain(one[1]) for one in _VERSION.finditer(text)} for text in (known, stated))
    return not ours or not theirs or bool(ours & theirs)


def _replaced_month(known: str, stated: str) -> Iterator[tuple[str, str]]:
    """A month or a season for another, where neither is part of a day: "the wedding is in June, May was full"."""
    if _DAY.search(known) or _DAY.search(stated):
        return
    ours, theirs = ([one[0] for one in _PART_OF_YEAR.finditer(text)] for text in (known, stated))
    if found := _one_for_one(ours, theirs):
        yield found


def _replaced_name(known: str, stated: str) -> Iterator[tuple[str, str]]:
    """A name for a name, where the one that is over is denied: "not Agnes, Annis". One that is said again holds:
    "sorry, Xavier, he's French".
    """
    ours, theirs = list(names_of(known)), list(names_of(f"… {stated}"))
    found = _one_for_one(ours, theirs)
    if found and found[0] in theirs and is_denied(stated):
        yield found


def _replaced_weekdays(known: str, stated: str) -> Iterator[tuple[str, str]]:
    """Several weekdays for several, where each names them in one row."""
    ours, theirs = ([one[0] for one in _WEEKDAYS.finditer(text)] for text in (known, stated))
    if len(ours) == len(theirs) == 1 and plain(ours[0]) != plain(theirs[0]):
        yield ours[0], theirs[0]


def _spelt_anew(known: str, stated: str) -> Iterator[tuple[str, str]]:
    """A name and another spelling of it, in whatever case that is written: "sorry, Xavier" of Xaver."""
    words = [word for word in _WORD.findall(stated) if len(word) >= LEAST_LETTERS]
    names = dict.fromkeys(name for name in names_of(known) if len(name) >= LEAST_LETTERS)
    if any(plain(name) == plain(word) for name in names for word in words):
        return  # who is named needs no other name
    found = [(name, word) for name in names for word in words if _is_spelt_alike(name, word)]
    if len(found) == 1:
        yield found[0][0], capital(found[0][1])


def _is_spelt_alike(name: str, word: str) -> bool:
    ours, theirs = plain(name), plain(word)
    alike = ours[:1] == theirs[:1] and not (ours.startswith(theirs) or theirs.startswith(ours))
    return alike and SequenceMatcher(None, ours, theirs).ratio() >= SPELT_ALIKE


def _one_for_one(ours: list[str], theirs: list[str]) -> tuple[str, str] | None:
    had = {_ORDINAL.sub("", plain(word)): word for word in ours}
    named = {_ORDINAL.sub("", plain(word)): word for word in theirs}
    new = [word for key, word in named.items() if key not in had]
    denied = [word for key, word in had.items() if key in named]
    meant = denied or list(had.values())
    return (meant[0], new[0]) if len(new) == 1 and len(meant) == 1 else None

"""How old those are whom a text names, and a new age set into what is known."""

from __future__ import annotations

import re

from nebo.reading.facts.values import find_person
from nebo.reading.relations.same_fact import denies
from nebo.reading.times.calendar_words import COUNTS
from nebo.reading.times.dates import without_times
from nebo.reading.wording.names import names_of
from nebo.reading.wording.vocabulary import kin_of
from nebo.reading.words.kept import kept

_COUNT = "|".join(words for words in COUNTS[1:])
_YEARS = r"(?:years?[- ]old|yo\b|Jahre?(?: alt)?|años|añitos|añicos|ans|anni)"
_VERB = (
    r"(?:(?:is|are|am|was|were|turn(?:s|ed|ing)?|['’](?:s|re|m)|bin|ist|sind|wird|werden|wurden?|tengo"
    r"|tiene[ns]?|tenemos"
    r"|cumpl\w+|ai|as?|ont|ho|ha|hanno|compi\w+)\s)"
)
_SMALL = (
    r"(?:(?:actually|already|now|only|just|not|really|jetzt|schon|erst|eigentlich|gar|nicht|ya|solo|déjà|gestern"
    r"|heute|letzte(?: Woche|n Monat|s Wochenende)|yesterday|last week|ayer|hier|ieri)\s)"
)
# "turned 4", "is four years old", „ist jetzt sechs“: what counts something else goes on with a noun.
_AGE = re.compile(
    rf"{_VERB}{_SMALL}*(?P<age>\d{{1,2}}|{_COUNT})"
    rf"(?=\s*(?:$|[,.;:!?)(]|{_YEARS}|(?:actually|already|now|since|seit|desde|depuis|jetzt|schon|last|next|this|in|on|im|and|und|y"
    rf"|ya|yesterday|today|geworden"
    r"|letzte\w*|gestern|heute|vor|hace|ayer|hoy|la semana|el (?:lunes|martes|miércoles|jueves|viernes"
    r"|sábado|domingo|mes)"
    r"|hier|samedi|dimanche|ieri|oggi|sabato|domenica)\b))",
    re.IGNORECASE,
)

_OWN = re.compile(
    rf"(?:^|[\s,;:])(?:i['’]?m|i am|i turned|ich (?:bin|werde|wurde)|(?:yo )?(?:tengo|cumplo|cumplí)|j['’]ai"
    rf"|(?:io )?ho) {_SMALL}*$",
    re.IGNORECASE,
)
_NAME = r"[A-ZÀ-ÖØ-Þ][\w'’-]+"
_LAST_NAME = re.compile(r"[A-ZÀ-ÖØ-Þ][\w'’-]+ *$")
_TURNS = re.compile(r"\b(?:turns|turning|will be|wird|werden|cumplen?|aura|compie|compirà)\b", re.IGNORECASE)


def ages_differ(known: str, stated: str) -> bool:
    """Whether both tell how old somebody is whom they name, and differently; each tells one age, of the same people."""
    ours, theirs = _age_of(known), _age_of(stated)
    if theirs and not denies(stated) and (listed := _find_listed(known, stated)):
        return listed["age"] != theirs
    if not ours or not theirs or ours == theirs or denies(stated):
        return False
    if _is_own(known) and _is_own(stated):
        return True
    return any(_is_told_of(who, stated) for who in _list_whose(known))


def _is_own(text: str) -> bool:
    """Whether the age is the speaker's: „ich bin 42“, "tengo 42 años"."""
    found = _AGE.search(text)
    return found is not None and _OWN.search(text[: found.start("age")]) is not None


def keeps_age(known: str, stated: str) -> bool:
    """Whether a fact tells nothing but how old somebody is, and a sentence no other age: who broke a wrist is as old as
    before.
    """
    found = _AGE.search(known)
    rest = known[found.end() :] if found else known
    return (
        found is not None and re.fullmatch(rf"\s*{_YEARS}?[\s.!]*", rest) is not None and not _age_of(stated)
    )


def _is_told_of(who: str, stated: str) -> bool:
    """Whether a text names somebody, and not only as whose friend or dog another is: "Sunniva's friend Kaja is 10"."""
    own = rf"['’]s (?!{_SMALL}|turn|going|gonna|been|had|got|birthday)[a-z]"
    return re.search(rf"(?<!\w){re.escape(who)}(?!\w)(?!{own})", stated, re.IGNORECASE) is not None


def set_age(known: str, stated: str) -> str:
    """The known fact with the age that is told now, and without the time at which they had the other; empty where a
    text tells none.
    """
    ages = list(_AGE.finditer(stated))
    if len(ages) == 1 and (listed := _find_listed(known, stated)):
        return f"{known[: listed.start('age')]}{ages[0]['age']}{known[listed.end('age') :]}"
    text = without_times(re.sub(r" \([^()]*\d[^()]*\)", "", known))
    found = list(_AGE.finditer(text))
    if len(ages) != 1 or len(found) != 1:
        return ""
    bare = f"{text[: found[0].start('age')]}{ages[0]['age']}{text[found[0].end('age') :]}"
    return re.sub(r"\s+([.,;!?]|$)", r"\1", " ".join(bare.split()))


def _find_listed(known: str, stated: str) -> re.Match[str] | None:
    """The age that a list of what is known gives whom a sentence tells of: "Lola, de 12, y Álvaro, de 9"."""
    found = _AGE.search(stated)
    named = _LAST_NAME.search(stated[: found.start()]) if found else None
    name = named[0].strip() if named else ""
    if not name or _TURNS.search(stated):
        return None
    return re.search(
        rf"(?<!\w){re.escape(name)}(?:,? (?:de |mit )?| \((?:de )?)(?P<age>\d{{1,2}})"
        rf"(?=[),.;]|$| (?:and|und|y|et|e|{_YEARS})\b)",
        known,
    )


@kept
def _age_of(text: str) -> str:
    """The only age in a text, as a figure."""
    found = [match["age"].lower() for match in _AGE.finditer(text)]
    if len(found) != 1:
        return ""
    spelt = (str(number) for number, words in enumerate(COUNTS) if found[0] in words.split("|"))
    return next(spelt, found[0])


def _list_whose(text: str) -> list[str]:
    """Whose age a text tells: the last one named before it, and as what, "dad" of "my dad, Wilfred"."""
    found = _AGE.search(text)
    before = text[: found.start()] if found else text
    kin = [word for word in re.findall(r"[^\W\d_]+", before) if kin_of(word.lower())]
    name = next(iter([*reversed(names_of(f"… {before}")), *filter(None, [find_person(before)])]), "")
    if not name:
        return kin[-1:]
    others = rf"(?:{_NAME}(?:,| and| und| y| et| e) )*"
    is_theirs = kin and re.search(rf"\b{kin[-1]},? {others}{re.escape(name)}\b", before)
    return [name, *(kin[-1:] if is_theirs else [])]

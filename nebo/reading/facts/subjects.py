"""Whom or what a sentence tells of, beside the speaker: somebody near, a project, or what was named before."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from nebo.reading.facts.near_names import list_beside_kin, may_be_name
from nebo.reading.facts.topics import name_project
from nebo.reading.facts.values import VALUED, find_known, find_person
from nebo.reading.meaning.antecedents import find_antecedent
from nebo.reading.meaning.given_names import likeness
from nebo.reading.meaning.introduced import find_introduced
from nebo.reading.meaning.one_sentence import Meaning
from nebo.reading.meaning.reader import encode, read_sentence
from nebo.reading.wording.covering import is_light, language_of
from nebo.reading.wording.names import names_of
from nebo.reading.wording.vocabulary import kin_of
from nebo.reading.words.naming import named_words
from nebo.reading.words.stop_words import STOPWORDS, words

Named = Mapping[str, str]  # a name, and whether it is a "person" or a "project"
NOBODY_KNOWN: Named = MappingProxyType({})
NEAR_SLOTS = ("family", "partner", "friend", "pet")
A_LITTLE = 0.1  # chance of telling of somebody near, up to which what tells of a thing tells of nobody
TELLING = 0.5  # chance of telling of another, of a thing or of an end, from which a known name says of whom

_WORD = r"(?:[A-ZÀ-ÖØ-Þ]['’])?[A-ZÀ-ÖØ-Þ][\w-]{1,24}"  # "O'Leary" too
_FIRST = re.compile(rf"{_WORD}(?: {_WORD})?(?=['’]s | [a-zà-ÿ])")
_NAME = r"[A-ZÀ-ÖØ-Þ][\w'’-]{1,24}(?: [A-ZÀ-ÖØ-Þ][\w'’-]{1,24})?"
_ANYBODY = words(
    """
    everybody everyone nobody somebody someone anybody anyone people neither either both most many few none jeder alle
    niemand jemand manche viele einige leute todos todo nadie alguien algunos muchos gente ambos tous tout personne
    quelqu plusieurs certains gens tutti tutto nessuno qualcuno alcuni molti gente entrambi
    """
)
_OURS = re.compile(r"^[Oo]ur (?=[A-Z])")  # "our Freya"
# "Rasmus is our accountant", „Edeltraud ist meine Chefin“
_IS_OURS = re.compile(
    rf"(?P<name>{_NAME}) (?:is|ist|es|est|è)(?: [^\W\d_]+)?? (?i:my|our|meine?|unsere?|mi|nuestr[oa]|mon|ma|notre"
    r"|(?:il|la) (?:mi[oa]|nostr[oa]))\b"
)


_WITH_SPEAKER = re.compile(
    rf"(?:[Mm]e (?:and|n) {_NAME}|{_NAME} (?:and|und|y|et|e) (?:I|me|ich|yo|moi|je|io))(?=['’]|\s)"
)
# What somebody named first does or did, by words that tell of a home or of work.
_DOES = re.compile(
    rf"{_WORD}(?: {_WORD})?(?:['’]s)? (?:(?:has|have|is|was|ha|hat|ist|se|se ha|est|s['’]est|è"
    rf"|si è) )?(?:(?:just|now|also"
    r"|already|jetzt|schon|ya|déjà|già) )?(?i:moved|moving|lives?|living|works?|working|started?|starting"
    r"|left|leaving|quit"
    r"|got|took|joined|studies|stud(?:ying|ied)|teaches|nach|zieht|zog|wohnt|lebt|arbeitet|mudado|mudó|muda"
    r"|vive|trabaja"
    r"|habite|déménagé|travaille|vit|trasferit[oa]|abita|lavora)\b"
)
BETWEEN_WORDS = 3  # between a relative and their own name: "my brother is called Pablo"
_THING = re.compile(r"(?i:the|das|der|die|el|la|le|il|lo) (?P<noun>[^\W\d_]+)")
_DENIED = re.compile(rf"\b(?:not|nicht|no|pas|non) {_NAME}")  # "it's Annis, not Agnes"


@dataclass(frozen=True, slots=True)
class Subject:
    """A person or a project by name, or neither; `unnamed` where only an earlier sentence named it. `beside` are other
    known names, each with its type ("person:Rasmus").
    """

    person: str = ""
    project: str = ""
    unnamed: bool = False
    beside: tuple[str, ...] = ()


def find_subject(meaning: Meaning, clause: str, *, project: str = "", known: Named = NOBODY_KNOWN) -> Subject:
    """Whom or what a clause tells of; `project` is what an earlier sentence named, `known` what was named before."""
    if project:
        return Subject(project=project, unnamed=True, beside=_beside(clause, known, project))
    if meaning.slot == "home" and _WITH_SPEAKER.match(clause):  # where both live, the speaker does
        return Subject(beside=_beside(clause, known, ""))
    person = _name_person(meaning, clause)
    named = "" if person or is_of_another(meaning) else name_project(meaning, clause)
    if (
        not person
        and not named
        and (one := find_known(known, clause))
        and _tells_of_known(meaning, known[one])
    ):
        person, named = (one, "") if known[one] == "person" else ("", one)
    near = (f"person:{name}" for name in list_beside_kin(clause) if name != person)
    others = (*(_with_them(clause, person) if person else ()), *near)
    return Subject(
        person, named, beside=tuple(dict.fromkeys((*others, *_beside(clause, known, person or named))))
    )


def is_of_another(meaning: Meaning) -> bool:
    """Whether a sentence tells of somebody near, rather than of the speaker or of what is to come."""
    chances = meaning.chances
    own = max(chances["lasting"], chances["event"])
    return chances["relative"] > (max(own, A_LITTLE) if chances["other"] >= TELLING else own)


def _name_person(meaning: Meaning, clause: str) -> str:
    ours = _IS_OURS.search(clause)
    if ours and max(meaning.chances["relative"], meaning.chances["other"]) >= TELLING:
        return ours["name"]
    theirs = is_of_another(meaning)
    named = _without_others(clause, find_person(clause)) if theirs or meaning.slot in NEAR_SLOTS else ""
    return named or (_first_name(clause) if theirs else "") or name_first(meaning.slot, clause)


def name_first(slot: str, clause: str) -> str:
    """Of whom a clause about a home or work tells that names them first, whatever of the speaker comes behind:
    "Martin's moved to Aberdeen, so the kids are with me"; else empty.
    """
    clause = clause[:1].upper() + clause[1:]
    if slot not in VALUED or not _DOES.match(clause):
        return ""
    first = _first_name(clause)
    return first if first and may_be_name(first.split()[0]) else ""


def _without_others(clause: str, name: str) -> str:
    """A name, unless it is that of a thing ("The workshop is called Motos"), or of somebody whom a relative has to do
    with ("Mum sees someone called Agnes").
    """
    subject = find_antecedent(clause)
    if subject and subject.kin and name not in subject.who:
        between = clause.partition(subject.who)[2].partition(name)[0]
        return name if len(between.split()) <= BETWEEN_WORDS else ""
    thing = _THING.match(clause)
    return (
        ""
        if thing and not kin_of(thing["noun"].lower()) and read_sentence(clause).slot not in NEAR_SLOTS
        else name
    )


def _first_name(clause: str) -> str:
    """The name that a clause begins with: "Ingrid works in Bonn". In German, where every noun has a capital, only
    where what follows leaves no doubt.
    """
    first = _FIRST.match(_OURS.sub("", clause))
    if first is None or any(_is_no_name(word.lower()) for word in first[0].split()):
        return ""
    is_sure = first[0].split()[0] in names_of(clause)
    may_be = language_of(clause) != "de" and not first[0].endswith("s")  # "Kids need sleep"
    return first[0] if is_sure or may_be else ""


def _is_no_name(word: str) -> bool:
    return (
        (word.endswith("ly") and likeness(word, encode) < 0)  # "Actually" is nobody, Emily is
        or bool(kin_of(word))
        or is_light(word)
        or word in STOPWORDS
        or word in _ANYBODY
        or not named_words(word)
    )


def _tells_of_known(meaning: Meaning, kind: str) -> bool:
    """Whether a known name says whom a sentence is about; one's own doings with somebody are one's own."""
    if kind != "person":
        return True
    chances = meaning.chances
    telling = max(chances[kind] for kind in ("relative", "other", "ended", "event"))
    return telling >= TELLING and telling > chances["lasting"]


def _with_them(clause: str, person: str) -> tuple[str, ...]:
    """Who else is named in one breath: "my twins Edie and Rufus", "my wife Tamsin and I have twins, Edie and Rufus"."""
    names = [
        name
        for listed in re.findall(rf"{re.escape(person)}((?:, {_WORD})* (?:and|und|y|et|e) {_WORD})", clause)
        for name in re.findall(_WORD, listed)
    ]
    introduced = find_introduced(clause)
    if introduced and any(kin_of(word.lower()) for word in introduced.who.split()):
        names += introduced.names
    return tuple(f"person:{name}" for name in names if name != person)


def _beside(clause: str, known: Named, subject: str) -> tuple[str, ...]:
    affirmed = _DENIED.sub(" ", clause)
    return tuple(
        f"{known[name]}:{name}" for name in known if name != subject and find_known((name,), affirmed)
    )

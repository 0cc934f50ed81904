"""Whom a sentence is about that says only "she": the one that the sentence before it tells of.

"My mum Jean lives in Hexham. She had a stroke." is read as "My mum Jean had a stroke", so that it says something by
itself. Only where one alone was told of, and where the sentence then tells something plainly.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from nebo.reading.meaning.introduced import agree
from nebo.reading.meaning.sentences import capital
from nebo.reading.wording.covering import is_light, language_of
from nebo.reading.wording.names import names_of
from nebo.reading.wording.vocabulary import kin_of
from nebo.reading.words.kept import kept
from nebo.reading.words.openers import without_opener
from nebo.reading.words.pauses import split_at_pauses
from nebo.reading.words.stop_words import words

_NAME = r"[A-ZÀ-ÖØ-Þ][\w-]{1,24}"
_AGED = r"(?:,? \(\d{1,2}\)|, \d{1,2},)?"  # "Zoe (11) wants a cello"
_WHICH = (
    r"(?:best|older|younger|elder|eldest|little|big|twin|new|ex(?= (?-i:[a-zß-ÿ]))|kleine[rnm]?|große[rnm]?"
    r"|ältere[rnm]?|jüngere[rnm]?|beste[rnm]?"
    r"|mejor|petite?|grande?|meilleure?|miglior[ei]?)"
)
_KIN = re.compile(
    r"(?P<who>(?i:(?:my|our|meine?|unsere?|mi|nuestr[oa]|mon|ma|notre|mi[oa]) "
    rf"(?:{_WHICH} )?)(?P<kin>[^\W\d_]+)"
    rf"(?:,? (?P<name>{_NAME})(?P<comma>,)?)?)(?=['’]s\b|{_AGED}\s+(?!(?:and|und|y|et|e)\b)[a-zà-ÿ])"
)
_NAMED = re.compile(
    rf"(?P<who>{_NAME})(?=['’]s (?!name\b)[a-z]|{_AGED}\s+(?!(?:and|und|y|et|e|or|oder)\b)[a-zà-ÿ])"
)
# Somebody's relative is somebody else: "Tom's wife is Swedish, she teaches sailing".
_THEIR_KIN = re.compile(
    rf"['’]s (?P<kin>(?:(?:{_WHICH}|\w+er|\w+est) )?(?P<word>[^\W\d_]+(?:-in-law)?))(?P<name>,? {_NAME})?(?=[\s,])"
)
_MINE = re.compile(
    r"\b(?P<who>(?:my|meine?|mi|mon|ma) (?P<kin>[^\W\d_]+))(?=['’]s\b|[\s,.!?]|$)", re.IGNORECASE
)
# With whom the speaker did it: "Timo and I have split up. He keeps the flat".
_WITH_ME = re.compile(
    rf"(?P<who>{_NAME}) (?:(?:and|und|y|et|e) (?:me|i|ich|yo|moi|io)|(?:y|et|e) (?:yo|moi|io))\b",
    re.IGNORECASE,
)
# What is no person's: „Steuer ist durch“, „Urlaub ist gebucht“.
_THING_DONE = re.compile(
    r" ist (?:(?:jetzt|endlich|schon|auch|nun) )*(?:durch|fertig|erledigt|gebucht|gekündigt|bezahlt|vorbei|gemacht"
    r"|abgegeben|eingereicht|bestellt|verkauft|überwiesen|kaputt|repariert|geschafft|abgehakt|rum)\b"
)
_PARENT = re.compile(
    r"(?P<who>mum|mom|mam|dad|grandma|grandpa|granny|gran|nan|grandad|mama|mamá|papá|papa|oma|opa|maman|mamma|papà)"
    r"(?=['’]s\b|\s+(?!(?:and|und|y|et|e)\b)[a-zà-ÿ])",
    re.IGNORECASE,
)
# What people do, so that the word before it names somebody: "Gareth came down for the weekend".
_AS_PEOPLE_DO = re.compile(
    r"\s+(?:just |also |finally )?(?:came|called|rang|phoned|texted|emailed|visited|told|asked|thinks|loves|hates"
    r"|teaches|helped|brought|invited|moved|married|retired|cooked|drove|flew|proposed|apologi[sz]ed"
    r"|promised|kam|rief|besuchte"
    r"|fragte|heiratet|kocht|zog|vino|llamó|preguntó|trajo|est venue?|a appelé|è venut[oa]|ha chiamato)\b"
)
_OUR_NAME = re.compile(rf"[Oo]ur {_NAME}$")  # "our Freya"
_CALLED = re.compile(
    rf"(?i:\b(?:his|her|their) name(?:['’]s| is)|\b(?:er|sie) heißt|\bse llama|\bsi chiama"
    rf"|^(?:my|our|{_NAME}['’]s?) \w+ (?:is|are) called|^(?:mein\w*|unser\w*|{_NAME}s) \w+ heißt) (?P<who>{_NAME})"
)
_TWO_NAMED = re.compile(rf"\b{_NAME} (?:and|und|y|et|e) {_NAME} (?=[a-zà-ÿ])")
_SHE = r"(?P<she>she|sie(?= \w+t\b| ist\b| war\b)|ella|elle|lei)"
_HE = r"(?P<he>he|er|él|il|lui)"
_PRONOUN = re.compile(rf"(?:{_SHE}|{_HE})(?=['’]|\s)|(?P<hers>her)(?=\s)|(?P<his>his)(?=\s)", re.IGNORECASE)
_SAID_IN = {
    **dict.fromkeys(("she", "he", "her", "his"), ("en",)),
    **dict.fromkeys(("sie", "er"), ("de",)),
    **dict.fromkeys(("ella", "él"), ("es",)),
    "elle": ("fr",),
    "il": ("fr",),
    **dict.fromkeys(("lei", "lui"), ("it", "fr")),
}
_THEIRS = re.compile(
    r"\b(?:his|her|their|sein\w{0,2}|ihr\w{0,2}|sus?|son|sa|ses|leurs?|(?:il|la|i|le) (?:su[oa]|suoi|sue|loro))\b",
    re.IGNORECASE,
)
# Somebody who is only named: "My husband, Tom.", „Vor allem meine Mutter.“
_ALONE = re.compile(
    r"(?i:(?:(?:mostly|mainly|just|only|above all|especially|vor allem|nur|besonders|meistens|sobre todo|solo"
    r"|más que nada|surtout|soprattutto) )?)"
    rf"(?P<who>(?i:(?:my|our|meine?|unsere?|mi|nuestr[oa]|mon|ma|notre|mi[oa])) (?:(?i:{_WHICH}) )?(?P<kin>[^\W\d_]+)"
    rf"(?:,? (?P<name>{_NAME}))?)\W*$"
)
# The same of an animal: "plus the cat, Pepper."
_PET_ALONE = re.compile(
    r"(?i:(?:(?:yeah|oh|and|plus|also|then there(?:['’]s| is)),? )*(?:the|my|our) )"
    r"(?P<pet>(?i:cat|dog|horse|pony|rabbit|budgie|parrot|puppy|pup|kitten|tortoise|hamster|ferret|guinea pig)),? "
    rf"(?P<name>{_NAME})\W*$"
)
_IS_CALLED = {"en": "is called", "de": "heißt", "es": "se llama", "fr": "s'appelle", "it": "si chiama"}
_JOINED = re.compile(r"^(?:and|but|und|aber|y|pero|et|mais|e|ma)\s+", re.IGNORECASE)
_WOMEN = words(
    "mother grandmother sister daughter wife aunt niece girlfriend schwiegermutter chefin suegra prima granddaughter"
)
_MEN = words(
    "father grandfather brother son husband uncle nephew boyfriend schwiegervater chef suegro primo grandson"
)


@dataclass(frozen=True, slots=True)
class Antecedent:
    """Whom a sentence tells of, in its words ("My mum Jean"), and whether by these it is a woman, a man, or unknown."""

    who: str
    gender: str = ""
    kin: frozenset[str] = frozenset()  # words for the same relative


@kept
def find_antecedent(text: str) -> Antecedent | None:
    """Whom a sentence tells of, by the first words of its clauses; None where that is nobody, or two may be meant."""
    clauses = (
        without_opener(text, call=False),
        *(_JOINED.sub("", part) for part in split_at_pauses(text)[1:]),
    )
    if alone := _ALONE.match(clauses[0]):
        return _relative(capital(alone["who"].replace(",", "")), alone["kin"].lower())
    if pet := _PET_ALONE.match(clauses[0]):
        return Antecedent(f"My {pet['pet'].lower()} {pet['name']}")
    found = {one.who: one for clause in clauses if (one := _find_subject(clause))}
    return found.popitem()[1] if len(found) == 1 else None


def find_only_relative(text: str) -> Antecedent | None:
    """The relative of whom a sentence tells amid something else, where it names nobody besides: "… until my son's out
    of school".
    """
    kin = [word for word in re.findall(r"[^\W\d_]+", text.lower()) if kin_of(word)]
    found = _MINE.search(text) if len(kin) == 1 and not names_of(f"… {text}") else None
    return _relative(found["who"], found["kin"].lower()) if found else None


def names_others(text: str) -> bool:
    """Whether a text names somebody without being about them alone: "Timo and Ruth had a row"."""
    return bool(names_of(f"… {text}")) or _TWO_NAMED.search(text) is not None


def find_company(text: str) -> Antecedent | None:
    """Whom a sentence tells of beside its speaker: Timo, of "Timo and I have split up"."""
    found = _WITH_ME.match(without_opener(text, call=False))
    return Antecedent(capital(found["who"])) if found and not is_light(found["who"].lower()) else None


def _find_subject(clause: str) -> Antecedent | None:
    found = _KIN.match(clause)
    if called := _CALLED.search(clause):
        if found and kin_of(found["kin"].lower()) and not found["name"]:  # "mi padre se llama Ramón"
            return _relative(f"{found['who']} {called['who']}", found["kin"].lower())
        return Antecedent(called["who"])
    if parent := _PARENT.match(clause):  # "dad lives in Whitby"
        return _relative(parent["who"], parent["who"].lower())
    if found and (theirs := _find_their_kin(found["who"], clause[found.end() :])):
        return theirs
    if found:
        ours = Antecedent(found["who"]) if _OUR_NAME.match(found["who"]) else None
        return _relative(found["who"].replace(",", ""), found["kin"].lower()) or ours
    named = _NAMED.match(clause)
    if named is None or is_light(named["who"].lower()) or _THING_DONE.match(clause, named.end("who")):
        return None
    if theirs := _find_their_kin(named["who"], clause[named.end() :]):
        return theirs
    relative = _relative(named["who"], named["who"].lower())
    is_name = named["who"] in names_of(clause) or _AS_PEOPLE_DO.match(clause, named.end())
    return relative or (Antecedent(named["who"]) if is_name else None)


def _find_their_kin(who: str, behind: str) -> Antecedent | None:
    """Whom a clause tells of that begins with whose relative they are: "my friend Tom's wife Ylva"."""
    found = _THEIR_KIN.match(behind)
    if found is None:
        return None
    whose = f"{who.replace(',', '')}'s {found['kin']}{(found['name'] or '').replace(',', '')}"
    return _relative(whose, found["word"].lower().removesuffix("-in-law"))


def _relative(who: str, word: str) -> Antecedent | None:
    kin = kin_of(word)
    return Antecedent(who, _gender_of(word), kin) if kin else None


def tells_of_their_own(text: str) -> bool:
    """Whether somebody else does something with what is theirs: "Wagner put off his summer party"."""
    return find_antecedent(text) is not None and _THEIRS.search(text) is not None


def name_antecedent(text: str, antecedent: Antecedent) -> str:
    """The text with whom it means in the place of its first pronoun; empty where it begins with none, or another's."""
    pronoun = _PRONOUN.match(text)
    if pronoun is None or language_of(text) not in _SAID_IN[pronoun[0].lower()]:  # "He dejado el grupo"
        return ""
    gender = "woman" if pronoun["she"] or pronoun["hers"] else "man"
    if antecedent.gender and antecedent.gender != gender:
        return ""
    owns = "'s" if pronoun["hers"] or pronoun["his"] else ""
    return f"{antecedent.who}{owns}{agree(text[pronoun.end() :], many=False)}"


def _gender_of(kin: str) -> str:
    """By what may mean the same relative; unknown of a boss, who is "Chef" or "Chefin" elsewhere."""
    same = {kin, *kin_of(kin)}
    is_woman, is_man = (not same.isdisjoint(group) for group in (_WOMEN, _MEN))
    return "" if is_woman == is_man else "woman" if is_woman else "man"


def names_only(text: str) -> bool:
    """Whether a text only says who: "My husband, Tom."."""
    return _ALONE.match(text) is not None


def name_alone(text: str) -> str:
    """What a text says that only names a relative: "My husband is called Tom"; else the text itself."""
    found = _ALONE.match(text)
    if found is None or not found["name"] or not kin_of(found["kin"].lower()):
        return text
    who = found["who"].removesuffix(found["name"]).rstrip(" ,")
    return f"{capital(who)} {_IS_CALLED[language_of(who)]} {found['name']}"

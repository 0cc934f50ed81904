"""What exactly a sentence names: the bare name, place, timezone, birthday or occupation, in five languages.

Asked only of sentences whose meaning says that they tell such a thing, so the patterns may be short.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from nebo.reading.times.calendar_words import MONTHS, WEEKDAYS
from nebo.reading.words.kept import kept

_CAPITAL = r"[A-ZÀ-ÖØ-Þ][\w'’.-]{1,30}"
_ORG = r"[A-ZÀ-ÖØ-Þ][\w'’&.-]+(?: [A-ZÀ-ÖØ-Þ][\w'’&.-]+){0,3}"
_NAME = rf"(?P<value>{_CAPITAL}(?: (?:d[aeiou]s?|del|de la|van|von|der|den)? ?{_CAPITAL}){{0,3}})"
_LITTLE = r"(?: [a-zà-ÿ]+){0,3}?"  # words that may stand before a name: "heiße übrigens seit gestern"
_OF_PLACES = r"(?:am|an der|on|upon|sur|sous|en|de|del|de la|la|di|sul|im)"
_PLACE = (
    rf"(?P<value>(?:the )?{_CAPITAL}(?:[ -]{_OF_PLACES}? ?{_CAPITAL}){{0,3}}"
    rf"(?:, {_CAPITAL}(?: {_CAPITAL})?)?)"
)
_STREET = re.compile(
    r"(?:Rua|Rue|Calle|Via|Viale|Avenue|Avenida|Avinguda|Boulevard|Plaza|Piazza|Praça|Carrer|Paseo|Rambla|Travessa|Camino"
    r"|Chemin|Impasse|Corso|Vicolo|Quai)\b"
)
_WORDS = r"(?P<value>[^.,;:!?()]{3,80}?)"
_END = (
    r"(?=$|[.,;:!?()]|\s+(?:and|but|so|because|since|und|aber|weil|seit|y|pero|porque|desde|et|mais|depuis|car|e|ma|da"
    r"|perché)\s)"
)
_NAMING = (  # what gives a name outright
    rf"(?i:my (?:full |first |real |new )?name(?:['’]s| is)|I go by|called){_LITTLE} {_NAME}",
    rf"(?i:\b(?:ich hei(?:ß|ss)e|hei(?:ß|ss)e ich|mein name ist)){_LITTLE} {_NAME}",
    rf"(?i:\b(?:me llamo|mi nombre es)){_LITTLE} {_NAME}",
    rf"(?i:\b(?:je m['’]appelle|mon (?:pré)?nom(?: est|, c['’]est))){_LITTLE} {_NAME}",
    rf"(?i:\b(?:mi chiamo|il mio nome è)){_LITTLE} {_NAME}",
    rf"(?:^|[!.,] ){_NAME} (?i:here|hier|aquí|ici|qui)(?=\W|$)",
)
_BEING = (  # what also says whatever else somebody is: „Ich bin die Neue“
    rf"(?i:\bI['’]?m|\bI am|\bthis is)(?: now| actually)? {_NAME}",
    rf"(?i:\bich bin(?: jetzt| (?:die|der)(?! \w+st(?:e|er)\b))?) {_NAME}",
    rf"(?i:\bsoy(?: la| el)?) {_NAME}",
    rf"(?i:\b(?:je suis|moi(?: c['’]est|,))) {_NAME}",
    rf"(?i:\bsono) {_NAME}",
)
# Behind what somebody does for a living stands where, for whom or on what they do it.
_WORK_END = (
    rf"(?:{_END}|(?=\s+(?:at|in|for|from|with|by|on|near|to|bei|beim|im|am|an|für|auf|aus|en|para|chez|dans|pour|presso"
    r"|per|da|nel\w*)\s|\s+(?:à|a)\s+[A-ZÀ-Þ]))"
)
_NO_NOUN = (
    r"(?!(?:seit|nicht|kein\w*|bei\w*|i[nm]|auf|so|sehr|gerade|de[rn]|die|hier|de|del|muy|no|yo|très|pas|molto"
    r"|non)\b)"
)
_TRADE = rf"{_NO_NOUN}(?P<value>[^\W\d_][^.,;:!?()]{{2,60}}?)"
_PATTERNS: dict[str, tuple[str, ...]] = {
    "name": (*_NAMING, *_BEING),
    "home": (
        rf"(?i:\b(?:I['’]?m|I am|we['’]?re|we are)(?: currently| now| back| still)? in) {_PLACE}",
        rf"(?i:\bhome(?: now)? is) {_PLACE}",
        rf"(?i:\b(?:shar(?:e|es|ing)|rent(?:s|ing)?) (?:\w+ ){{1,3}}(?:in|on|near)) {_PLACE}",
        rf"^(?!(?i:the|my|our|we|i|a|an|this|that|there|his|her|their)\b)[A-Za-z]+(?: [a-z]+){{0,2}} in {_PLACE}",
        rf"(?i:\b(?:liv(?:e|es|ing)|based|home is|house is|flat is|settled(?: down)?|reside|staying|moved|relocated)"
        rf"(?: \w+){{0,5}}? (?:in|to|near|at)) {_PLACE}",
        rf"(?i:\b(?:wohn(?:e|en|t|haft)?|leb(?:e|en|t)|zuhause|gezogen|umgezogen|daheim)"
        rf"(?: \S+){{0,6}}? (?:in|nach|bei|an)) {_PLACE}",
        rf"(?i:\b(?:in|nach)) {_PLACE}(?i:(?: \S+){{0,3}} (?:gezogen|umgezogen|wohne|lebe))",
        r"(?i:\b(?:viv(?:o|e|imos|en)|resid[oe]|mud(?:é|e|ó|amos)|(?:me he|nos hemos) mudado|acab\w+ de mudar(?:nos)?"
        r"|instalad[oa]s?)"
        rf"(?: \S+){{0,5}}? (?:en|a|cerca de)(?: el barrio de| el centro de| las afueras de)?) {_PLACE}",
        rf"(?i:\b(?:habit(?:e|ons|ent)|vi[st]|vivons|déménagé|installée?s?)"
        rf"(?: \S+){{0,3}}? (?:à|au|en|dans|près de)) {_PLACE}",
        rf"(?i:\b(?:abit[oa]|viv[oe]|viviamo|abitiamo|trasferit[oaie]|stabilit[oa])"
        rf"(?: \S+){{0,3}}? (?:a|in|ad|vicino a)) {_PLACE}",
    ),
    "timezone": (
        r"\b(?P<value>(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)/[A-Z]\w+(?:/[A-Z]\w+)?)\b",
        r"\b(?P<value>(?:UTC|GMT)(?:\s?[+-]\s?\d{1,2}(?::\d\d)?)?|CES?T|E[SD]T|P[SD]T|C[SD]T|M[SD]T|IST|JST|BST|AES?T)\b",
    ),
    "birthday": (
        r"(?i:birthday|born|geburtstag|geboren|cumplea\S+|nac[íi]|anniversaire|n[ée]e?|compleanno|nat[oa])[^.!?]{0,24}?\b"
        r"(?P<value>\d{1,2}(?:st|nd|rd|th|\.|º)?\s?(?:of |de |di )?[^\W\d_]{3,10}(?:\s(?:de |di |of )?\d{4})?"
        r"|[A-Z][a-z]{2,8} \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?|\d{1,2}[./]\d{1,2}\.?(?:[./]?\d{2,4})?)",
    ),
    "work": (
        rf"(?i:\b(?:(?:work(?:s|ing)?|job|employed|trained|started|hired|promoted) (?:[\w'’&.-]+ ){{0,6}}?as"
        rf"|promoted (?:\w+ ){{0,2}}?to) (?:an? |the )?){_WORDS}{_WORK_END}",
        rf"(?i:\bI['’]?(?:m| am) (?:now )?(?:an? ))(?!bit |lot |little |big |huge |fan|member){_WORDS}{_WORK_END}",
        rf"(?i:\b(?:arbeitet?|jobbt?e?|bin|ist)(?: \S+){{0,5}}? als ){_WORDS}{_WORK_END}",
        r"(?i:\b(?:trabaj[oa]|curr[oa]|labur[oa]|ejer(?:zo|ce)|trabajando)(?: \S+){0,5}? (?:de|como) (?:una? )?)"
        r"(?!(?:noches?|día|tarde|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|forma|manera|nueve|ocho|\d)\b)"
        rf"{_WORDS}{_WORK_END}",
        rf"(?i:\b(?:travaille|bosse)(?: \S+){{0,5}}? comme ){_WORDS}{_WORK_END}",
        rf"(?i:\b(?:lavor[oa]|faccio|fa)(?: \S+){{0,5}}? (?:come|il|la|l['’]) ?){_WORDS}{_WORK_END}",
        rf"(?i:^ich bin (?:jetzt |nun |noch |von Beruf )?(?:eine? )?){_TRADE}{_WORK_END}",
        rf"(?i:^(?:yo )?soy (?:ahora )?(?:una? )?){_TRADE}{_WORK_END}",
        rf"(?i:^je suis (?:maintenant )?(?:une? )?){_TRADE}{_WORK_END}",
        rf"(?i:^(?:io )?sono (?:ora |adesso )?(?:una? )?){_TRADE}{_WORK_END}",
        rf"(?i:\bI['’]?m (?:now )?(?:at|with) )(?P<value>{_ORG})",
        rf"(?i:\b(?:works?|working|job|started|hired) (?:[\w'’-]+ ){{0,4}}?(?:at|for) )(?P<value>{_ORG})",
        r"(?i:\b(?:arbeite|arbeitet|angefangen|trabaj[oa]|travaille|lavor[oa])(?: \S+){0,2}?"
        rf" (?:bei|beim|en|chez|da|alla|per) )(?P<value>{_ORG})",
    ),
}
SHORT_TIME = 3  # letters of a month or a weekday cut short, which may be a place: "calle del Mar"
SURELY_A_NAME = 6  # letters of a project's name from which it is meant in small letters, too
NOT_MADE = (
    "pet",
    "work",
    "family",
    "partner",
    "friend",
    "name",
    "home",
    "origin",
    "taste",
)  # slots of what nobody makes
VALUED = tuple(_PATTERNS)  # slots whose bare value a rule finds
_EMPLOYERS = tuple(re.compile(pattern) for pattern in _PATTERNS["work"][-3:])
_JOBS = tuple(re.compile(pattern) for pattern in _PATTERNS["work"][:-3])
# A job that is named since it is over, unless the sentence goes on to the present one.
_OVER = re.compile(
    r"\b(?:lost|lose|quit|left|leaving|no longer|used to|stopped|resigned|laid off|fired|verlor\w*|gekündigt|früher"
    r"|nicht mehr|aufgehört|perd[íi]|dej[ée]|ya no|antes|quitté|perdu|ne \w+ plus|avant|lasciato|perso|non \w+ più"
    r"|prima)\b",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"\b(?:now|started|jetzt|nun|inzwischen|ahora|maintenant|désormais|adesso|ora)\b", re.IGNORECASE
)
_NAMES_OUTRIGHT = tuple(map(re.compile, _NAMING))
_MONTH = re.compile("|".join(MONTHS))
_TIME = re.compile("|".join((*MONTHS, *(f"(?:{day})s?" for day in WEEKDAYS))))
_COMPILED = {slot: tuple(re.compile(p) for p in patterns) for slot, patterns in _PATTERNS.items()}
_NAMED = (
    r"(?:named|called|name(?:['’]s| is)|heißt|heisst|namens|llamad[oa]|se llama|s['’]appelle|appelée?|nommée?|si chiama"
    r"|chiamat[oa])"
)
_TITLE = r"(?:Dr|Mr|Mrs|Ms|Mx|Prof|Sir|Frau|Herr|Doña?|Señora?|Sra?|Mme|Mlle|Dott|Sig|Signora?)\.?"
_CALLED = re.compile(rf"{_NAMED} (?:a |an |eine? |una? )?(?P<name>(?:{_TITLE} )?[A-ZÀ-ÖØ-Þ][\w'’-]{{1,24}})")
# "Big Bertha"; in German, where every noun has a capital, one word.
_TITLED = re.compile(
    rf"(?:(?:heißt|heisst|namens) (?P<short>{_CAPITAL})|{_NAMED} (?P<name>{_CAPITAL}(?: {_CAPITAL}){{0,2}}))"
)
_MAKING = re.compile(
    r"\b(?:(?:work\w*|arbeit\w*|travaill\w*|lavor\w*|trabaj\w*)\b[^.]{0,30}? (?:on|an|sur|su|en)|build\w*|writ\w*"
    r"|mak\w*|develop\w*|design\w*|bau\w*|schreib\w*|entwick\w*|entwerf\w*|constru\w*|escrib\w*|mont\w*"
    r"|desarroll\w*|diseñ\w*|écri\w*|dévelop\w*|fabriqu\w*|costru\w*|scriv\w*|svilupp\w*|realizz\w*)\b[^.]{0,60}$",
    re.IGNORECASE,
)
_WHICH = (
    r"(?i:best|old(?:er|est)?|young(?:er|est)?|little|big|elder|eldest|twin|ex|late|new|dear|beste[nrm]?|älteste[nrm]?"
    r"|ältere[nrm]?|jüngere[nrm]?|kleine[nrm]?|große[nrm]?|neue[nrm]?|mejor|mayor|menor|pequeñ[oa]|gemel[oa]|meilleure?"
    r"|grande?|petite?|jumel(?:le|eau)|aînée?|cadette?|miglior[ei]?|maggiore|minore|gemell[oa]|piccol[oa])"
)
_KIN = re.compile(
    r"\b(?i:my|our|meine?[rnm]?|unsere?[rnm]?|mis?|mon|ma|mes|mia|mio|mie|miei)"
    rf" (?P<kin>(?:{_WHICH} )*[^\W\d_]+(?:-[^\W\d_]+)*(?: {_WHICH}|(?: [a-zß-ÿ]+)(?=,))?),?"
    r" (?P<name>[A-ZÀ-ÖØ-Þ][\w'’-]{1,24})"
)


_PROJECT = (
    re.compile(
        r"\b(?i:project|projekt|proyecto|projet|progetto)"
        r"(?i:,? (?:called|named|namens|llamado|appelé|nommé|chiamato)|(?: [a-zà-ÿ]+){0,2}:)?"
        rf" (?P<name>{_CAPITAL})"
    ),
    re.compile(
        rf"\b(?!(?i:this|that|the|my|our|a|das|dies\w*|ein\w*|mein\w*|unser\w*)\b)(?P<name>{_CAPITAL})[ -]"
        r"(?i:project|projekt)\b"
    ),
    re.compile(
        rf"\b(?i:the|our|my) (?P<name>{_CAPITAL}) (?i:redesign|relaunch|launch|deadline|release|beta|roadmap|milestone"
        r"|migration|prototype)\b"
    ),
)


def find_project(slot: str, text: str) -> str:
    """The name of the project that a sentence speaks of, or empty. `slot` is the question it surely answers, if any.

    What is called something is a project where the sentence is about one, or tells of making it: who works at a firm
    called so does not.
    """
    found = next((match["name"] for pattern in _PROJECT if (match := pattern.search(text))), "")
    titled = _TITLED.search(text) if not found else None
    if titled and (slot == "project" or (slot not in NOT_MADE and _MAKING.search(text[: titled.start()]))):
        found = titled["short"] or titled["name"]
    return _bare(found)


def find_known(names: Collection[str], text: str) -> str:
    """The first of these names that stands in a text, or empty."""
    found = [(match.start(), -len(name), name) for name in names if (match := _whole(name).search(text))]
    return min(found)[2] if found else ""


def write_known(names: Collection[str], text: str) -> str:
    """A text with these names as they are written: "kestrel slipped" with "Kestrel"; short ones may be other words."""
    for name in names:
        if len(name) >= SURELY_A_NAME and name.lower() in text:
            text = re.sub(rf"(?<!\w){re.escape(name.lower())}(?!\w)", name, text)
    return text


@lru_cache(1_024)
def _whole(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")


def _bare(name: str) -> str:
    return name.removesuffix("'s").removesuffix("’s").rstrip(".-")


def find_value(slot: str, text: str) -> str:
    """The bare value of a slot in a sentence, or empty; the last home or job named is the one that holds."""
    if slot == "work" and _OVER.search(text) and not _NOW.search(text):
        return ""
    for pattern in _COMPILED.get(slot, ()):
        found = [m["value"].strip(" '’-.") for m in pattern.finditer(text)]
        if found and found[-1]:
            return _without_time(_town_of(found[-1], text)) if slot == "home" else found[-1]
    return ""


def _town_of(place: str, text: str) -> str:
    """The town behind a street, or none: "Rua das Flores, Porto"."""
    if not _STREET.match(place):
        return place
    town = re.search(
        rf"{re.escape(place)}(?: [^\W\d_][\w'’-]*){{0,4}}(?:,| (?:in|en|à|a)) (?P<town>{_CAPITAL})", text
    )
    return town["town"].strip(" '’-.") if town else ""


def gives_name(text: str) -> bool:
    """Whether a sentence says what somebody is called, and not only what they are."""
    return any(pattern.search(text) for pattern in _NAMES_OUTRIGHT)


def _without_time(place: str) -> str:
    """ "Antwerp, March" is a place, and when something was; "Saturday" is none."""
    if len(place) > SHORT_TIME and _TIME.fullmatch(place.lower()):
        return ""
    city, comma, behind = place.partition(", ")
    return city if comma and _MONTH.fullmatch(behind.lower()) else place


_WHOSE = re.compile(r"^(?:their|his|her|its|our|ihre?|seine?|su|sus|leur|loro) (?=\w)", re.IGNORECASE)
_SINCE_NOW = re.compile(r"\s+(?:now|these days|jetzt|nun|ahora|maintenant|adesso)$", re.IGNORECASE)


def find_job(text: str) -> str:
    """What a sentence about work says that somebody works as, or empty: whom they work for isn't it."""
    if _OVER.search(text) and not _NOW.search(text):
        return ""
    for pattern in _JOBS:
        if found := [_SINCE_NOW.sub("", m["value"].strip(" '’-.")) for m in pattern.finditer(text)]:
            return _WHOSE.sub("", found[-1])
    return ""


def find_employer(text: str) -> str:
    """For whom a sentence about work says that somebody works, or empty."""
    found = [m["value"].strip(" '’-.") for pattern in _EMPLOYERS for m in pattern.finditer(text)]
    return found[-1] if found else ""


@kept
def find_person(text: str) -> str:
    """The name of whom a sentence about somebody near speaks, or empty."""
    for pattern in (_KIN, _CALLED):
        if match := pattern.search(text):
            return _bare(match["name"])
    return ""

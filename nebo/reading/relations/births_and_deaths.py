"""What a birth or a death leaves no room for: "Ines hat ihr Baby" ends "Ines ist schwanger", and of who has died
nothing holds but who they were.
"""

from __future__ import annotations

import re

from nebo.reading.facts.values import find_person
from nebo.reading.meaning.antecedents import find_antecedent
from nebo.reading.relations.plans import tells_ahead
from nebo.reading.relations.same_fact import denies
from nebo.reading.wording.covering import language_of, list_words
from nebo.reading.wording.names import names_of
from nebo.reading.wording.vocabulary import kin_of, names_other_kin

ONLY_ONE = ("mother", "father", "wife", "husband")  # of whom people have one, and need no name
OPENING = 4  # words with which a fact begins that may say whom it is about
_DIED = re.compile(
    r"(?:['’]s| has| had)?(?: just| sadly| now)? (?:died|passed(?: away)?|gone(?=[.!,]|$)|dead"
    r"|been put (?:down|to sleep))\b"
    r"|(?: was|['’]s been) put (?:down|to sleep)\b| didn['’]t make it\b| is (?:no longer with us|dead)\b"
    r"| (?:ist|is)(?: (?:\d{1,2}\.|[^\s,.]+)(?: \([^)]*\))?){0,5} (?:gestorben|verstorben|tot|eingeschläfert worden"
    r"|von uns gegangen)\b"
    r"| (?:starb|verstarb|musste (?:[^\s,.]+ ){0,3}eingeschläfert werden)\b"
    r"| (?:se )?(?:ha |nos )?(?:murió|muerto|falleció|fallecido)\b| (?:se nos |se me )?(?:fue"
    r"|ha ido) (?:para siempre|al cielo)\b"
    r"| (?:est|nous a) (?:mort|décéd|quitté)\w*\b| (?:è|ci ha) (?:mort[oa]|mancat[oa]|lasciat[oi])\b",
    re.IGNORECASE,
)
_IS_CALLED = re.compile(
    r"\b(?:called|named|name(?:['’]s| is)|hei(?:ß|ss)(?:t|en)|namens|se llama|llamad[oa]|s['’]appelle|si chiama)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:was|were|used to|died|war|waren|hatte|starb|gestorben|era|fue|murió|tenía|était|avait|mort[eoa]?|aveva)\b",
    re.IGNORECASE,
)
_EXPECTS = re.compile(
    r"\b(?:pregnant|expecting (?:a|our|their|her|his|another|twins)|baby (?:is )?due|schwanger"
    r"|erwarte[nt]? (?:ein|unser|ihr|zwillinge)"
    r"|baby kommt|embarazad[ao]s?|espera(?:mos|n)? (?:un|nuestr|su|una|gemel)|enceinte|attend(?:ons)? (?:un"
    r"|notre|des)|incinta"
    r"|aspett(?:a|iamo|ano) (?:un|nostro|il|due))\w*\b",
    re.IGNORECASE,
)
_BORN = re.compile(
    r"\b(?:was born|were born|is born|gave birth|had (?:the|her|their|our|a) (?:baby|twins|little (?:girl"
    r"|boy)|son|daughter)"
    r"|baby(?:['’]s| is| has) (?:finally )?(?:here|arrived|come)|the (?:baby|twins) (?:came|arrived"
    r"|are here)|born (?:on )?\d+"
    r"|geboren|auf die welt gekommen|zur welt gekommen|(?:baby|kleine[r]?|zwillinge) (?:ist|sind) (?:endlich )?da"
    r"|(?:hat|haben) (?:ihr|sein|unser|das|ein)\w* (?:baby|kind)\b(?! verloren)|entbunden"
    r"|(?:ha )?nacido|nació|dio a luz|dado a luz|(?:ha tenido|tuvo|tuvimos|ya tiene) (?:al|el|su|a su|un"
    r"|una|la) (?:bebé|nena?|niñ[oa])"
    r"|est née?|a accouché|(?:a|ont|avons) eu (?:son|leur|notre|un) bébé|è nat[oa]|ha partorito"
    r"|ha avuto (?:il|la|un|una) bambin[oa])\b",
    re.IGNORECASE,
)
_MINE = re.compile(r"(?:my|our|meine?|unsere?|mi|nuestr[oa]|mon|ma|notre)\s(?P<kin>[^\W\d_]+)", re.IGNORECASE)
_RELATIVE = re.compile(
    r"(?P<who>(?:(?:The user|[A-ZÀ-Þ][\w-]+)['’]s"
    r"|(?:[A-ZÀ-Þ][\w-]+: )?(?:[Mm](?:y|eine?|i|on|a)|[Oo]ur|[Uu]nsere?|[Nn]uestr[oa]|[Nn]otre"
    r"|(?:[Ll]a mia|[Ii]l mio)))"
    r" (?P<kin>[^\W\d_]+))"
    r" (?P<name>[A-ZÀ-Þ][\w-]+) [a-zß-ÿè]"
)
_CALLED = {"en": "is called", "de": "heißt", "es": "se llama", "fr": "s'appelle", "it": "si chiama"}
_NOT_SO = re.compile(
    r"\b(?:if|when|until|before|wenn|bis|bevor|sobald|cuando|hasta|si|quand|quando|will|wird|soll|nearly"
    r"|almost|fast|beinah|casi"
    r"|I was born|ich (?:bin|wurde)|born in (?-i:[A-Z]\w+)|geboren in|in (?-i:[A-Z]\w+) geboren|nací"
    r"|nacid[oa] en (?-i:[A-Z]\w+)"
    r"|née? à|nat[oa] a (?-i:[A-Z]\w+)|lost|miscarr\w+|verloren|perdi[óo]|perdido|perdu)\b",
    re.IGNORECASE,
)


def has_died(known: str, stated: str) -> bool:
    """Whether a sentence says of whom a fact is about that they have died; who they were and are called stays."""
    if denies(stated) or _NOT_SO.search(stated) or _IS_CALLED.search(known) or _PAST.search(known):
        return False
    return any(_tells_of_death(who, stated) for who in _list_whom(known))


def _tells_of_death(who: str, stated: str) -> bool:
    places = re.finditer(
        rf"(?<!\w)(?<!von )(?<!of )(?<!de )(?<!di ){re.escape(who)}(?!\w)", stated, re.IGNORECASE
    )
    return any(_DIED.match(stated, place.end()) for place in places)


def _list_whom(known: str) -> list[str]:
    """Whom a fact is about, by name or as a relative: "Mi perro Chispa", "Chispa", „Meine Oma“."""
    subject = find_antecedent(known)
    if subject:
        *_, name = subject.who.split()
        if "'s " in subject.who.replace("’", "'"):  # Tom's mum isn't mum
            return [name if name[:1].isupper() else subject.who]
        only_one = not subject.kin.isdisjoint(ONLY_ONE)
        return [name, *(sorted(subject.kin) if only_one or kin_of(name.lower()) else [])]
    mine = _MINE.match(known)
    if mine and not kin_of(mine["kin"].lower()).isdisjoint(ONLY_ONE):  # under a name in small letters
        return sorted(kin_of(mine["kin"].lower()))
    opening = re.findall(r"[\w'’-]+", known)[:OPENING]
    named = find_person(known)
    is_first = opening[:1] == [named] or opening[:1] == list(names_of(known)[:1])
    return opening[:1] if is_first else [named] if named in opening else []


def has_been_born(known: str, stated: str) -> bool:
    """Whether a fact says that somebody expects a child, and a sentence that it is born: theirs, if it says whose."""
    if not _EXPECTS.search(known) or denies(known) or denies(stated):
        return False
    if not _BORN.search(stated) or _NOT_SO.search(stated) or tells_ahead(stated):
        return False
    if names_other_kin(known, stated):
        return False
    ours, theirs = _mothers(known), find_antecedent(stated)
    if theirs is None:
        return not re.search(r"\b[A-ZÀ-Þ][\w-]+['’]s (?:baby|son|daughter|twins)\b", stated)
    named = theirs.who.split()[-1]
    return bool(theirs.kin and theirs.kin & ours) or named.lower() in known.lower() or not ours


def _mothers(known: str) -> frozenset[str]:
    """The words for the relatives that a fact names."""
    return frozenset[str]().union(*(kin_of(word) for word in list_words(known)))


def who_is_left(known: str, stated: str) -> str:
    """Who a mother is, of a fact that tells her name besides, once her child is born: "Lena's wife Anjali is pregnant"
    leaves that she is called Anjali. Empty where the fact names no relative, or more is told.
    """
    return name_relative(known) if has_been_born(known, stated) else ""


def name_relative(known: str) -> str:
    """Who the relative is called of whom a fact tells: "Lena's wife is called Anjali"; empty where it names none."""
    found = _RELATIVE.match(known)
    if found is None or not kin_of(found["kin"].lower()):
        return ""
    return f"{found['who']} {_CALLED[language_of(known)]} {found['name']}."

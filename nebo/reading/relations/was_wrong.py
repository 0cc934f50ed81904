"""What somebody says was wrong by its matter alone: "the latex thing was nonsense", „das mit den Nüssen stimmt nicht“.

Nothing of what was told is repeated, so a vector barely sees which way it goes. The matter must be named in both.
"""

from __future__ import annotations

import re

from nebo.reading.meaning.conditions import has_condition
from nebo.reading.relations.allergens import mean_the_same
from nebo.reading.relations.own_words import own_words
from nebo.reading.relations.pair_chances import among_facts
from nebo.reading.relations.restatement import stems
from nebo.reading.relations.same_fact import denies
from nebo.reading.wording.covering import language_of
from nebo.reading.words.pauses import split_at_pauses

STEM = 4  # letters by which two forms of a word are told to be one
_WHAT = r"(?P<what>[^,;.!?]{3,40}?)"
_DE = r"(?:(?:ein|eine|nur|totaler?|völliger?|großer?|wohl|leider|doch|also|alles|einfach|echt) )*"
_WRONG = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:the|that|my) {_WHAT} (?:thing|business|stuff|story|bit) (?:was|is|turn(?:ed|s) out(?: to be)?) "
        r"(?:(?:all|just|total|complete|utter|a|actually) )*(?:nonsense|rubbish|bollocks|wrong|untrue"
        r"|misunderstanding"
        r"|not true|false(?: alarm)?|bullshit|misdiagnos\w+)\b",
        rf"\bwhat i (?:said|told you) about {_WHAT} (?:was|is|isn['’]t|wasn['’]t) (?:(?:all|just|actually|a) )*"
        r"(?:nonsense|rubbish|wrong|untrue|not true|true|right|false)\b",
        rf"\bdas mit (?:de[rnm] |mein\w* )?{_WHAT} (?:war|ist) {_DE}(?:quatsch|falsch|blödsinn|unsinn|schmarrn"
        r"|irrtum|fehler|fehlalarm|fehldiagnose|gelogen|erfunden|nicht wahr)\b",
        rf"\bdas mit (?:de[rnm] |mein\w* )?{_WHAT} stimmte? (?:\w+ ){{0,2}}nicht\b",
        rf"\blo (?:de l[ao]s?|del|de mi|de) {_WHAT} (?:era|fue|es|ha sido|resultó)(?: ser)? (?:(?:una?|todo|pura) )*"
        r"(?:mentira|tontería|error|fals[oa](?: alarma)?|invento|equivocación)\b",
        rf"\blo (?:de l[ao]s?|del|de mi|de) {_WHAT} no (?:es|era|fue) (?:verdad|cierto|así)\b",
        rf"\bl['’]histoire d(?:e la |es |u |e |['’]){_WHAT} (?:était|est) (?:fausse|une erreur)\b",
        rf"\bla (?:storia|cosa) d(?:el(?:la|le)?|ei|i) {_WHAT} era (?:falsa|un errore|una sciocchezza)\b",
    )
)
# What somebody can have after all.
_BEARS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^(?:(?:and|but|so|und|aber|y|pero) )?{_WHAT} (?:vertrag(?:e)?|darf|kann) ich"
        r"(?: (?:doch|wieder|jetzt|ja|sehr wohl|gut|problemlos|schon))*(?: essen| nehmen| trinken| haben)?$",
        rf"^(?:(?:und|aber|also) )?ich (?:vertrag(?:e)?|darf|kann) {_WHAT} (?:(?:doch|wieder|jetzt|ja|sehr wohl|gut"
        r"|problemlos|schon)(?: (?:essen|nehmen|trinken|haben))?(?: |$))+$",
        rf"^(?:(?:and|but|so) )?{_WHAT} (?:is|are) (?:fine|ok(?:ay)?|no problem) (?:for me )?(?:after all"
        rf"|now|again)$",
        rf"^(?:(?:and|but|so) )?i can (?:have|eat|take|drink) {_WHAT} (?:after all|again|now)$",
        rf"^(?:(?:y|pero|así que) )?(?:ya |sí que |sí )?puedo (?:comer|tomar|beber) {_WHAT}(?: otra vez| de nuevo)?$",
    )
)
# What somebody is not allergic to, as it turned out.
_NOT_ALLERGIC = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^(?:(?:and|but|so) )?i(?:['’]?m| am) not (?:actually )?allergic to (?:the )?{_WHAT}"
        r"(?: after all| any ?more| at all)?$",
        rf"^(?:ich bin )?gegen {_WHAT} (?:bin ich )?(?:gar |doch |ja |jetzt )*(?:nicht|nimmer)(?: mehr)? allergisch$",
        rf"^(?:(?:y|pero|al final) )?(?:ya )?no soy alérgic[oa] (?:al?|a l[ao]s?) {_WHAT}$",
        rf"^je ne suis (?:pas|plus) allergique (?:au|aux|à la|à l['’]|à) ?{_WHAT}$",
        rf"^non sono (?:più )?allergic[oa] (?:al|alla|alle|ai|all['’]|a) ?{_WHAT}$",
    )
)
_INTOLERANT = re.compile(
    r"\b(?:allerg\w*|alérg\w*|alerg\w*|intoleran\w*|vertrag\w*|verträg\w*|can['’]t (?:have|eat|take|drink)"
    r"|no puedo (?:comer|tomar)|me sienta\w* mal)\b",
    re.IGNORECASE,
)
# That something wasn't the cause: "it isn't the strawberries at all", „es sind gar nicht die Nüsse“.
_WAS_NOT_IT = re.compile(
    r"\b(?:it (?:isn['’]t|wasn['’]t|['’]s not|is not|was not) (?:actually )?(?:the|my)\b"
    r"|es (?:sind|waren|war|ist) (?:gar |doch |ja |wohl )*(?:nicht|keine?) (?:die |der |das )?\w+"
    r"|no (?:son|eran|fueron|es|era|fue) (?:el|la|los|las) \w+"
    r"|(?:el|la|los|las) \w+ (?:al final )?no (?:eran?|fueron|son|fue)\b"
    r"|(?:ce |c['’])?(?:n['’])?(?:est|était|étaient) pas (?:le|la|les) \w+|non (?:è|era|erano|sono) (?:il"
    r"|la|le|gli|i) \w+)",
    re.IGNORECASE,
)
ACROSS = 0.6  # chance of being over, from which what wasn't it is what is known in another language
_SOME = re.compile(
    r"\b(?:some|little|few|bit|small|wenig|bisschen|etwas|manche|poco|algun\w*)\b", re.IGNORECASE
)


def says_was_wrong(known: str, stated: str) -> bool:
    """Whether a sentence says that what is known of a matter, which it names, was wrong."""
    what = next((found["what"] for one in _WRONG if (found := one.search(stated))), "")
    had = stems(_first_clause(known))
    return any(_is_one(word, other) for word in stems(what) for other in had)


def says_is_borne(known: str, stated: str) -> bool:
    """Whether a sentence says that somebody can have after all what they were said not to."""
    if not _INTOLERANT.search(known) or has_condition(stated):
        return False
    clauses = [clause.strip(" .!") for clause in split_at_pauses(stated) or [stated]]
    found = [one.match(clause) for clause in clauses for one in (_NOT_ALLERGIC if denies(clause) else _BEARS)]
    matters = [match["what"] for match in found if match and not _SOME.search(match["what"])]
    had = stems(_first_clause(known))
    return any(
        stems(what)
        and all(any(_is_one(word, one) or mean_the_same(word, one) for one in had) for word in stems(what))
        for what in matters
    )


def was_not_it(known: str, stated: str) -> bool:
    """Whether a sentence in another language says that it wasn't what somebody was said not to have: which that is, the
    reader tells by both.
    """
    if (
        not _WAS_NOT_IT.search(stated)
        or not _INTOLERANT.search(known)
        or language_of(known) == language_of(stated)
    ):
        return False
    chances = among_facts(known, stated)
    return bool(chances) and chances["changes"] + chances["ends"] >= ACROSS


def _is_one(word: str, other: str) -> bool:
    """Whether two stems are forms of one word: "Nüsse" and "Nüssen"."""
    short, long = sorted((word, other), key=len)
    return long.startswith(short) and (short == long or len(short) >= STEM)


def _first_clause(known: str) -> str:
    return (split_at_pauses(own_words(known)) or [known])[0]

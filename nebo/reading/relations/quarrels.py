"""Whether those who quarrelled are good again, by another word or by the name of whom it was with."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nebo.reading.meaning.clauses import list_clauses
from nebo.reading.meaning.kinds import Relation
from nebo.reading.meaning.reader import Sentence, relation
from nebo.reading.relations.own_words import own_words
from nebo.reading.relations.same_fact import denies
from nebo.reading.relations.untouched import is_of_other_kin
from nebo.reading.wording.covering import language_of
from nebo.reading.wording.names import names_of

DOUBT = 0.5  # chance from which a sentence is about something
QUARREL = 0.3  # chance of saying that people quarrelled
MADE_UP = 0.65  # chance that a quarrel is over
MADE_UP_WITH = 0.85  # the same, of one with somebody whom both name
ABOUT_FACTS: tuple[Relation, ...] = ("same", "changes", "ends", "beside", "other")
TELLS_MORE = (
    0.4  # worth, or chance of an end, from which a sentence tells something of its own: "we got married"
)
# The plainest ways to say it, beside which the reader is asked whether a quarrel is over.
QUARRELS = {
    "en": ("We had a row.", "We had a fight."),
    "de": ("Wir haben uns gestritten.", "Wir hatten Streit."),
    "es": ("Nos peleamos.", "Hemos tenido una pelea."),
    "fr": ("On s'est disputés.", "On s'est fâchés."),
    "it": ("Abbiamo litigato.", "Abbiamo avuto una lite."),
}
# What is said of somebody by name reads too much alike for the reader to tell a quarrel from a meeting.
_AT_ODDS = re.compile(
    r"\b(?:f[ae]ll(?:en|ing)?[ -]out|(?:aren['’]t|isn['’]t|not|don['’]t|doesn['’]t) (?:even )?(?:speak|talk)(?:ing)?"
    r"|(?:row|fight|argument|bust-up|barney|quarrel|tiff) with|on speaking terms|at war|quarrel\w+|argued"
    r"|furious with"
    r"|angry (?:with|at)|streit mit|zerstritten|verkracht|zoff mit|sauer auf|(?:rede|reden|redet"
    r"|sprech\w+) (?:\w+ ){0,5}nicht mehr"
    r"|no (?:me|nos) habl\w+|(?:estoy|ando|estamos) de uñas|enfadad[oa]s? con|cabread[oa]s? con"
    r"|pelead[oa]s? con|bronca con"
    r"|discutí con|fâchée?s? (?:avec|contre)|(?:ne )?(?:se|nous) parl\w+ plus|brouillée?s?|litigat[oi] con"
    r"|non (?:ci )?parl\w+(?: più)?|arrabbiat[oa] con)\b",
    re.IGNORECASE,
)


def made_up(known: str, sentence: Sentence) -> bool:
    """Whether those who quarrelled are good again, by another word: „wir haben uns wieder vertragen“."""
    stated, language, meaning = sentence.text, language_of(known), sentence.meaning
    tells_more = (
        max(meaning.worth["good"], meaning.chances["ended"]) >= TELLS_MORE
        or meaning.slots["partner"] + meaning.slots["home"] >= DOUBT
    )
    others = _names_others(known, stated) or is_of_other_kin(known, stated)
    if tells_more or others or not _is_quarrel(known, QUARRELS.get(language, ())):
        return False
    plain = QUARRELS.get(language_of(stated), QUARRELS["en"])
    over = max(_mean_end(one, stated) for one in (plain, QUARRELS[language]))
    return over >= MADE_UP


def made_up_with(known: str, sentence: Sentence) -> bool:
    """Whether a quarrel with somebody whom both name is over: "Leanne came to the gig, we had a proper talk"."""
    stated = sentence.text
    names = [one for one in names_of(f"… {known}") if re.search(rf"\b{re.escape(one)}\b", stated, re.I)]
    if not names or not _AT_ODDS.search(known) or denies(stated):
        return False
    clauses = {known, own_words(known), list_clauses(own_words(known))[0]}
    return max(_end(clause, stated) for clause in clauses) >= MADE_UP_WITH


def _is_quarrel(known: str, plain: Sequence[str]) -> bool:
    return any(max(relation(one, known)["same"], relation(known, one)["same"]) >= QUARREL for one in plain)


def _names_others(known: str, stated: str) -> bool:
    """Whether a sentence names somebody whom what is known doesn't."""
    return any(name.lower() not in known.lower() for name in names_of(f"… {stated}"))


def _end(known: str, stated: str) -> float:
    chances = relation(known, stated)
    facts = sum(
        chances.get(kind, 0.0) for kind in ABOUT_FACTS
    )  # peace that was made may read as a thing done, too
    return (chances["changes"] + chances["ends"]) / facts if facts else 0.0


def _mean_end(known: Sequence[str], stated: str) -> float:
    return sum(_end(one, stated) for one in known) / len(known)

"""That somebody moves on a day to come: "Mum's moving in with me in November", „Wir ziehen am 3. März nach Kiel“.

Until then they live where they did; from then on what was told as a plan says where.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from nebo.reading.facts.values import find_value
from nebo.reading.meaning.antecedents import find_antecedent
from nebo.reading.meaning.reader import Sentence, read_sentence, relation
from nebo.reading.relations.plans import holds_now, tells_ahead
from nebo.reading.relations.same_fact import denies
from nebo.reading.times.dates import find_due, without_times
from nebo.reading.wording.covering import list_words
from nebo.reading.wording.names import names_of
from nebo.reading.wording.polarity import is_almost
from nebo.reading.wording.vocabulary import TIED
from nebo.reading.words.openers import without_opener

PLAIN_PLACES = ("Leeds", "York")
MOVED_PLAINLY = 0.75  # chance of being over of a home in the one, by a sentence about the other
NOT_A_HOME = ("work", "tool", "project", "decision", "education")  # slots of what else one may move to
DOUBT = 0.5  # chance of those together, from which nobody moves house
MAYBE = 0.3  # chance of correcting, putting off or supposing, from which nothing is sure to end
_PLACE = r"(?P<place>(?-i:[A-ZÀ-ÖØ-Þ])[\w'’-]+)"
# Into somebody's home, or to a place.
_JOINS = re.compile(
    r"\bmov(?:es|ing) (?:back )?in with (?:me|us)\b"
    r"|\b(?:mov|com)(?:es|ing) (?:back )?to (?:live with )?(?:mine|ours|us)\b"
    r"|\bzieht\b.*\bzu (?:mir|uns)\b|\bse (?:muda|viene a vivir) (?:conmigo|con nosotr[oa]s|a (?:mi|nuestra) casa)\b"
    r"|\b(?:emménage|s['’]installe|vient (?:vivre|habiter)) (?:chez (?:moi|nous)|avec (?:moi|nous))\b"
    r"|\b(?:si trasferisce|viene a (?:vivere|stare)) (?:da (?:me|noi)|con (?:me|noi))\b",
    re.IGNORECASE,
)
_GOES = re.compile(
    rf"\bmov(?:e|es|ing) (?:(?:back|up|down|over|out) )?(?:to|into) (?:an? [\w ]{{3,20}}? in )?{_PLACE}"
    rf"|\bzieh(?:e|t|en)?\b.*\bnach (?P<ort>(?-i:[A-ZÀ-ÖØ-Þ])[\w'’-]+)"
    rf"|\b(?:(?:me|se|nos) (?:mud|traslad)(?:o|a|an|amos) a|déménag(?:e|ent|eons) à"
    rf"|(?:[mcs]i )?trasferi(?:sco|sce|amo|scono) a) (?P<lieu>(?-i:[A-ZÀ-ÖØ-Þ])[\w'’-]+)",
    re.IGNORECASE,
)
_TO_LIVE = re.compile(
    rf"\bnach (?P<ort>(?-i:[A-ZÀ-ÖØ-Þ])[\w'’-]+) (?:zu |um)?(?:um)?(?:zu)?zieh\w+"
    rf"|\b(?:mudarnos|mudarme|irnos a vivir|irme a vivir) a (?P<sitio>(?-i:[A-ZÀ-ÖØ-Þ])[\w'’-]+)"
    rf"|\b(?:déménager|m['’]installer|nous installer) à (?P<lieu>(?-i:[A-ZÀ-ÖØ-Þ])[\w'’-]+)"
    rf"|\btrasferir(?:ci|mi) a (?P<luogo>(?-i:[A-ZÀ-ÖØ-Þ])[\w'’-]+)"
    rf"|\bmove (?:back )?to {_PLACE}",
    re.IGNORECASE,
)
_TO_MOVE = re.compile(
    r"\bmov(?:e|es|ing)\b|\b(?:zieh(?:e|t|en)|umzieh\w*|umzug)\b|\bmud(?:o|a|an|amos|anza)\b|ménag(?:e|ent|eons)\b"
    r"|\btras(?:ferisc\w+|feriamo|loc(?:o|a|hiamo))\b",
    re.IGNORECASE,
)
_MOVED = re.compile(
    r"\b(?:moved|umgezogen|eingezogen|mudad[oa]s?|(?:em|dé)ménagée?s?|trasferit[oaie]|traslocat[oaie])\b",
    re.IGNORECASE,
)
# Of long ago, when others decided where one lived.
_AS_A_CHILD = re.compile(
    r"\b(?:when (?:i|we) (?:was|were)|as (?:a child|kids?)|als (?:ich|wir) \w+ (?:war|waren)|als kind(?:er)?"
    r"|de niñ[oa]s?|cuando (?:era|tenía)|quand (?:j['’]étais|j['’]avais)|enfant|da bambin[oa]|quando (?:ero|avevo)"
    r"|in \d{4}|im jahr)\b",
    re.IGNORECASE,
)
_OWN = re.compile(r"(?:i|we|ich|wir|yo|nosotr[oa]s|me|nos|je|nous|on|io|noi|mi|ci)\b", re.IGNORECASE)
# Who has come to live with the speaker, told when it has happened.
_HAS_JOINED = re.compile(
    r"\b(?:(?:moved|come|came) (?:back )?(?:in|to live|to stay for good) with|lives? with|living with) (?:me|us)\b",
    re.IGNORECASE,
)
_WITH_US = re.compile(r"\bwith (?:me|us)\b", re.IGNORECASE)
_ALONE = r"(?: (?:living )?(?:on (?:his|her|their) own|alone))?"
_IS_IN = re.compile(rf"(?:['’]s| is| ist| está| est| è){_ALONE} (?:in|en|à|a) {_PLACE}")


def find_move(sentence: Sentence, on: date) -> date | None:
    """The day from which somebody lives elsewhere, if a sentence told on a day says so of one to come; of a month the
    day after it.
    """
    text, chances = sentence.text, sentence.meaning.chances
    moves = _JOINS.search(text) or _GOES.search(text)
    unsure = ("correction", "put_off", "supposed", "question", "quoted", "joking")
    if not moves or holds_now(text) or denies(text) or any(chances[kind] >= MAYBE for kind in unsure):
        return None
    if sum(sentence.meaning.slots[slot] for slot in NOT_A_HOME) >= DOUBT:
        return None
    when = find_due(text, on)
    if when is None or when.due is None:
        return None
    day = when.day or when.due + timedelta(days=1)
    return day if day > on else None


def find_planned_move(known: str) -> str:
    """Where the speaker means to move, if what is known, in their own words, is such a plan; else empty."""
    text = without_opener(known)
    if not tells_ahead(text) or denies(text) or find_antecedent(text.partition(",")[0]) is not None:
        return ""
    goes = _GOES.search(text) or _TO_LIVE.search(text)
    moves_on = sum(read_sentence(text).slots[slot] for slot in NOT_A_HOME) >= DOUBT
    return next(filter(None, goes.groups()), "") if goes and not moves_on else ""


def is_left_behind(known: str, sentence: Sentence) -> bool:
    """Whether what is known, in its person's own words, is where those live who move."""
    if denies(known) or tells_ahead(known):
        return False
    text = without_opener(sentence.text)
    goes = _GOES.search(text)
    to = next(filter(None, goes.groups()), "") if goes else ""
    home = find_value("home", known)
    if to and to in known:
        return False
    who, of = find_antecedent(text), find_antecedent(known)
    if who is None:
        is_own = (
            of is None and read_sentence(known).slot == "home" and not read_sentence(known).is_of_another()
        )
        return bool(to and home and is_own and _OWN.match(text))
    if of is None or not (
        who.kin == of.kin if who.kin and of.kin else who.who.split()[-1] == of.who.split()[-1]
    ):
        return False
    return bool(TIED["home"] & set(list_words(without_times(known))) or _IS_IN.search(known))


def has_joined(known: str, sentence: Sentence) -> bool:
    """Whether somebody has come to live with the speaker, and what is known is where they lived before."""
    text = sentence.text
    joined = _HAS_JOINED.search(text) and not _WITH_US.search(known)
    return bool(joined) and not denies(text) and not tells_ahead(text) and is_left_behind(known, sentence)


def has_only_come_true(known: str, stated: str) -> bool:
    """Whether a move that was told has taken place, and nothing else says where to: "Moved!", after "moves to York"."""
    return (
        bool(_TO_MOVE.search(known) and _MOVED.search(stated)) and not names_of(stated) and not denies(stated)
    )


def has_moved_to_another(stated: str) -> bool:
    """Whether somebody has moved to a place, where another one is known: read with plain names for both, since
    a strange one ("Ely", "Hull") may hide it.
    """
    place = find_value("home", stated)
    if not place or is_almost(stated) or _AS_A_CHILD.search(stated):
        return False
    plainly = stated.replace(place, PLAIN_PLACES[1])
    known = (f"Lives in {PLAIN_PLACES[0]}.", f"I live in {PLAIN_PLACES[0]}.")
    chances = [relation(one, plainly) for one in known]
    return (
        sum(one.get("changes", 0.0) + one.get("ends", 0.0) for one in chances) / len(known) >= MOVED_PLAINLY
    )

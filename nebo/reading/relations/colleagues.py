"""Who has left the firm is nobody's boss there any longer, and does no work there: told by the name."""

from __future__ import annotations

import re

from nebo.reading.facts.values import find_person
from nebo.reading.meaning.reader import Sentence, read_sentence
from nebo.reading.relations.own_words import in_own_words
from nebo.reading.relations.same_fact import denies
from nebo.reading.times.past_clauses import tells_past
from nebo.reading.wording.names import names_of
from nebo.reading.words.plain_words import in_plain_words

DOUBT = 0.5  # chance of one of these from which nothing is said
_FIRM = r"(?:company|firm|business|team|agency|department|organi[sz]ation|start-?up|charity|paper|council)"
_FIRMA = r"(?:firma|unternehmen|betrieb|team|abteilung|kanzlei|agentur|verlag|redaktion|konzern|verein)"
_EMPRESA = r"(?:empresa|compañía|equipo|firma|bufete|agencia|departamento|redacción|fundación)"
_BOITE = r"(?:entreprise|société|boîte|équipe|agence|association|rédaction)"
_DITTA = r"(?:azienda|ditta|società|team|squadra|agenzia|redazione)"
_SINCE = r"(?: (?:now|just|already|finally|recently|jetzt|nun|inzwischen|ya|por fin|déjà|già|appena))*"
# Who left a place early, or left the team a note, is there again tomorrow.
_FOR_GOOD = (
    r"\b(?! (?:early|late|at \d|at (?:noon|midday|ten|nine|five|six)|an? (?!week|month|year|while|few|couple)|some \w+"
    r"|the|his|her|their|in (?:an?|his|her|their)|heute|früh|um \d|a las|à \d|alle \d|party|do|dinner|car|meeting|chat"
    r"|channel|call|room|to (?:it|get on|themselves))\b)"
)
# Behind a name.
_LEFT = re.compile(
    "|".join(
        (
            rf"(?:['’]s| has| had)?{_SINCE} (?:left|quit|departed) (?:the|our|my|this) (?:\w+ )?{_FIRM}{_FOR_GOOD}",
            r"(?:(?: doesn['’]t| does not) work| (?:is|['’]s) no longer) (?:here|with us|for us|with me)\b",
            rf" hat (?:[^,.;!?]{{0,30}} )?(?:die|das|den|unsere?n?) {_FIRMA}"
            r" (?:(?!heute\b)[^,.;!?]{0,30} )?verlassen\b",
            rf" ist (?:[^,.;!?]{{0,20}} )?aus (?:der|dem|unserer|unserem) {_FIRMA} (?:[^,.;!?]{{0,20}} )?"
            r"(?:ausgeschieden|raus|weg)\b",
            r" (?:ist|arbeitet) (?:\w+ )?nicht mehr bei uns\b",
            rf" (?:ha dejado|dejó|se ha ido de|se fue de|se marchó de|se ha marchado de){_SINCE}"
            rf" (?:la|el|nuestr[oa]) {_EMPRESA}{_FOR_GOOD}",
            r" (?:ya )?no trabaja (?:ya )?(?:aquí|con nosotr[oa]s|conmigo)\b",
            rf" (?:a|vient de) quitt(?:é|er) (?:la |le |notre |l['’]){_BOITE}{_FOR_GOOD}",
            r" ne travaille plus (?:ici|avec (?:nous|moi)|chez nous)\b",
            rf" ha lasciato (?:la |il |lo |la nostra |il nostro |l['’]){_DITTA}{_FOR_GOOD}",
            r" non lavora più (?:qui|con (?:noi|me))\b",
        )
    ),
    re.IGNORECASE,
)
# Whom somebody is to others at work.
_AT_WORK = re.compile(
    r"\b(?:manager|boss|supervisor|colleague|co-?worker|team ?mate|head of|team lead|mentor|in charge|deputy"
    r"|chef(?:in)?|vorgesetzte[rn]?|kolleg(?:e|in|en)|\w*leiter(?:in)?|leitet|betreut"
    r"|jef[ea]|compañer[oa] de (?:trabajo|equipo)|encargad[oa]|responsable|dirige"
    r"|cheffe|collègue|supérieure?|gère|s['’]occupe|cap[oa]|collega|gestisce)\b",
    re.IGNORECASE,
)


def has_left_firm(known: str, sentence: Sentence) -> bool:
    """Whether somebody whom both name has left the firm where they do what is known of them."""
    stated, name = in_plain_words(sentence.text), _find_whom(known, sentence.text)
    if not name or not _LEFT.match(stated[len(name) :]) or _is_unsaid(sentence):
        return False
    return not tells_past(known) and not denies(known) and _is_of_work(known)


def _is_unsaid(sentence: Sentence) -> bool:
    return max(sentence.meaning.chances[kind] for kind in ("supposed", "question", "quoted")) >= DOUBT


def _is_of_work(known: str) -> bool:
    """Whether a fact tells what somebody does at work, or is there to others."""
    if any(read_sentence(text).slot == "work" for text in {known, in_own_words(known, "")}):
        return True
    return _AT_WORK.search(known) is not None


def _find_whom(known: str, stated: str) -> str:
    """The name with which a sentence begins, where the fact begins with it too, or gives it to somebody near."""
    first = known.partition(" ")[0].removesuffix("'s").removesuffix("’s")
    names = [find_person(known), *names_of(f"… {known}"), *([first] if first[:1].isupper() else [])]
    return next((one for one in names if one and re.match(rf"{re.escape(one)}(?=['’]s\b|\s)", stated)), "")

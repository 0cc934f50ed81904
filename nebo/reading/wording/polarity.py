"""Whether a text says that something is so, or that it isn't (any more): by its words, in five languages."""

from __future__ import annotations

import re

from nebo.reading.words.stop_words import words

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_DENYING = words(
    """
    no not against never none nobody nothing without cannot neither nor can't cant don't dont doesn't
    doesnt didn't didnt isn't isnt aren't arent wasn't weren't won't wont hasn't haven't hadn't couldn't
    wouldn't shouldn't ain't unable intolerant intolerance unverträglichkeit intolerante intolérant
    intolérante intolleranza nicht kein keine keinen keinem keiner keines nie niemals nichts ohne nunca
    jamás nada sin ni tampoco ningún ninguna pas jamais sans rien aucun aucune non mai niente senza
    nessun nessuno nessuna neanche
    """
)
_AVERSE = words(
    """
    hate hates hated dislike dislikes disliked loathe loathes detest detests despise despises hasse
    hasst verabscheue verabscheut odio odia detesto detesta aborrezco aborrece déteste détestes avoid
    avoids avoiding meide meidet vermeide vermeidet evito evita évite
    """
)
# "Can't stand" says "not" of no standing: it is one word for dislike.
_DISLIKES = re.compile(
    r"\b(?:can['’]?t|cannot|can not|couldn['’]?t) (?:stand|bear|abide|stomach)\b|\bnicht (?:leiden|ausstehen)\b"
    r"|\bno (?:(?:lo|la|los|las) )?(?:soport|aguant)(?:o|a|amos|an)\b|\bne supporte\w* (?:pas|plus)\b|\bnon sopport\w+",
    re.IGNORECASE,
)
_ENDED = words(
    """
    lapse lapsed expired auslaufen ausgelaufen expirer expiré
    stopped stops stop ruled rejected verworfen abgelehnt descartamos descartado descarté écarté rejeté scartato
    quit quitting quits resigned former formerly ex ended left leaves leave leaving
    broke split separated dumped cancelled canceled gave dropped gekündigt aufgehört verlassen getrennt
    beendet ehemalige ehemaliger ehemaligen dejado dejé dejó dejamos renuncié renunciado rompí rompimos
    roto arrêté arrête quitté démissionné rompu séparés séparée séparé smesso lasciato licenziato
    licenziata dimesso dimessa
    """
)
_PAST = re.compile(
    r"\b(?:used to|formerly|previously|once was|back then|früher|damals|ehemals|solía|solíamos|antes era|antiguamente"
    r"|autrefois|à l'époque|avant,|una volta|un tempo|former|ex-?)\b",
    re.IGNORECASE,
)
_ANSWER = re.compile(r"^\s*(?:no|nope|nein|non|nah|nö|ne)\s*[,.!–—-]+\s*(?=\S)", re.IGNORECASE)


_ALMOST = re.compile(
    r"\b(?:nearly|almost|about to|on the (?:point|verge) of|beinahe?|fast|kurz davor|casi|a punto de|presque|faillit?"
    r"|sur le point de?|quasi|per poco|sul punto di)\b(?! (?:always|every|all|never|no|immer|jede[nrs]?|alle|nie|kein"
    r"|siempre|tod[oa]s?|nunca|toujours|tou[st]|jamais|sempre|tutt[ie]|mai))",
    re.IGNORECASE,
)


def is_denied(text: str) -> bool:
    """Whether a text denies, dislikes or ends an odd number of times; "No, …" before a statement doesn't count."""
    spoken = [word.replace("’", "'").lower() for word in _WORD.findall(without_answer(text))]
    return sum(map(_turns, spoken)) % 2 == 1


def without_answer(text: str) -> str:
    """Without the "No," before a statement, which denies what was asked and not what follows."""
    return _ANSWER.sub("", text)


def is_averse(text: str) -> bool:
    """Whether a text says outright that something isn't liked."""
    return _DISLIKES.search(text) is not None or any(word.lower() in _AVERSE for word in _WORD.findall(text))


def is_almost(text: str) -> bool:
    """Whether a text says that something was nearly so, or is about to be."""
    return _ALMOST.search(text) is not None


def is_past(text: str) -> bool:
    """Whether a text says outright that something was so and is so no longer."""
    return bool(_PAST.search(text))


def _turns(word: str) -> bool:
    bare = word.rpartition("'")[2]  # "d'aucun", "l'ex"
    return bool({word, bare} & (_DENYING | _AVERSE | _ENDED))

"""What was to be bought or found, and is there now: „das Schloss hab ich längst“, "las cajas las conseguí gratis"."""

from __future__ import annotations

import re

from nebo.reading.requests.acts import names_matter
from nebo.reading.words.naming import find_named
from nebo.reading.words.pauses import split_at_pauses

LEAST_WORDS = 2  # of a todo: the verb, and what it is done to
# What one does to come by a thing.
_COME_BY = re.compile(
    r"\b(?:kaufen|besorgen|holen|finden|suchen|organisieren|auftreiben"
    r"|(?:comprar|conseguir|buscar|encontrar|sacar)(?:me|nos|l[aeo]s?)?"
    r"|(?:r?acheter|trouver|chercher|récupérer|r?achète|trouve)|(?:comprare|trovare|cercare|prendere|rimediare))\b",
    re.IGNORECASE,
)
_GERMAN = re.compile(
    r"\b(?:habe?|haben) (?:ich|wir)(?: (?:mir|uns|längst|schon|jetzt|nun|inzwischen|endlich|ja|auch|bereits"
    r"|gestern|heute|umsonst))*"
    r"(?: (?:gekriegt|bekommen|gefunden|besorgt|ergattert))?(?=\W*$|[,.!?;]| (?:im|in|bei|für|von|vom|auf|aus|über)\b)",
    re.IGNORECASE,
)
_SPANISH = re.compile(
    r"\b(?:ya (?:l[ao]s? )?(?:tengo|tenemos)(?! que\b)|(?:l[ao]s? )?(?:conseguí|conseguimos|encontré|encontramos|pillé)"
    r"|(?:he|hemos) (?:conseguido|encontrado|pillado))\b",
    re.IGNORECASE,
)
_FRENCH = re.compile(
    r"(?:\bje l(?:['’]ai|es ai)|\bon l(?:['’]a|es a)|\bj['’](?:en )?ai)\b"
    r"(?: (?:déjà|enfin|finalement))?(?: (?:trouvée?s?|eue?s?|récupérée?s?)\b|(?=\W*$|[,.!?;]))"
    r"|\bj['’]ai déjà (?:une?|le|la|les|mon|ma|mes)\b",
    re.IGNORECASE,
)
_ITALIAN = re.compile(
    r"\b(?:ce l['’](?:ho|abbiamo)(?! da\b)|l['’](?:ho|abbiamo) (?:già )?(?:trovat|pres|rimediat)[oaie]"
    r"|(?:li|le) (?:ho|abbiamo) (?:già )?(?:trovat|pres|rimediat)[ie])",
    re.IGNORECASE,
)
_HAS_IT = (_GERMAN, _SPANISH, _FRENCH, _ITALIAN)


_NEEDED_NO_MORE = re.compile(
    r"\bplus besoin\b|\bplus la peine\b|\bbrauch\w* [^,;.!?]{0,40}?(?:nicht|nich|keine?[nr]?) (?:\w+ )?mehr\b"
    r"|\bya no (?:(?:me|nos) )?(?:hacen? falta|necesit\w+)|\bnon (?:(?:mi|ci) )?serv\w+ più"
    r"|\bnon (?:ho|abbiamo) più bisogno"
    r"|\bno longer need\b|\b(?:don['’]?t|do not) need [^,;.!?]{1,40}? any ?more\b",
    re.IGNORECASE,
)


def is_needed_no_more(text: str, todo: str) -> bool:
    """Whether somebody says of what a todo is to come by that they need it no longer."""
    if not _COME_BY.search(todo):
        return False
    return any(
        _NEEDED_NO_MORE.search(part) and (names_matter(todo, part) > 0 or _names_object(todo, part))
        for part in split_at_pauses(text) or [text]
    )


def has_come_by(text: str, todo: str) -> bool:
    """Whether somebody says that they have what the todo is to come by; whether they deny it isn't looked at."""
    if not _COME_BY.search(todo):
        return False
    is_named = names_matter(todo, text) > 0 or _names_object(todo, text)
    return is_named and any(has.search(text) for has in _HAS_IT)


def _names_object(todo: str, text: str) -> bool:
    """Whether a text has what stands right before a German todo's verb, or first behind another's: "Dringend ein neues
    Schloss besorgen", "Racheter des chaussons d'escalade".
    """
    words = [word.lower() for word in todo.split()]
    if len(words) < LEAST_WORDS:
        return False
    if words[-1].endswith("en"):
        return bool(find_named({words[-2]}, text))
    thing = next((word for word in words[1:] if len(word) > len("unos")), "")
    return bool(thing and find_named({thing}, text))

"""A French act as one says it to oneself: « prendre rdv » of « il faut que je prenne rdv »."""

from __future__ import annotations

import re

# Forms behind « que je » of verbs whose infinitive another rule wouldn't find.
_INFINITIVES = {
    "prenne": "prendre", "apprenne": "apprendre", "reprenne": "reprendre", "rende": "rendre", "vende": "vendre",
    "réponde": "répondre", "descende": "descendre", "attende": "attendre", "perde": "perdre", "fasse": "faire",
    "refasse": "refaire", "aille": "aller", "sois": "être", "aie": "avoir", "vienne": "venir", "revienne": "revenir",
    "tienne": "tenir", "mette": "mettre", "remette": "remettre", "écrive": "écrire", "inscrive": "inscrire",
    "lise": "lire",
    "dise": "dire", "voie": "voir", "revoie": "revoir", "reçoive": "recevoir", "envoie": "envoyer",
    "renvoie": "renvoyer",
    "paie": "payer", "nettoie": "nettoyer", "appelle": "appeler", "rappelle": "rappeler", "jette": "jeter",
    "boive": "boire", "conduise": "conduire", "ouvre": "ouvrir", "parte": "partir", "sorte": "sortir",
    "dorme": "dormir",
    "suive": "suivre", "répare": "réparer", "prépare": "préparer", "récupère": "récupérer",
}  # fmt: skip
_THAT_I = re.compile(
    r"(?P<before>^|,?\s+(?:et |puis )?que (?:je |j['’]))(?P<clitic>(?:(?:me|le|la|les|lui|leur|y|en) |[ml]['’]))?"
    r"(?P<verb>[^\W\d_]+)",
    re.IGNORECASE,
)
_AND_THAT_I = re.compile(r"^,?\s+(?:et |puis )?que", re.IGNORECASE)
_LEADS_IT = re.compile(r"\bque (?:je |j['’])$", re.IGNORECASE)


def is_led_by_that(lead: str) -> bool:
    """Whether such a form follows: « il faut que je »."""
    return _LEADS_IT.search(f"{lead.rstrip()} " if not lead.endswith(("'", "’")) else lead) is not None


def to_infinitives(act: str) -> str:
    """The act with infinitives for its first verb and for those behind « et que je »."""

    def written(found: re.Match[str]) -> str:
        joined = " et " if _AND_THAT_I.match(found["before"]) else ""
        return f"{joined}{found['clitic'] or ''}{_infinitive(found['verb'])}"

    return _THAT_I.sub(written, act)


def _infinitive(verb: str) -> str:
    low = verb.lower()
    if low in _INFINITIVES:
        return _INFINITIVES[low]
    if low.endswith("isse"):
        return f"{low[:-3]}r"
    if not low.endswith("e"):
        return verb
    return f"{re.sub('è(?=[^aeiouy]+$)', 'e', low[:-1])}er"

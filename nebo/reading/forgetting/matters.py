"""What is to be forgotten where a request names it by a noun ("the fight with Ana") and it was told by a verb ("Ana
screamed at me"): the noun names one of a few matters, and a linear head tells which sentences are about that.

`training/fit_matters.py` fits the head on the vector by which a sentence is read anyway. It needs the multilingual
encoder.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from math import inf
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nebo.encoders.files import has_e5
from nebo.reading.meaning.reader import encode
from nebo.reading.words.hasty import write_apostrophes

FILE = Path(__file__).parents[1] / "heads" / "matters.npz"
LIKELY = -1.0  # log-odds from which a sentence may be about a matter; docs/reading.md has what that finds
UNLIKELY = -4.0  # below which it surely isn't
CACHED = 1_000  # sentences

# Nouns (and verbs as nouns) by which people name each matter.
NAMES: Mapping[str, re.Pattern[str]] = {
    matter: re.compile(rf"\b(?:{names})\b", re.IGNORECASE)
    for matter, names in {
        "quarrel": r"fights?|fighting|rows?|arguments?|arguing|quarrels?|bust[- ]?up|falling[- ]out|fall[- ]out"
        r"|barney|tiff|spat|dispute|outburst|drama|streit\w*|zoff|krach|auseinandersetzung\w*"
        r"|gezank\w*|pele\w+|bronca|discusi[oó]n\w*|rifirrafe|engueulade|disputes?|prise de bec"
        r"|embrouille|lit[ei]|litigio|discussione|litigata",
        "breakup": r"break[- ]?ups?|split|separation|divorce|trennung|scheidung|schlussmachen|ruptura"
        r"|separaci[oó]n|divorcio|rupture|s[eé]paration|rottura|separazione|divorzio",
        "affair": r"affairs?|cheating|crush|fling|one[- ]night stand|infidelity|affäre|seitensprung|fremdgehen"
        r"|verknallt\w*|schwarm|aventura|infidelidad|cuernos|liaison|infid[eé]lit[eé]|tromperie"
        r"|tradimento|cotta|tresca",
        "drinking": r"drinking|booze|alcohol|relapse|weed|drugs|addiction|sobriety|saufen|trinken|alkohol|kiffen"
        r"|rückfall|sucht|bebida|reca[ií]da|drogas|porros|alcool|rechute|drogues?|ricaduta|droga",
        "money": r"debts?|money (?:troubles?|problems?|worries|stuff)|salary|wages?|income|loan|overdraft"
        r"|gambling|betting|schulden|gehalt|lohn|geldsorgen|kredit|spielsucht|deudas?|sueldo|salario"
        r"|n[oó]mina|apuestas|dettes?|salaire|paie|debit[oi]|stipendio|scommesse",
        "illness": r"diagnosis|illness|depression|anxiety|panic attacks?|cancer|breakdown"
        r"|health (?:stuff|problems?|scare)|diagnose|krankheit|angst(?:störung|zustände)|panikattacken"
        r"|krebs|diagn[oó]stico|enfermedad|depresi[oó]n|ansiedad|c[aá]ncer|diagnostic|maladie"
        r"|d[eé]pression|crises? d['’]angoisse|angoisses?|diagnosi|malattia|depressione|ansia|tumore",
        "pregnancy": r"pregnancy|miscarriage|abortion|ivf|schwangerschaft|fehlgeburt|abtreibung|embarazo"
        r"|aborto|grossesse|fausse couche|avortement|ivg|gravidanza",
        "wedding": r"weddings?|marriage|marrying|engagement|proposal|hochzeit\w*|heirat\w*|verlobung|heiratsantrag"
        r"|bodas?|casamiento|casarnos|pedida|mariage|fiançailles|noces|matrimonio|nozze|fidanzamento",
        "smoking": r"smoking|smokes?|tobacco|cigarettes?|fags?|ciggies?|vap(?:e|ing)|rauchen|raucherei"
        r"|qualmerei|zigaretten?"
        r"|kippen|tabak|tabaco|fumar|pitillos?|cigarr(?:o|illo)s?|tabac|clopes?|fumer|fumo|fumare"
        r"|sigarett[ae]|tabacco",
        "jobhunt": r"interviews?|job (?:offer|hunt|search|application)s?|job[- ]?hunting|applications?|recruiter"
        r"|headhunter|bewerbung\w*|vorstellungsgespräch\w*|jobangebot\w*|jobsuche|entrevistas?|candidaturas?"
        r"|oferta de (?:trabajo|empleo)|entretiens?|candidatures?|offre d['’]emploi|colloqui[oa]?|candidatur[ae]"
        r"|offerta di lavoro",
        "dating": r"dating(?:[- ]app)?|dates?|tinder|hinge|bumble|datingapp|verabredung|citas?|ligues?"
        r"|rencards?|rencontres"
        r"|appuntament[oi]",
        "trouble": r"(?:written )?warning|firing|sacking|dismissal|complaint|disciplinary|performance plan|arrest"
        r"|court case|trial|abmahnung|kündigung|rauswurf|anzeige|gerichtssache|despido|expediente"
        r"|juicio|multa|avertissement|licenciement|proc[eè]s|licenziamento|richiamo|processo",
    }.items()
}

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class MatterHead:
    """A row of weights and a bias for each matter: (n, 384) and (n,)."""

    matters: tuple[str, ...]
    weight: Array
    bias: Array


def find_matter(request: str) -> str:
    """Which matter a request names, by the noun that stands first; empty where it names none."""
    found = ((place.start(), matter) for matter, names in NAMES.items() if (place := names.search(request)))
    return min(found, default=(0, ""))[1]


def is_beside_matter(known: str, request: str) -> bool:
    """Whether a request names a matter that what is known surely isn't about, nor names: "the argument with Odile" of
    "waters Odile's plants".
    """
    matter = find_matter(request)
    return bool(matter) and not NAMES[matter].search(known) and -inf < score_matter(known, matter) < UNLIKELY


@lru_cache(CACHED)
def score_matter(sentence: str, matter: str) -> float:
    """Log-odds that a sentence is about a matter; less than any limit where it can't be told."""
    if not has_e5():
        return -inf
    head = load_head()
    row = head.matters.index(matter)
    return float(head.weight[row] @ encode(write_apostrophes(sentence)) + head.bias[row])


@cache
def load_head(path: Path = FILE) -> MatterHead:
    """The numbers that `fit_matters.py` wrote."""
    with np.load(path) as file:
        return MatterHead(tuple(map(str, file["matters"])), file["weight"], file["bias"])

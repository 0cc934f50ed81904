"""Whether what somebody says they are is what they do for a living: "I'm a potter.", but not "I'm a mess."; and whether
their job has become a lasting one.

In so short a sentence the noun tells, and the noun is read by itself: whether it is nearer to plain names of trades of
every sort than to plain names of whatever else one can be.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from nebo.encoders.weights import Array
from nebo.reading.meaning.promotions import tells_of_promotion

NEAREST = 3  # of each side that a noun is compared with
SURELY = 0.03  # by how much nearer to trades a noun is one; measured in docs/reading.md
MAYBE = -0.05  # from which it may be one, where nothing else speaks against it
FAR = -0.1  # below which it is surely none
# Crafts, care, teaching, law, trade, land and sea, machines, arts, offices; in three languages, which serve five.
_TRADES = (
    "nurse|teacher|electrician|carpenter|shepherd|lawyer|sailor|tailor|butcher|chemist|blacksmith|gardener|engineer"
    "|shop assistant|office clerk|machine operator|painter|ferryman|musician|weaver|glassblower|bookbinder|stonemason"
    "|miner|cook|waiter|secretary|librarian|police officer|scientist|monk|ceramicist",
    "Krankenpfleger|Lehrerin|Elektriker|Zimmermann|Schäfer|Anwältin|Matrose|Schneiderin|Metzger|Apotheker|Schmied"
    "|Gärtner|Ingenieurin|Verkäufer|Sachbearbeiterin|Maschinist|Malerin|Fährmann|Musiker|Weber|Glasbläserin"
    "|Buchbinder|Steinmetz|Bergmann|Köchin|Kellner|Sekretärin|Bibliothekar|Polizistin|Wissenschaftler|Mönch"
    "|Keramikerin",
    "enfermera|maestro|electricista|ebanista|vaquero|abogada|marinero|sastre|carnicero|farmacéutica|herrero|jardinero"
    "|ingeniera|dependiente|oficinista|maquinista|pintora|barquero|músico|tejedora|soplador de vidrio|encuadernador"
    "|cantero|picapedrero|cocinero|camarera|secretaria|bibliotecario|policía|científica|monje|ceramista",
)
# Moods and tempers, kin, peoples, faiths, tastes, health, signs, parts one plays, names.
_NO_TRADES = (
    "failure|nerd|grump|optimist|wimp|hero|fan|beginner|mess|tired|late|ready|friend|mother|widow|twin|Londoner|Greek"
    "|Buddhist|vegan|smoker|diabetic|runner|teenager|Libra|guest|Anna|human being|perfectionist|homeowner|loser"
    "|dog person|tenant|left-handed|light sleeper|single|pregnant|patient|member|customer",
    "Versager|Nerd|Griesgram|Optimist|Weichei|Held|Fan|Anfänger|Chaot|müde|spät dran|bereit|Freund|Mutter|Witwe"
    "|Zwilling|Berlinerin|Grieche|Buddhist|Veganer|Raucher|Diabetikerin|Läufer|Teenager|Waage|Gast|Anna|Mensch"
    "|Perfektionist|Jonas|Verlierer|Hundemensch|Mieterin|Linkshänderin|ledig|schwanger|Patient|Mitglied|Kunde"
    "|verheiratet",
    "fracasado|friki|gruñón|optimista|blandengue|héroe|fan|principiante|desastre|cansada|tarde|listo|amigo|madre|viuda"
    "|gemelo|madrileña|griego|budista|vegano|fumador|diabética|corredor|adolescente|libra|invitado|Ana|ser humano"
    "|perfeccionista|feliz|perdedor|de perros|inquilino|zurda|soltera|embarazada|paciente|miembro|cliente|mayor",
)
_WORD = r"[^\W\d_][\w'’-]*"
# In Romance languages a trade has a small letter: a capital is a name.
_BEING = re.compile(
    rf"(?:(?i:i['’]?m|i am) (?:(?:now|actually|still) )?(?:an?|the) (?P<en>{_WORD}(?: {_WORD}){{0,2}})"
    rf"|(?i:ich bin) (?:(?:jetzt|nun|noch|von Beruf) )?(?:eine? )?(?P<de>{_WORD}(?: {_WORD})?)"
    rf"|(?i:(?:yo )?soy) (?:(?:ahora|una?|la|el) )?(?P<es>[a-zß-ÿ][\w'’-]*(?: {_WORD}){{0,2}})"
    rf"|(?i:je suis) (?:(?:maintenant|une?|la|le) )?(?P<fr>[a-zß-ÿ][\w'’-]*(?: {_WORD}){{0,2}})"
    rf"|(?i:(?:io )?sono) (?:(?:ora|adesso|una?|la|il) )?(?P<it>[a-zß-ÿ][\w'’-]*(?: {_WORD}){{0,2}}))[\s.!]*"
)

# "I've been made permanent": such terms of employment are no words of what one is, and the reader barely knows them.
_PERMANENT = re.compile(
    r"\b(?:(?:i['’]ve(?: been)?|i was|i got|they(?:['’]ve| have)?) (?:finally |just )?(?:been )?made (?:me )?permanent"
    r"|(?:i['’]ve got|i got|they(?:['’]ve)? (?:gave|given) me) a permanent (?:contract|job|position)"
    r"|(?:ich wurde|ha(?:t|ben) mich|wurde ich)\b[^,.!?]{0,40}\b(?:übernommen|entfristet|fest ?angestellt)"
    r"|(?:ich bin|bin ich|bin) (?:jetzt |nun |endlich |ja )*(?:fest ?angestellt|unbefristet|entfristet)"
    r"|(?:mein|der) (?:arbeits)?vertrag (?:wurde|ist) (?:jetzt |nun )?(?:entfristet|unbefristet)"
    r"|habe? (?:ich )?(?:jetzt |nun |endlich )?(?:eine festanstellung|(?:eine)?n unbefristeten)"
    r"|me (?:han hecho|hicieron|hacen) (?:por fin )?(?:fij[oa]|indefinid[oa])|(?:ya )?(?:soy|estoy) fij[oa] en"
    r"|(?:je suis|j['’]ai été) (?:enfin )?(?:passée? en cdi|titularisée?)|j['’]ai (?:enfin )?(?:signé )?(?:un|mon) cdi"
    r"|on m['’]a (?:enfin )?titularisée?"
    r"|me (?:han hecho|hicieron) (?:por fin )?(?:encargad[oa]|jef[ea]|capataz|coordinadora?|gerente|directora?)"
    r"|(?:me han|me) ascend(?:ido|ieron)|(?:i['’]ve been|i was|i got) promoted|(?:ich wurde|ich bin) befördert"
    r"|j['’]ai été promue?|mi hanno promoss[oa]"
    r"|(?:mi hanno (?:assunt|fatt)[oa]|sono (?:stat[oa] assunt|passat)[oa]|ho (?:firmato|avuto) (?:il contratto )?)"
    r" ?(?:a tempo |l['’]|un contratto a tempo )?indeterminato)\b",
    re.IGNORECASE,
)

Encode = Callable[[str], Array]


def find_noun(text: str) -> str:
    """What somebody says that they are, where a sentence says just that; or empty."""
    found = _BEING.fullmatch(text.strip())
    return next(filter(None, found.groups()), "") if found else ""


def tells_of_permanence(text: str) -> bool:
    """Whether somebody's own job has become a lasting one: "me han hecho fijo", „ich wurde übernommen“; or a higher."""
    return _PERMANENT.search(text) is not None or tells_of_promotion(text)


def nearness(noun: str, encode: Encode) -> float:
    """By how much a noun is nearer to trades than to whatever else one can be; at most zero if the nearest is none."""
    vector = encode(noun)
    trades, others = (np.sort(those @ vector)[-NEAREST:] for those in _prototypes(encode))
    nearer = float(trades.mean() - others.mean())
    return nearer if trades[-1] >= others[-1] else min(nearer, 0.0)


@lru_cache(2)
def _prototypes(encode: Any) -> tuple[Array, Array]:
    """Vectors of the plain names, once for each encoder."""
    trades, others = (
        np.array([encode(noun) for nouns in lists for noun in nouns.split("|")])
        for lists in (_TRADES, _NO_TRADES)
    )
    return trades, others

"""A sentence in the notations that agents write memories in: behind a key, beside other values, below a heading."""

from __future__ import annotations

import random

KEYS = {
    "en": "text fact content memory note value detail summary info statement observation item entry description "
    "preference message body about memo knowledge topic context insight event",
    "de": "text fakt inhalt notiz wert erinnerung info merke hinweis eintrag",
    "fr": "texte fait contenu note valeur souvenir info détail",
    "es": "texto hecho contenido nota valor recuerdo info detalle",
    "it": "testo fatto contenuto nota valore ricordo info dettaglio",
    "xx": "text note memory info",
}
BESIDE = (
    "sure: true", "sure: false", "confidence: 0.7", "importance: 4", "type: fact", "type: memory", "tags: work",
    "source: chat", "score: 0.55", "category: personal", "id: 318", "user id: u-7", "created at: 2024-07-19T10:00:00Z",
    "rank: 2", "kind: semantic", "lang: en", "key: k3", "active: true", "seen: 3", "updated: 2024-10-30",
)  # fmt: skip
BEFORE = ("[{}] ", "{}: ", "({}) ", "#{} ")
SUBJECTS = ("note", "food", "work", "family", "health", "home", "travel", "money", "update", "misc")


def write_in_notation(text: str, language: str, chance: random.Random) -> str:
    """As one line, as `nebo/reading/orders/notation.py` reads it out of the notation."""
    key = chance.choice(KEYS[language].split())
    beside = chance.sample(BESIDE, chance.randint(1, 2))
    forms = (
        f"{key}: {text}",
        f"{key.title()}: {text}",
        ", ".join([f"{key}: {text}", *beside]),
        ", ".join([beside[0], f"{key}: {text}", *beside[1:]]),
        chance.choice(BEFORE).format(chance.choice(SUBJECTS)) + text,
        f"{text} ({chance.choice(beside)})",
    )
    return chance.choice(forms)

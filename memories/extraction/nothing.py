"""The ways in which a model says that there is nothing to say, where it should have left an array empty."""

from __future__ import annotations

import re

_NO_VALUE = re.compile(
    r"\W*(?:none|nothing|null|nil|nan|n\.?/?a\.?|empty|undefined"
    r"|keine?s?|ningun[oa]s?|nada|aucune?s?|rien|nessun[oa]?|niente|nenhum[a]?|geen|brak|нет|ничего|无|無|没有|なし|없음)?\W*",
    re.IGNORECASE,
)
_UNKNOWN = re.compile(
    r"\W*(?:unknown|unspecified|tbd|not? (?:yet )?(?:mentioned|specified|stated|given|known|available|applicable"
    r"|provided|disclosed|applicable|information))\W*",
    re.IGNORECASE,
)
_NOTHING_FOUND = re.compile(
    r"\W*(?:there (?:is|are|was|were) |i (?:found|see|have) )?(?:no|none|nothing|not any)\b.{0,120}?"
    r"\b(?:preferences?|entit(?:y|ies)|decisions?|styles?|artifacts?|todos?|tasks?|facts?|information|found|mentioned"
    r"|stated|identified|detected|extracted|expressed|observed|discussed|made|noted|conversation)\b",
    re.IGNORECASE | re.DOTALL,
)


def is_nothing(text: str, *, known: bool = True) -> bool:
    """Whether a value is none: empty, a dash, "none", and with `known` also "unknown" or "not mentioned"."""
    if not text.strip():
        return known  # a key may be missing, a value may not
    return bool(_NO_VALUE.fullmatch(text) or (known and _UNKNOWN.fullmatch(text)))


def says_nothing(text: str) -> bool:
    """Whether a text that stands where an array or an entry should stand says that there is none."""
    return is_nothing(text) or bool(_NOTHING_FOUND.match(text))

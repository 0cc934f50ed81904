"""What makes a clause depend on another: a condition, an exception. Such a sentence is never parted there."""

from __future__ import annotations

import re

_CONDITION = (
    r"if|unless|except|otherwise|else|instead|when|whenever|while|until|till|as long as|provided|in case|once|then|only"
    r"|wenn|falls|außer|ausser|sofern|solange|sobald|sonst|ansonsten|es sei denn|dann|nur|bis|während"
    r"|si|cuando|salvo|excepto|menos|mientras|hasta que|si no|sino|entonces|solo|sólo"
    r"|s['’]il|quand|lorsque|sauf|sinon|tant que|dès que|alors|seulement|tandis"
    r"|se|quando|tranne|salvo|altrimenti|finché|appena|allora|solo|mentre"
)
_BEGINS = re.compile(
    rf"(?:(?:and|but|so|und|aber|y|pero|et|mais|e|ma|only|also) )?(?:{_CONDITION})\b", re.IGNORECASE
)
# A condition inside the second clause may be meant of both.
_INSIDE = re.compile(
    r"\b(?:if|unless|except|as long as|provided|in case|wenn|falls|außer|ausser|sofern|es sei denn|salvo|excepto"
    r"|a menos que|sauf|à moins|tranne|a meno)\b",
    re.IGNORECASE,
)


def binds(before: str, behind: str) -> bool:
    """Whether what stands behind a pause depends on what stands before it, or takes something away from it."""
    return _BEGINS.match(before) is not None or _BEGINS.match(behind) is not None


def depends(clause: str) -> bool:
    """Whether a clause begins with a condition or an exception: "except on Sundays"."""
    return _INSIDE.match(clause) is not None


def has_condition(text: str) -> bool:
    """Whether a condition or an exception stands somewhere in a clause."""
    return _INSIDE.search(text) is not None

"""The same sentence as others would type it, for readings that hang on an apostrophe or a full stop."""

from __future__ import annotations

import re

_CONTRACTED = re.compile(r"\b(?P<who>I|he|she|it|that|we|you|they)[’'](?P<be>m|s|re)\b", re.IGNORECASE)
_BE = {"m": "am", "s": "is", "re": "are"}
_MARKS = re.compile(r"[.!?¿¡,;]+")


def list_spellings(text: str) -> list[str]:
    """The text as it is, without contractions, and both in small letters without marks: each once."""
    spelt = _CONTRACTED.sub(lambda found: f"{found['who']} {_BE[found['be'].lower()]}", text)
    small = (_MARKS.sub("", one.lower()).strip() for one in (text, spelt))
    return list(dict.fromkeys([text, spelt, *small]))

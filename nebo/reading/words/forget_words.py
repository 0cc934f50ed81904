"""Whether "forget" is asked for or declined: a vector barely sees the "not" in "don't forget that …"."""

from __future__ import annotations

import re

_VERB = r"(?:forget|vergiss|vergesst|vergessen sie|olvid[ae][sr]?|olvídate|oublie[zrs]?|dimentica(?:re)?|scordati?)"
_KEEP = re.compile(
    r"(?:\b(?:don['’]?t|do not|never|not(?: to)?) (?:you )?(?:ever )?forget\b"
    r"|\bvergi(?:ss|ß)(?: \w+){0,3} (?:nicht|nie|niemals)\b|\bno (?:te |se te |lo )?olvid"
    r"|\bn['’](?:y )?oubli\w+ (?:pas|jamais|surtout)|\bnon (?:ti |lo )?(?:dimentic|scord))",
    re.IGNORECASE,
)
_ASKED = re.compile(
    rf"^\W*(?:(?:please|pls|bitte|por favor|porfa|s['’]il te plaît|stp|per favore|ok|hey|oh"
    rf"|(?:can|could|would|will) you(?: just)?|podrías|puedes|pourrais-tu|peux-tu|potresti|puoi)\W+)*{_VERB}\b"
    r"(?!\s+(?:it|es|ça|lo)\s*(?:[,.;!–-]|$))",  # "forget it, never mind" drops a matter
    re.IGNORECASE,
)


def asks_to_keep(text: str) -> bool:
    """Whether a sentence says not to forget."""
    return _KEEP.search(text) is not None


def begins_to_forget(text: str) -> bool:
    """Whether a sentence begins with the order to forget, and doesn't decline it."""
    return _ASKED.match(text) is not None and not asks_to_keep(text)

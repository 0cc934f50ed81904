"""What no wish may bring about: the top of the precedence, above this turn, the stored profile and the default."""

from __future__ import annotations

import re

from memories.screening.sanitize import find_instructions
from memories.screening.sensitive import find_sensitive

# How one speaks of roles and manners. As a memory such a sentence is held back; as a wish it is what wishes are.
ROLE_PATTERNS = frozenset(
    {
        "you-are-now", "act-as-if-you", "pretend-you-are", "from-now-on-you", "from-now-own", "told-who-to-be",
        "take-the-role", "from-this-point", "stay-in-character", "model-told-to-act",
    }
)  # fmt: skip
_BREAKS = re.compile(
    r"\b(?:ignor\w+|disregard\w*|overrid\w+|bypass\w*|drop|forget|disable|break|violate|skip|stop following"
    r"|don['’]?t follow|do not follow|(?:never|no longer) follow|turn off)\b[^.!?\n]{0,40}"
    r"\b(?:rules?|safety|guard\s?rails?|instructions?|guidelines?|polic(?:y|ies)|restrictions?|filters?|limits"
    r"|safeguards?|ethic\w*|prompt)\b"
    r"|\b(?:reveal|show|print|leak|share|tell|give|send|repeat|expose)\b[^.!?\n]{0,40}"
    r"\b(?:system prompt|hidden prompt|your prompt|your instructions|api keys?|passwords?|secrets?|credentials"
    r"|(?:other|another) (?:people|users?|person)['’]?s? (?:data|messages|memor(?:y|ies)|conversations?|secrets?))\b"
    r"|\b(?:without|no|free of|free from|have no|has no)\s+(?:any\s+|all\s+|more\s+)?"
    r"(?:rules|restrictions|limits|filters?|ethics|morals|safety|boundaries|censorship)\b"
    r"|\b(?:unrestricted|unfiltered|uncensored|amoral|jail\s?br\w+|evil twin)\b"
    r"|\b(?:never|don['’]?t|do not|can(?:no|['’])t)\s+(?:ever\s+)?(?:refuse|decline|say no)\b"
    r"|\b(?:lie|lying) to (?:me|others|people|everyone|the)\b|\bobey (?:me|every|all|any)\w*\b",
    re.IGNORECASE,
)
_POSES = re.compile(
    r"\b(?:system|admin(?:istrator)?|super\s?user|sysadmin|operator|moderator|open\s?ai|anthropic|chat\s?gpt|deepmind"
    r"|microsoft|google|nebo(?: support| staff)?|developer mode|god mode|dan)\b|^root$",
    re.IGNORECASE,
)
_ALARMING_WORDS = re.compile(
    r"\b(?:ignor\w+|disregard\w*|overrid\w+|bypass\w*|forget|disable|prompts?|instructions?|rules?|guidelines?|filters?"
    r"|restrict\w*|safety|refuse|decline|obey|reveal|leak|jailbr\w+|unrestricted|unfiltered|uncensored|system|developer"
    r"|dan|passwords?|api keys?|secrets?|credentials|policy|policies)\b",
    re.IGNORECASE,
)
POSING_FIELDS = frozenset({"name", "role", "creature"})


def may_be_unsafe(text: str) -> bool:
    """Whether a message has a word that such an order needs: spares the others the full look."""
    return bool(_ALARMING_WORDS.search(text))


def is_unsafe(text: str) -> bool:
    """Whether a sentence asks for what no wish may do: drop rules, tell secrets, smuggle in orders."""
    if _BREAKS.search(text):
        return True
    return any(name not in ROLE_PATTERNS for name in find_instructions(text))


def is_unsafe_value(field: str, value: str) -> bool:
    """Whether a value poses as somebody with authority, or holds a secret."""
    if field in POSING_FIELDS and _POSES.search(value):
        return True
    return bool(find_sensitive(value)) or is_unsafe(value)

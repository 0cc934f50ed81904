"""A sentence that puts whom it is about first, as it is said plainly: "It's Bethan who does the sound now"."""

from __future__ import annotations

import re

from nebo.reading.words.object_first import put_verb_first

_NAME = r"[A-Z][\w'’-]+"
_WHO = rf"(?P<who>(?:my|our|[A-Z][\w-]+['’]s) (?:[a-z]+ ){{0,2}}[a-z]*(?: ?{_NAME})?|{_NAME}(?: {_NAME})?)"
# What they do, or what the speaker does with them: "It's Dougie's cousin Ewan I'm with".
_THEY_DO = re.compile(rf"(?:[Ii]t['’]s|[Ii]t is) {_WHO} (?:who|that)(?P<does>(?:['’]s)? [a-z].*)")
_WITH_THEM = re.compile(
    rf"(?:[Ii]t['’]s|[Ii]t is) {_WHO} (?:that |who |whom )?"
    r"(?P<clause>(?:I|we|i)(?:['’](?:m|re|ve)| [a-z]+)(?: [a-z]+){0,4}? (?:with|for|at|to|from|on|about))"
    r"(?P<rest> now| these days|)(?P<end>[.!,;].*|)$"
)


def put_plainly(text: str) -> str:
    """The sentence in its plain order; any other as it is."""
    if found := _WITH_THEM.match(text):
        return f"{found['clause']} {found['who']}{found['rest']}{found['end']}"
    if found := _THEY_DO.match(text):
        return f"{found['who']}{found['does']}"
    return put_verb_first(text)

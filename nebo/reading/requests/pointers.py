"""What is meant by "it" and "them" where somebody says that something is done: "I rang them" of "Ring the ward"."""

from __future__ import annotations

import re

from nebo.reading.requests.acts import is_act

_DID_IT = re.compile(
    r"(?:^|[,;.:–—-]\s+|\b(?:and|but|so|oh|btw)\s+)"
    r"(?P<lead>(?:I|we)(?:['’]ve| have)?(?: just| already| finally| even)?) "
    r"(?P<verb>[a-z]+)(?: (?:up|off|back|in|out))? (?:them|him|her|it|that|those|one)\b(?! (?:to|that|about)\b)",
    re.IGNORECASE,
)


def point_out(text: str, todo: str) -> str:
    """What says that one did something to "it", with what is to be done in the place of "it"; empty where it isn't the
    todo's own act.
    """
    match = _DID_IT.search(text)
    act, _, what = todo.partition(" ")
    if match is None or not what or (match["verb"].lower() != act.lower() and not is_act(match["verb"], act)):
        return ""
    return f"{match['lead']} {match['verb']} {what}"

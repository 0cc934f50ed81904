"""What is meant by "it" and "them" where somebody says that something is done: "I rang them" of "Ring the ward"."""

from __future__ import annotations

import re

from nebo.reading.words.naming import is_same_word

# Verbs of errands of which a past form isn't found by its beginning; each with its present form.
_PAST = {
    past: verb
    for line in """
    ring rang rung
    buy bought
    bring brought
    get got gotten
    pay paid
    send sent
    write wrote written
    speak spoke spoken
    tell told
    take took taken
    make made
    find found
    sell sold
    give gave given
    meet met
    choose chose chosen
    see saw seen
    catch caught
    teach taught
    leave left
    lend lent
    hand handed
    do did done
    """.strip().splitlines()
    for verb, *pasts in [line.split()]
    for past in pasts
}
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
    if match is None or not what or not _is_act(match["verb"].lower(), act.lower()):
        return ""
    return f"{match['lead']} {match['verb']} {what}"


def _is_act(past: str, act: str) -> bool:
    return _PAST.get(past, past) == act or (past.endswith("ed") and is_same_word(past, act))

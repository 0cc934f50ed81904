"""What somebody had typed, and what they meant: "I typed mill street but it's Mill Lane", "I put Leeds, meant Bath"."""

from __future__ import annotations

import re

_OLD = r"(?P<old>[^,;.!?]{2,40}?)"
_NEW = r"(?:the |el |der |die |das |am |le |il )?(?P<new>[^,;.!?]{2,40}?)"
_LINK = r"[,;]? (?:(?:but|and|aber|und|y|pero|et|mais|e|ma) )?"
_END = r"(?: (?:sorry|lol|haha|oops|perdón|of course|actually|obviously|natürlich|duh))*(?=[,;.!?]|$)"
_FORMS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\bi(?:['’]ve)? (?:typed|wrote|put|spelt|spelled|said|told you)(?: the| in)? {_OLD}"
        rf"{_LINK}"
        rf"(?:(?:i )?meant(?: to (?:type|write|put|say))?"
        rf"|it['’]?s(?: actually| really)?|it is"
        rf"|it should(?:['’]ve| have)? (?:be|say|been|said)"
        rf"|that should(?:['’]ve| have)? (?:be|been|said)) {_NEW}{_END}",
        rf"\bi meant (?:to (?:type|write|put|say) )?{_NEW},? not (?:the )?{_OLD}{_END}",
        rf"\b(?:ich )?hab(?:e)? (?:ich )?{_OLD} (?:geschrieben|getippt|gesagt){_LINK}"
        rf"(?:(?:es |das )?(?:ist|heißt|war|wäre)(?: aber| eigentlich)?|gemeint (?:war|ist)|ich mein\w*)"
        rf" {_NEW}{_END}",
        rf"\b(?:puse|escribí|dije|he puesto|he escrito) (?:el )?{_OLD}{_LINK}(?:es|era|quería (?:decir|poner))"
        rf" {_NEW}{_END}",
        rf"\bj['’]ai (?:écrit|mis|tapé|dit) {_OLD}{_LINK}(?:c['’]est|je voulais dire) {_NEW}{_END}",
        rf"\bho (?:scritto|messo|detto) {_OLD}{_LINK}(?:è|era|volevo (?:dire|scrivere)) {_NEW}{_END}",
    )
)
WORDS = 3  # of what was mistyped, and of what was meant, at most


def find_mistyped(known: str, stated: str) -> tuple[str, str] | None:
    """What of a fact a sentence says was mistyped, as the fact has it, and what was meant; None where it says no such
    thing.
    """
    found = next(filter(None, (form.search(stated) for form in _FORMS)), None)
    if found is None:
        return None
    old, new = (found[name].strip(" '’\"“”") for name in ("old", "new"))
    if max(len(old.split()), len(new.split())) > WORDS or old.lower() == new.lower():
        return None
    had = re.search(rf"(?<!\w){re.escape(old)}(?!\w)", known, re.IGNORECASE)
    if had is None or old[:1].isdigit() != new[:1].isdigit():
        return None
    written = [word[:1].isupper() for word in had[0].split()]
    name = all(written) and not new[:1].isupper()
    return had[0], " ".join(word[:1].upper() + word[1:] for word in new.split()) if name else new

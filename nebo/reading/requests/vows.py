"""What is only vowed, and asks nothing of an agent: "if I ever sign that again, shoot me"."""

from __future__ import annotations

import re

_IF_EVER = (
    r"(?:if i(?:['’]m)? ever|(?:if|the next time|next time) i (?:\w+ ){0,6}?(?:again|once more)|wenn ich (?:je|jemals"
    r"|noch (?:ein)?mal)"
    r"|si (?:alguna vez|me vuelvo a|vuelvo a)|si jamais je|se mai)\b"
)
# What nobody who only writes could do to somebody.
_TO_ME = (
    r"\b(?:(?:throw|shoot|slap|kill|hit|lock|tie|bury|smack|punch|drown|hang|push|kick|drag|commit|section|sedate"
    r"|tase|slap"
    r"|smother|stab|put|feed) me\b(?!.*\b(?:right|straight|off|on to)\b)|remind me to (?:jump|die)"
    r"|(?:wirf|erschieß\w*|schlag\w*|hau\w*|sperr\w*|begrab\w*|ertränk\w*|fessel\w*|schubs\w*|tritt) mich"
    r"|(?:lasse? ich mich|werde ich mich) (?:begraben|erschießen|einweisen|scheiden)"
    r"|(?:que me (?:tiren|maten|encierren|peguen|aten|entierren)|(?:tíra|máta|péga|encierra|enciérra|áta|entiérra"
    r"|dispára)me)"
    r"|(?:tue|frappe|enferme|jette|attache|enterre|gifle)[- ]moi|(?:uccidi|spara|picchia|rinchiudi|butta"
    r"|seppellisci)mi)\b"
)
_VOW = re.compile(rf"{_IF_EVER}.*?{_TO_ME}|{_TO_ME}[^.!?]* {_IF_EVER}", re.IGNORECASE | re.DOTALL)


def is_vow(text: str) -> bool:
    """Whether a sentence asks for something to be done to the speaker that is only a figure of speech."""
    return _VOW.search(text) is not None

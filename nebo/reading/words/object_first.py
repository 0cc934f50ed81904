"""An order to forget that names first what is meant: "what I told you about Tom, forget it" is "forget what I …"."""

from __future__ import annotations

import re

_LEAD = r"^(?:(?:oh|ok(?:ay)?|and|so|also|ach|und|ah|y|oye|bueno|et|e|una cosa|eine sache|one thing|noch was)[,:]? )*"
_WHAT = r".{3,140}?"
_END = r"(?P<rest>$|[,.;:!–—].*$)"
_FIRST = (
    (
        "forget",
        rf"(?P<what>(?:what (?:i|we)\b|(?:the|that|this) (?:thing|stuff|bit|part|story|business)|everything (?:i|about)"
        rf"|all (?:that|the) stuff|anything (?:i|about)){_WHAT})(?:,| please| pls| just|,? you can|,? c(?:an|ould) you)"
        r" (?:(?:please|pls|just|you can|can you|could you) )*"
        rf"(?:forget|delete|erase|scrap)(?: about)? (?:it|that|this|them|all that)(?: please| pls)?{_END}",
    ),
    (
        "vergiss",
        r"(?P<what>(?:das (?:mit|über|von)\b|(?:die|diese|der|den) (?:sache|geschichte|kram|teil)\b"
        r"|(?:alles,? )?was ich\b)"
        rf"{_WHAT}),? (?:(?:bitte|das|die|den) )*(?:vergiss|lösch\w?|streich\w?)"
        rf"(?: (?:das|es|ihn|sie|die|den|bitte|wieder|mal|alles))*{_END}",
    ),
    (  # „das mit dem Bus kannst du vergessen“ says only that nothing will come of it
        "vergiss",
        rf"(?P<what>(?:alles,? )?was ich\b{_WHAT}),? (?:das |die |den )?(?:kannst|darfst|sollst) du (?:\w+ ){{0,2}}"
        rf"(?:vergessen|löschen|streichen){_END}",
    ),
    (
        "olvida",
        rf"(?P<what>(?:lo (?:que|de|del)\b|eso (?:que|de|del)\b|todo (?:lo|eso)\b|la historia\b){_WHAT}),? "
        rf"(?:(?:mejor|por favor|porfa|ya) )*(?:olv[ií]da(?:l[oae]s?|te)|b[oó]rral[oa]s?|qu[ií]tal[oa]s?)"
        rf"(?: (?:ya|mejor|por favor|porfa))?{_END}",
    ),
    (
        "oublie",
        rf"(?P<what>(?:ce que je\b|l['’]histoire\b|tout ce que\b|le truc\b){_WHAT}),? (?:s['’]il te plaît )?"
        rf"(?:oublie|efface)(?:[- ](?:le|la|les|ça))?{_END}",
    ),
    (
        "dimentica",
        rf"(?P<what>(?:quello che\b|la storia\b|tutto quello\b|la cosa\b){_WHAT}),? (?:per favore )?"
        rf"(?:dimentica(?:l[oaie])?|cancellal[oaie]){_END}",
    ),
)
_ORDERS = tuple((verb, re.compile(_LEAD + pattern, re.IGNORECASE)) for verb, pattern in _FIRST)


def put_verb_first(text: str) -> str:
    """The order with its verb first; any other text as it is."""
    for verb, pattern in _ORDERS:
        if found := pattern.match(text):
            return f"{verb} {found['what'].rstrip(' ,')}{found['rest']}"
    return text

"""What "one" stands for, where the clause before it names it: "a blue vase would be nice, I want to make one"."""

from __future__ import annotations

import re

_THING = re.compile(
    r"\b(?:an?|another|some|ein\w{0,2}|una?|un[oa]s|une) (?:[\w-]+ ){0,3}?[\w-]+(?=\W*$)", re.IGNORECASE
)
_ONE = re.compile(
    r"(?<=\w )(?:one|einen?|eins|una|uno|une)(?=[.!]*$| (?:this|next|by|on|before|for|tomorrow|today|soon|diese|bis"
    r"|kaufen|bestellen|machen|besorgen|esta|antes|para|cette|avant)\b)",
    re.IGNORECASE,
)


def name_thing(left: str, right: str) -> str:
    """The second clause with what the first ends with in the place of "one"."""
    found = _THING.search(left)
    return _ONE.sub(found[0], right, count=1) if found else right

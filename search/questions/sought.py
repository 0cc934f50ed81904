"""What a text must hold to answer: a number where the question asks how many, a name where it asks who, where or which.

A name is told by its capital within a sentence, or after a quotation mark, so only questions in English are asked for
one: German has capitals everywhere.
"""

from __future__ import annotations

import re

ASKS_HOW_MUCH = re.compile(
    r"\bhow (?:many|much|old|long|often|far|tall|big|high|large|fast)\b|"
    r"\bwie ?(?:viele?|oft|lange?|alt|hoch|groß|schnell)\b|\bcu[áa]nt[oa]s?\b",
    re.IGNORECASE,
)
NAMED_THINGS = (
    "books?|novels?|authors?|writers?|movies?|films?|actors?|actress(?:es)?|directors?|games?|songs?|albums?|bands?|"
    "singers?|musicians?|artists?|painters?|shows?|series|podcasts?|magazines?|newspapers?|websites?|apps?|tools?|"
    "brands?|models?|compan(?:y|ies)|stores?|shops?|restaurants?|cafes?|bars?|hotels?|museums?|galler(?:y|ies)|"
    "theat(?:er|re)s?|parks?|lakes?|rivers?|mountains?|beach(?:es)?|islands?|streets?|cit(?:y|ies)|towns?|villages?|"
    "countr(?:y|ies)|states?|places?|schools?|colleges?|universit(?:y|ies)|hospitals?|clinics?|teams?|clubs?|"
    "festivals?|pets?|dogs?|cats?|characters?|holidays?|languages?"
)
ASKS_FOR_A_NAME = re.compile(
    rf"\b(?:where|who|whom|whose|which|names?|named|called|what (?:\w+ ){{0,2}}(?:{NAMED_THINGS}))\b",
    re.IGNORECASE,
)
CAPITALIZED = re.compile(r"[A-ZÀ-Þ][a-zß-ÿ]+")
MOST_KNOWN = 10  # names of a question that answer nothing

NUMBER = re.compile(r"\d")
NAME = '[a-z,;:] ["“\']?{new}[A-ZÀ-Þ][a-zß-ÿ]|["“]{new}[A-ZÀ-Þ]'


def find_sought(question: str) -> re.Pattern[str] | None:
    """What finds that in a text; None if the question asks for neither. A name that the question has is no answer."""
    if ASKS_HOW_MUCH.search(question):
        return NUMBER
    if not ASKS_FOR_A_NAME.search(question):
        return None
    known = list(dict.fromkeys(CAPITALIZED.findall(question)))[:MOST_KNOWN]
    return re.compile(NAME.format(new=rf"(?!(?:{'|'.join(known)})\b)" if known else ""))

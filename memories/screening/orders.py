"""Why words that aren't a person's own wait for that person: they order the agent about, change who is paid, reached or
trusted, or want to be hidden or repeated. Recognised by meaning (`nebo/reading/orders/`), whatever they are written in.
"""

from __future__ import annotations

import re

from memories.screening.disguises import list_readings
from nebo.reading.orders.orders import Order, find_order

REASONS: dict[Order, str] = {
    "order": "Not the person’s own words, and tells the agent what to do.",
    "change": "Not the person’s own words, and changes who is paid, reached, trusted or meant.",
    "spread": "Not the person’s own words, and asks to be hidden, kept or repeated.",
}
OWN = "user"  # the trust of a person's own words
_BEGINS = r"(?:^|[.;:!?\n]\s*)(?:please\s+|then\s+|and\s+)*"
# What gives an order away whatever its meaning is read as; nothing of it stands in ordinary notes.
PATTERNS: dict[Order, re.Pattern[str]] = {
    "order": re.compile(
        rf"{_BEGINS}(?:send|forward|mail|e-?mail|post|upload|report|export|deliver|submit)\b[^.!?\n]{{0,80}}?"
        r"\bto\s+(?:\S+@\S+|https?://|\+?\d[\d ()-]{6,})"
        r"|\b(?:curl|wget)\b.{0,80}\|\s*(?:sudo\s+)?(?:ba|z)?sh\b|\brm\s+-rf\b|\bgit\s+push\s+(?:-f|--force)\b"
        r"|\bDROP\s+TABLE\b|\bcat\s+~?/\S+|</(?:memory|data|context|user_memory)>\s*\S",
        re.IGNORECASE | re.DOTALL,
    )
}
LEAST_WORDS = 4  # of a key, a tag or a label that can order anything


def read_ahead(trust: str, value: str, *beside: str) -> None:
    """Read what is about to be stored while no transaction is open; what was read is kept."""
    if trust != OWN:
        find_order_reason(value, *beside)


def find_order_reason(value: str, *beside: str) -> str:
    """The reason, or empty; `beside` is what else is stored with a value. 5 ms a sentence that wasn't read before."""
    texts = [value, *(text for text in dict.fromkeys(beside) if len(text.split()) >= LEAST_WORDS)]
    readings = (reading for text in texts for reading in list_readings(text))
    return next((REASONS[found] for reading in readings if (found := _find(reading))), "")


def _find(text: str) -> Order | None:
    by_pattern = (kind for kind, pattern in PATTERNS.items() if pattern.search(text))
    return find_order(text) or next(by_pattern, None)

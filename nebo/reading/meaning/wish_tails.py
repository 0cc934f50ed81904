"""What is ruled out behind a wish, in a few words, is one more wish: "keep answers short pls, no bullet points"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from nebo.reading.meaning.one_sentence import Meaning
from nebo.reading.meaning.sentences import Span

_RULES_OUT = {
    "please": "no|without|never",
    "bitte": "keine?|ohne|nie",
    "por favor": "sin|ningún|nada de",
    "s'il te plaît": "pas d[e’']|sans|aucune?",
    "per favore": "senza|niente|nessun[oa]?",
}
_RULED_OUT = {
    please: re.compile(
        rf"(?:and |und |y |et |e )?(?:{words})\b ?(?:[^\s,.;:!?]+ ?){{1,4}}[.!]*$", re.IGNORECASE
    )
    for please, words in _RULES_OUT.items()
}
_PAUSE = re.compile(
    r", (?=(?:no|without|never|keine?|ohne|nie|sin|ningún|nada de|pas d[e’']|sans|senza|niente)\b)",
    re.IGNORECASE,
)


def with_tails(parts: Sequence[tuple[Span, bool]], read: Callable[[str], Meaning]) -> list[tuple[Span, bool]]:
    """The parts of a message, each such tail by itself, with the "please" of the wish before it where it then is surely
    a wish.
    """
    found: list[tuple[Span, bool]] = []
    for whole, leans in parts:
        for span in _cut(whole, read):
            before = found[-1][0].text if found else ""
            found.append((_with_please(before, span, read), leans))
    return found


def _cut(span: Span, read: Callable[[str], Meaning]) -> Iterator[Span]:
    """In two where both parts ask for something by themselves; only where nothing of the text was worded anew."""
    pauses = list(_PAUSE.finditer(span.text)) if span.end - span.start == len(span.text) else []
    if len(pauses) == 1 and not span.read_as and read(span.text).is_sure("wish"):
        head = Span(span.text[: pauses[0].start()], span.start, span.start + pauses[0].start())
        tail = Span(span.text[pauses[0].end() :], span.start + pauses[0].end(), span.end)
        asked = _with_please(head.text, tail, read)
        if read(head.text).is_sure("wish") and read(asked.text).is_sure("wish"):
            yield from (head, tail)
            return
    yield span


def _with_please(before: str, span: Span, read: Callable[[str], Meaning]) -> Span:
    please = next((one for one, pattern in _RULED_OUT.items() if pattern.match(span.text)), "")
    if not please or not before or read(span.text).is_sure("wish") or not read(before).is_sure("wish"):
        return span
    asked = f"{span.text.rstrip('.! ')} {please}"
    return replace(span, text=asked) if read(asked).is_sure("wish") else span

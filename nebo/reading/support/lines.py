"""Lines of a summary: each cites the messages it tells, and stands only if they say so.

A line tells much in few words, so it isn't held to one quote. Its names and numbers must stand in what it cites, and
most of its words must be covered by the few sentences there that are nearest to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from nebo.reading.sentences import list_sentences
from nebo.reading.support.alike import is_alike
from nebo.reading.support.claims import (
    CLAUSE,
    NO_DAY,
    OTHERS,
    SUPPORTED,
    Support,
    is_of_another,
    likeness,
    tells_of_another,
)
from nebo.reading.support.figures import find_missing_figure
from nebo.reading.support.names import find_foreign_name, names_of
from nebo.reading.support.polarity import is_denied
from nebo.reading.support.wording import content_words, find_uncovered, language_of, list_words

NEAREST = 4  # sentences that a line may be put together from
COVERED = 0.6  # share of a line's words that they must have
RETOLD = 0.9  # chance from which a sentence in another language is about the same thing
MAX_RANGE = 50  # messages that a range may cite
SAYS_IT = 0.75  # share from which one sentence alone says what the line says, and must not say the opposite
_CITED = r"\[\s*#?\d{1,4}(?:\s*[,;–-]\s*#?\d{1,4})*\s*\]"
_CITATION = re.compile(rf"\s*(?:{_CITED}\s*)+(?=\W*$)")
_AFTER_STOP = re.compile(rf"(?P<stop>[.!?])\s*(?P<cited>{_CITED}(?:\s*{_CITED})*)")


@dataclass(frozen=True, slots=True)
class Told:
    """A message that a summary may rest on, by its number in the prompt."""

    text: str
    on: date | None = None
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its citations, and the numbers of the messages it cites."""

    text: str
    cited: tuple[int, ...] = ()


def read_line(written: str) -> Line:
    """A line as a model wrote it: "Moved to Porto [3, 7]."."""
    found = _CITATION.search(written)
    if found is None:
        return Line(written.strip())
    rest = f"{written[: found.start()].rstrip()}{written[found.end() :]}"
    return Line(rest.strip(), tuple(_numbers(found.group())))


def supported_lines(
    lines: Iterable[str], told: Mapping[int, Told], *, known: Sequence[str] = (), names: Sequence[str] = ()
) -> list[str]:
    """Those that stand, without their citations. `known` is the text that was written on, line by line; what says
    again what stands there is kept. `names` are those of the people who speak.
    """
    read = map(read_line, lines)
    return [
        line.text for line in read if line.text and weigh_line(line, told, known=known, names=names).holds
    ]


def supported_text(
    text: str, told: Mapping[int, Told], *, known: Sequence[str] = (), names: Sequence[str] = ()
) -> str:
    """The same for prose, sentence by sentence."""
    written = _AFTER_STOP.sub(r" \g<cited>\g<stop>", text)
    found = [span.text for span in list_sentences(written)]
    return " ".join(supported_lines(found, told, known=known, names=names))


def weigh_line(
    line: Line, told: Mapping[int, Told], *, known: Sequence[str] = (), names: Sequence[str] = ()
) -> Support:
    """Whether the messages cited say what a line says; where they don't, or none is cited, any of them may.

    A model's numbers are as often wrong as its quotes are right.
    """
    cited = [told[number] for number in line.cited if number in told]
    best = _weigh(line.text, cited, known, names) if cited else None
    if best is not None and best.holds:
        return best
    return _weigh(line.text, list(told.values()), known, names)


def _weigh(text: str, told: Sequence[Told], known: Sequence[str], names: Sequence[str]) -> Support:
    said = [*(one.text for one in told), *known]
    if name := find_foreign_name(text, (*said, *names, *(one.speaker for one in told))):
        return Support("unsupported", f"Nobody named “{name}” in what was said.")
    days = {one.on for one in told if one.on} or {NO_DAY}
    figures = [find_missing_figure(text, said, day) for day in days]
    if all(figures):
        return Support("unsupported", f"“{figures[0]}” doesn't stand in what was said.")
    return _weigh_words(text, told, known, names)


def _weigh_words(text: str, told: Sequence[Told], known: Sequence[str], names: Sequence[str]) -> Support:
    """Each clause of a line, beside the sentences that are nearest to it."""
    sentences = [one for text_said in _texts(told, known) for one in _sentences(text_said)]
    theirs = tells_of_another(text, names)
    for clause in CLAUSE.split(text):
        fault = _weigh_clause(clause, sentences, names, theirs=theirs) if clause.strip() else ""
        if fault:
            return Support("unsupported", fault)
    return SUPPORTED


def _weigh_clause(clause: str, sentences: Sequence[str], names: Sequence[str], *, theirs: bool) -> str:
    """What is wrong with a clause, or nothing; `theirs` if its line is about somebody else than the speaker."""
    proper = {part for name in (*names_of(clause), *names) for part in list_words(name)}
    words = [word for word in content_words(clause) if word not in proper]
    if not words:
        return ""
    near = _nearest([*words, *proper], sentences)
    heard = {word for one in near for word in list_words(one)}
    left = [word for word in find_uncovered(words, heard) if not any(is_alike(word, one) for one in heard)]
    if len(left) > (1 - COVERED) * len(words):
        return "" if _is_retold(clause, near) else f"Nobody said anything of “{left[0]}”."
    saying = [one for one in near if _says(words, one)]
    if saying and not theirs and all(map(is_of_another, saying)):
        return OTHERS
    parts = [part for one in saying for part in CLAUSE.split(one) if _says(words, part)]
    return "The opposite was said." if parts and all(is_denied(p) != is_denied(clause) for p in parts) else ""


def _says(words: Sequence[str], text: str) -> bool:
    return len(find_uncovered(words, list_words(text))) <= (1 - SAYS_IT) * len(words)


def _is_retold(clause: str, near: Sequence[str]) -> bool:
    """Whether a sentence in another language says it, as far as its vector tells."""
    return any(
        language_of(one) != language_of(clause)
        and is_denied(one) == is_denied(clause)
        and likeness(clause, one) >= RETOLD
        for one in near
    )


def _texts(told: Sequence[Told], known: Sequence[str]) -> list[str]:
    return [*(one.text for one in told), *known]


def _sentences(text: str) -> list[str]:
    return [span.text for span in list_sentences(text)] or [text]


def _nearest(words: Sequence[str], sentences: Sequence[str]) -> list[str]:
    """Those that have most of the words; a question is nearest only where nothing else says as much."""
    shares = {
        one: len(words) - len(find_uncovered(words, list_words(one))) for one in dict.fromkeys(sentences)
    }
    return sorted(shares, key=lambda one: (-shares[one], one.rstrip().endswith(("?", "？"))))[:NEAREST]


def _numbers(cited: str) -> list[int]:
    """ "3, 5-7" is 3, 5, 6 and 7."""
    found: list[int] = []
    for part in re.findall(r"\d+(?:\s*[–-]\s*\d+)?", cited):
        first, *last = (int(number) for number in re.findall(r"\d+", part))
        found.extend(range(first, min(last[0], first + MAX_RANGE) + 1) if last else [first])
    return found

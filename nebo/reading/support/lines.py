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
    is_of_another,
    likeness,
    tells_of_another,
)
from nebo.reading.support.figures import find_missing_figure
from nebo.reading.support.names import find_foreign_name, names_of
from nebo.reading.support.polarity import is_denied
from nebo.reading.support.verdicts import SUPPORTED, Support, refuse
from nebo.reading.support.vocabulary import kin_of
from nebo.reading.support.wording import (
    by_sound,
    content_words,
    find_uncovered,
    language_of,
    list_words,
    means_same,
    plain,
)

NEAREST = 4  # sentences that a line may be put together from
COVERED = 0.6  # share of a line's words that they must have
RETOLD = 0.9  # chance from which a sentence in another language is about the same thing
FIRST = 3  # letters with which two words begin that are one
MAX_RANGE = 50  # messages that a range may cite
SAYS_IT = 0.75  # share from which one sentence alone says what the line says, and must not say the opposite
_CITED = r"\[\s*#?\d{1,4}(?:\s*[,;–-]\s*#?\d{1,4})*\s*\]"
_CITATION = re.compile(rf"\s*(?:{_CITED}\s*)+(?=\W*$)")
# "The harbour permit is …" has a thing for its subject, and says nothing of the speaker.
_A_THING = re.compile(
    r"(?:the|der|die|das|el|la|los|las|le|les|il|lo|gli) (?!(?:user|person|speaker|nutzer|benutzer|usuari|utilisat"
    r"|utente))\w",
    re.IGNORECASE,
)
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


class Heard:
    """All that a summary may rest on, ready to be searched: sentences with their words."""

    def __init__(self, told: Sequence[Told], known: Sequence[str] = (), names: Sequence[str] = ()) -> None:
        self.texts = [*(one.text for one in told), *known]
        self.names = (*names, *(one.speaker for one in told if one.speaker))
        last = max((one.on for one in told if one.on), default=NO_DAY)
        self.dated = [*((one.text, one.on or last) for one in told), *((text, last) for text in known)]
        sentences = (span.text for text in self.texts for span in list_sentences(text))
        self.words = {sentence: frozenset(list_words(sentence)) for sentence in (*sentences, *known)}
        self.vocabulary = frozenset().union(*self.words.values())
        self._begins = {
            word: frozenset({plain(word)[:FIRST], by_sound(plain(word))[:FIRST]}) for word in self.vocabulary
        }
        self._meant: dict[str, frozenset[str]] = {}

    def meant_by(self, word: str) -> frozenset[str]:
        """The words said that mean what this one means, as far as letters tell."""
        if word not in self._meant:
            self._meant[word] = frozenset(said for said in self._candidates(word) if means_same(word, said))
        return self._meant[word]

    def _candidates(self, word: str) -> Iterable[str]:
        """Words that may mean the same by their letters: all that begin alike, hold one another, or are relatives."""
        begins = {begin for form in (plain(word), by_sound(plain(word))) for begin in (form[:FIRST],)}
        return (
            said
            for said, forms in self._begins.items()
            if forms & begins or word in said or said in word or kin_of(word)
        )

    def count(self, words: Iterable[str], said: frozenset[str]) -> int:
        """How many of these words are among those said."""
        return sum(bool(self.meant_by(word) & said) for word in words)

    def nearest(self, words: Sequence[str]) -> list[str]:
        """The sentences that have most of the words; a question only where nothing else says as much."""
        shares = {one: self.count(words, said) for one, said in self.words.items()}
        return sorted(shares, key=lambda one: (-shares[one], one.rstrip().endswith(("?", "？"))))[:NEAREST]


def supported_lines(
    lines: Iterable[str], told: Mapping[int, Told], *, known: Sequence[str] = (), names: Sequence[str] = ()
) -> list[str]:
    """Those that stand, without their citations. `known` is the text that was written on, line by line; what says
    again what stands there is kept. `names` are those of the people who speak.
    """
    read = [line for line in map(read_line, lines) if line.text]
    heard = Heard(list(told.values()), known, names) if read else None
    return [line.text for line in read if heard and weigh_line(line, told, heard).holds]


def supported_text(
    text: str, told: Mapping[int, Told], *, known: Sequence[str] = (), names: Sequence[str] = ()
) -> str:
    """The same for prose, sentence by sentence."""
    written = _AFTER_STOP.sub(r" \g<cited>\g<stop>", text)
    found = [span.text for span in list_sentences(written)]
    return " ".join(supported_lines(found, told, known=known, names=names))


def weigh_line(line: Line, told: Mapping[int, Told], heard: Heard) -> Support:
    """Whether the messages cited say what a line says; where they don't, or none is cited, whether all that was heard
    says it: a model's numbers are as often wrong as its words are right.
    """
    cited = [told[number] for number in line.cited if number in told]
    if cited and (found := _weigh(line.text, Heard(cited, names=heard.names))).holds:
        return found
    return _weigh(line.text, heard)


def _weigh(text: str, heard: Heard) -> Support:
    if name := find_foreign_name(text, (*heard.texts, *heard.names)):
        return refuse(f"Nobody named “{name}” in what was said.")
    if figure := find_missing_figure(text, heard.dated):
        return refuse(f"“{figure}” doesn't stand in what was said.")
    theirs = tells_of_another(text, heard.names) or _A_THING.match(text) is not None or is_of_another(text)
    for clause in CLAUSE.split(text):
        fault = _weigh_clause(clause, heard, theirs=theirs) if clause.strip() else ""
        if fault:
            return refuse(fault)
    return SUPPORTED


def _weigh_clause(clause: str, heard: Heard, *, theirs: bool) -> str:
    """What is wrong with a clause, beside the sentences nearest to it, or nothing; `theirs` if its line is about
    somebody else than the speaker.
    """
    proper = {part for name in (*names_of(clause), *heard.names) for part in list_words(name)}
    words = [word for word in content_words(clause) if word not in proper]
    if not words:
        return ""
    near = heard.nearest([*words, *proper])
    said = frozenset().union(*(heard.words[one] for one in near))
    left = [word for word in words if not _is_meant(word, said, heard)]
    if len(left) > (1 - COVERED) * len(words):
        return "" if _is_retold(clause, near) else f"Nobody said anything of “{left[0]}”."
    saying = [one for one in near if _says(words, one)]
    if saying and not theirs and all(map(is_of_another, saying)):
        return OTHERS
    parts = [part for one in saying for part in CLAUSE.split(one) if _says(words, part)]
    return "The opposite was said." if parts and all(is_denied(p) != is_denied(clause) for p in parts) else ""


def _is_meant(word: str, said: frozenset[str], heard: Heard) -> bool:
    return bool(heard.meant_by(word) & said) or any(is_alike(word, other) for other in said)


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


def _numbers(cited: str) -> list[int]:
    """ "3, 5-7" is 3, 5, 6 and 7."""
    found: list[int] = []
    for part in re.findall(r"\d+(?:\s*[–-]\s*\d+)?", cited):
        first, *last = (int(number) for number in re.findall(r"\d+", part))
        found.extend(range(first, min(last[0], first + MAX_RANGE) + 1) if last else [first])
    return found

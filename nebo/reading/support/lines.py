"""Lines of a summary: each cites the messages it tells, and stands only if they say so.

A line tells much in few words, so it isn't held to one quote. Its names and numbers must stand in what it cites, and
most of its words must be covered by the few sentences there that are nearest to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from nebo.reading.meaning.sentences import list_sentences
from nebo.reading.support.alike import is_alike
from nebo.reading.support.claims import (
    NO_DAY,
    OTHERS,
    is_of_another,
    likeness,
    tells_of_another,
)
from nebo.reading.support.quoted import CLAUSE
from nebo.reading.support.verdicts import SUPPORTED, Support, refuse
from nebo.reading.wording.covering import (
    by_sound,
    content_words,
    find_uncovered,
    language_of,
    list_words,
    means_same,
    plain,
)
from nebo.reading.wording.figures import find_missing_figure
from nebo.reading.wording.names import find_foreign_name, names_of
from nebo.reading.wording.polarity import is_denied
from nebo.reading.wording.vocabulary import kin_of

NEAREST = 4  # sentences that a line may be put together from
COVERED = 0.6  # share of a line's words that they must have
TOGETHER = (
    0.5  # share of them that one of these must have: words from all over are soon put together to anything
)
RESTATED = 0.9  # chance from which a sentence in another language is about the same thing
FIRST = 3  # letters with which two words begin that are one
MAX_RANGE = 50  # messages that a range may cite
FEW = 6  # messages that a line may be put together from
SAYS_IT = 0.75  # share from which one sentence alone says what the line says, and must not say the opposite
_CITED = r"\[\s*#?\d{1,4}(?:\s*[,;–-]\s*#?\d{1,4})*\s*\]"
_CITATION = re.compile(rf"\s*(?:{_CITED}\s*)+(?=\W*$|[;,:.!?])")
# "The harbour permit is …" has a thing for its subject, and says nothing of the speaker.
_A_THING = re.compile(
    r"(?:the|der|die|das|el|la|los|las|le|les|il|lo|gli) (?!(?:user|person|speaker|nutzer|benutzer|usuari|utilisat"
    r"|utente))\w",
    re.IGNORECASE,
)
_BEGINS_ANEW = re.compile(
    r"^\W*(?:(?:and|but|so|und|aber|y|pero|et|mais|e|ma)\s+)?(?:I|i['’]?m|we|the|my|our|ich|wir|der|die|das|mein\w*|unser\w*|yo|el|la|los"
    r"|las|mis?|nuestr\w+|je|nous|le|les|mon|ma|mes|notre|nos|io|noi|lo|gli|mio|mia|miei|mie)\b",
    re.IGNORECASE,
)
# Whom a sentence without a name of its own may be about: "he starts on Monday" follows on Neil.
_FOLLOWS_ON = re.compile(
    r"\b(?:he|she|they|him|her|them|er|sie|ihn|ihm|ihnen|él|ella|ellos|ellas|il|elle|ils|elles|lui|lei|loro|gli)\b",
    re.IGNORECASE,
)
_AFTER_STOP = re.compile(rf"(?P<stop>[.!?])\s*(?P<cited>{_CITED}(?:\s*{_CITED})*)")


@dataclass(frozen=True, slots=True)
class SourceMessage:
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
    found = list(_CITATION.finditer(written))
    cited = tuple(dict.fromkeys(number for one in found for number in _numbers(one.group())))
    return Line(_CITATION.sub("", written).strip(), cited)


class SourceIndex:
    """All that a summary may rest on, ready to be searched: sentences with their words."""

    def __init__(
        self, sources: Sequence[SourceMessage], known: Sequence[str] = (), names: Sequence[str] = ()
    ) -> None:
        self.texts = [*(one.text for one in sources), *known]
        self.names = (*names, *(one.speaker for one in sources if one.speaker))
        last = max((one.on for one in sources if one.on), default=NO_DAY)
        self.dated = [*((one.text, one.on or last) for one in sources), *((text, last) for text in known)]
        sentences = (span.text for text in self.texts for span in list_sentences(text))
        self.words = {sentence: frozenset(list_words(sentence)) for sentence in (*sentences, *known)}
        own = {word for name in names for word in list_words(name)}
        self.spoken_of = {
            part for text in self.texts for name in names_of(text) for part in list_words(name)
        } - own
        self.vocabulary = frozenset().union(*self.words.values())
        self._begins = {
            word: frozenset({plain(word)[:FIRST], by_sound(plain(word))[:FIRST]}) for word in self.vocabulary
        }
        self._meant: dict[str, frozenset[str]] = {}

    def meant_by(self, word: str) -> frozenset[str]:
        """The words said that mean what this one means, as far as letters tell."""
        if word not in self._meant:
            self._meant[word] = frozenset(
                other for other in self._candidates(word) if means_same(word, other)
            )
        return self._meant[word]

    def _candidates(self, word: str) -> Iterable[str]:
        """Words that may mean the same by their letters: all that begin alike, hold one another, or are relatives."""
        begins = {begin for form in (plain(word), by_sound(plain(word))) for begin in (form[:FIRST],)}
        return (
            other
            for other, forms in self._begins.items()
            if forms & begins or word in other or other in word or kin_of(word)
        )

    def follows_on(self, sentence: str, subject: str) -> bool:
        """Whether a sentence has no subject of its own and the one before it has this one."""
        if _BEGINS_ANEW.match(sentence):
            return False
        order = list(self.words)
        place = order.index(sentence)
        return place > 0 and bool(self.meant_by(subject) & self.words[order[place - 1]])

    def count(self, words: Iterable[str], spoken: frozenset[str]) -> int:
        """How many of these words are among those said."""
        return sum(bool(self.meant_by(word) & spoken) for word in words)

    def nearest(self, words: Sequence[str]) -> list[str]:
        """The sentences that have most of the words; a question only where nothing else says as much."""
        shares = {one: self.count(words, spoken) for one, spoken in self.words.items()}
        return sorted(shares, key=lambda one: (-shares[one], one.rstrip().endswith(("?", "？"))))[:NEAREST]


def supported_lines(
    lines: Iterable[str],
    sources: Mapping[int, SourceMessage],
    *,
    known: Sequence[str] = (),
    names: Sequence[str] = (),
) -> list[str]:
    """Those that stand, without their citations. `known` is the text that was written on, line by line; what says
    again what stands there is kept. `names` are those of the people who speak.
    """
    read = [line for line in map(read_line, lines) if line.text]
    index = SourceIndex(list(sources.values()), known, names) if read else None
    return [line.text for line in read if index and weigh_line(line, sources, index).holds]


def supported_text(
    text: str, sources: Mapping[int, SourceMessage], *, known: Sequence[str] = (), names: Sequence[str] = ()
) -> str:
    """The same for prose, sentence by sentence; what stood on a line of its own still does."""
    rows = [
        [read_line(span.text) for span in list_sentences(_AFTER_STOP.sub(r" \g<cited>\g<stop>", row))]
        for row in text.splitlines()
    ]
    index = SourceIndex(list(sources.values()), known, names)
    kept = (
        " ".join(one.text for one in row if one.text and weigh_line(one, sources, index).holds)
        for row in rows
    )
    return "\n".join(filter(None, kept))


def weigh_line(line: Line, sources: Mapping[int, SourceMessage], index: SourceIndex) -> Support:
    """Whether the few messages cited say what a line says, together; where they don't, or none is cited, whether what
    was heard says it in one place: a model's numbers are as often wrong as its words are right.
    """
    cited = [sources[number] for number in line.cited if number in sources]
    few = 0 < len(cited) <= FEW
    if few and (found := _weigh(line.text, SourceIndex(cited, names=index.names), cited=True)).holds:
        return found
    return _weigh(line.text, index)


def _weigh(text: str, index: SourceIndex, *, cited: bool = False) -> Support:
    if name := find_foreign_name(text, (*index.texts, *index.names)):
        return refuse(f"Nobody named “{name}” in what was said.")
    if figure := find_missing_figure(text, index.dated):
        return refuse(f"“{figure}” doesn't stand in what was said.")
    named = next(iter(list_words(text)), "") in index.spoken_of
    of_subject = named or tells_of_another(text, index.names) or _A_THING.match(text) is not None
    theirs = of_subject or is_of_another(text)
    for number, clause in enumerate(one for one in CLAUSE.split(text) if one and one.strip()):
        fault = _weigh_clause(clause, index, theirs=theirs, cited=cited)
        if fault or (of_subject and not number and _is_of_other_subject(clause, index)):
            return refuse(fault or OTHERS)
    return SUPPORTED


def _is_of_other_subject(clause: str, index: SourceIndex) -> bool:
    """Whether what a clause says of the one it begins with was said only of others: "Neil changes schools" where the
    kids do.
    """
    proper = set(_named(clause)) | {part for name in index.names for part in list_words(name)}
    telling = {*content_words(clause), *proper}
    subject, *rest = dict.fromkeys(word for word in list_words(clause) if word in telling) or ("",)
    if not rest:
        return False
    shares = {one: _count_left(one, clause, rest, index) for one in index.nearest(rest)}
    least = min(shares.values(), default=len(rest))
    if least > (1 - TOGETHER) * len(rest):
        return False
    saying = [one for one, left in shares.items() if left == least]
    return not any(
        _FOLLOWS_ON.search(one)
        or not _count_left(one, clause, [subject], index)
        or index.follows_on(one, subject)
        for one in saying
    )


def _weigh_clause(clause: str, index: SourceIndex, *, theirs: bool, cited: bool) -> str:
    """What is wrong with a clause, beside the sentences nearest to it, or nothing; `theirs` if its line is about
    somebody else than the speaker. One that was `cited` may be put together from several.
    """
    proper = {part for name in (*names_of(clause), *index.names) for part in list_words(name)}
    words = [word for word in content_words(clause) if word not in proper]
    if not words:
        return ""
    near = index.nearest([*words, *proper])
    spoken = frozenset().union(*(index.words[one] for one in near))
    left = [word for word in words if not _is_meant(word, spoken, index)]
    if len(left) > (1 - COVERED) * len(words):
        return "" if _is_restated(clause, near) else f"Nobody said anything of “{left[0]}”."
    every = [*words, *_named(clause)]
    if not cited and min(_count_left(one, clause, every, index) for one in near) > (1 - TOGETHER) * len(
        every
    ):
        return "It is put together from words that were not said together."
    saying = [one for one in near if _says(words, one)]
    if saying and not theirs and all(map(is_of_another, saying)):
        return OTHERS
    parts = [part for one in saying for part in CLAUSE.split(one) if _says(words, part)]
    return "The opposite was said." if parts and all(is_denied(p) != is_denied(clause) for p in parts) else ""


def _named(clause: str) -> list[str]:
    return [part for name in names_of(clause) for part in list_words(name)]


def _count_left(sentence: str, clause: str, words: Sequence[str], index: SourceIndex) -> int:
    """How many of a clause's words a sentence lacks; in another language, what means the same counts too."""
    spoken = index.words[sentence]
    foreign = language_of(sentence) != language_of(clause)
    return sum(not (index.meant_by(w) & spoken or (foreign and _is_meant(w, spoken, index))) for w in words)


def _is_meant(word: str, spoken: frozenset[str], index: SourceIndex) -> bool:
    return bool(index.meant_by(word) & spoken) or any(is_alike(word, other) for other in spoken)


def _says(words: Sequence[str], text: str) -> bool:
    return len(find_uncovered(words, list_words(text))) <= (1 - SAYS_IT) * len(words)


def _is_restated(clause: str, near: Sequence[str]) -> bool:
    """Whether a sentence in another language says it, as far as its vector tells."""
    return any(
        language_of(one) != language_of(clause)
        and is_denied(one) == is_denied(clause)
        and likeness(clause, one) >= RESTATED
        for one in near
    )


def _numbers(cited: str) -> list[int]:
    """ "3, 5-7" is 3, 5, 6 and 7."""
    found: list[int] = []
    for part in re.findall(r"\d+(?:\s*[–-]\s*\d+)?", cited):
        first, *last = (int(number) for number in re.findall(r"\d+", part))
        found.extend(range(first, min(last[0], first + MAX_RANGE) + 1) if last else [first])
    return found

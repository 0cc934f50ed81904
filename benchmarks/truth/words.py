"""The words by which a case names a text, since how it is worded is nobody's promise.

    "dentist call|ring"    both occur, in any order; "|" stands between words of which one is enough
    "allerg*"              a word that begins so; "*arzt*" a word that has it in it
    "leeds -york"          the one occurs, the other doesn't
    "new_york"             one after the other
    "*"                    any text

Case and accents don't count: "zurich" is Zürich.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

ANY = "*"


@dataclass(frozen=True, slots=True)
class Words:
    """Every one of `wanted` must occur in a text, none of `unwanted` may."""

    source: str
    wanted: tuple[re.Pattern[str], ...]
    unwanted: tuple[re.Pattern[str], ...]

    def are_in(self, text: str) -> bool:
        """Whether the text is one of those named."""
        bare = fold(text)
        return all(one.search(bare) for one in self.wanted) and not any(
            one.search(bare) for one in self.unwanted
        )

    def among(self, texts: Iterable[str]) -> list[str]:
        """Those of the texts that are named, in their order."""
        return [text for text in texts if self.are_in(text)]


def read_words(source: str) -> Words:
    """Words as a case writes them. Raises ValueError where there is none."""
    parts = source.split()
    if not parts:
        raise ValueError("Name at least one word.")
    wanted = [part for part in parts if not part.startswith("-") and part != ANY]
    unwanted = [part[1:] for part in parts if part.startswith("-")]
    return Words(source, _compile(wanted), _compile(unwanted))


def fold(text: str) -> str:
    """Without case and accents, with plain apostrophes and single spaces."""
    apart = unicodedata.normalize("NFKD", text.casefold().replace("’", "'"))
    return " ".join("".join(sign for sign in apart if not unicodedata.combining(sign)).split())


def _compile(parts: Iterable[str]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile("|".join(_word(one) for one in part.split("|"))) for part in parts)


def _word(written: str) -> str:
    """A regular expression for one word: bounded on each side that has no star."""
    before = "" if written.startswith(ANY) else r"(?<!\w)"
    after = "" if written.endswith(ANY) else r"(?!\w)"
    return before + re.escape(fold(written.strip(ANY).replace("_", " "))) + after

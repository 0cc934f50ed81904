"""No expression of the reader's takes forever on a text that was made to keep it busy: one that does hangs here."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator

import pytest

import nebo.reading
from nebo.reading.meaning.sentences import MAX_SENTENCE_CHARS

MODULES = [
    module.name
    for module in pkgutil.walk_packages(nebo.reading.__path__, "nebo.reading.")
    if ".training" not in module.name
]
PIECES = (
    "x", "x-", "x'", "ab ", "a, ", "a's ", "my ", "the x ", "I'm ", "and ", "no ", "1 ", "11", "ist ", "Ab ", "mein ",
    "with my ", "so and also ", "I have been ", "(", " ", "is now ", "Anna, Bea, ", "not ", "I said a b ", ": ",
    "twenty",
)  # fmt: skip


def list_patterns(value: object, depth: int = 0) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, (tuple, list, dict)) and depth < 4:
        for one in value.values() if isinstance(value, dict) else value:
            yield from list_patterns(one, depth + 1)


@pytest.mark.parametrize("name", MODULES)
def test_no_expression_hangs_on_a_sentence_of_the_greatest_length(name: str) -> None:
    module = importlib.import_module(name)
    patterns = {pattern for value in vars(module).values() for pattern in list_patterns(value)}
    texts = [(piece * MAX_SENTENCE_CHARS)[:MAX_SENTENCE_CHARS] for piece in PIECES]

    for pattern in patterns:
        for text in texts:
            pattern.match(text)
            pattern.fullmatch(f"{text}!")

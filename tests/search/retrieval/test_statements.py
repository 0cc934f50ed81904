"""The statements of a search say the same where they do the same."""

from __future__ import annotations

import re

from nebo.postgres.sql_files import read_part

PART = re.compile(r"^(?:\), )?(\w+) AS (?:MATERIALIZED )?\(\n(.*?)^\)", re.MULTILINE | re.DOTALL)


def parts_of(name: str) -> dict[str, str]:
    """The text of each named part of a statement."""
    text = read_part("search", name)
    return {found[1]: found[2] for found in _each(text)}


def _each(text: str) -> list[re.Match[str]]:
    """A part begins where the one before it ends, on the same line."""
    found, start = [], 0
    while match := PART.search(text, start):
        found.append(match)
        start = match.end() - 1
    return found


def test_parts_of_one_name_read_the_same_in_each_statement() -> None:
    all_parts = parts_of("candidates")
    by_words, of_memories = parts_of("candidates_by_words"), parts_of("candidates_of_memories")

    assert {name for name in by_words if by_words[name] != all_parts.get(name)} == {"anchor"}
    assert {name for name in of_memories if of_memories[name] != all_parts.get(name)} == {
        "wanted", "by_words", "by_vector", "pool", "reach",
    }  # fmt: skip
    assert len(all_parts) == 18

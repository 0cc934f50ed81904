"""Nearly-JSON: what is complete is kept, what was cut off is not."""

from __future__ import annotations

import json

import pytest

from memories.extraction.json_repair import MAX_DEPTH, read_loosely

TEA = '{"key": "drink/hot", "value": "Alice prefers tea."}'


@pytest.mark.parametrize(
    "end", ['{"key": "person/sarah", "value": "Sarah is not Ali', '{"key": "person/sarah", "value":']
)
def test_half_a_fact_is_none(end: str) -> None:
    """A reader that closes what is open would note "Sarah is not Ali"."""
    assert read_loosely(f'{{"preferences": [{TEA}, {end}') == {"preferences": [json.loads(TEA)]}


def test_two_arrays_of_one_name_are_one() -> None:
    found = read_loosely(f'{{"preferences": [{TEA}], "preferences": [1],}}')

    assert found == {"preferences": [json.loads(TEA), 1]}


@pytest.mark.parametrize("end", ["", "]" * 5_000])
def test_depth_is_bounded_with_and_without_an_end(end: str) -> None:
    found = read_loosely('{"preferences": ' + "[" * 5_000 + end)

    assert json.dumps(found).count("[") < MAX_DEPTH

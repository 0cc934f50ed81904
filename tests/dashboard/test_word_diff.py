"""What changed between two wordings."""

from __future__ import annotations

import pytest

from nebo.product.dashboard.word_diff import MOST, compare_words


@pytest.mark.parametrize(
    "before, after, shown",
    [
        ("Plays the cello", "Plays the viola", "Plays the [-cello-][+viola+]"),
        ("Likes tea", "Likes tea and coffee", "Likes tea[+ and coffee+]"),
        ("Lives next door.", "Lives door.", "Lives[- next-] door."),
        ("Sam's dog", "Sam’s dog", "[-Sam's-][+Sam’s+] dog"),
        ("我喜欢茶", "我喜欢咖啡", "我喜欢[-茶-][+咖啡+]"),
        ("Loves all pottery.", "Lives in Porto.", "[-Loves all pottery.-][+Lives in Porto.+]"),
        ("", "New", "[+New+]"),
        ("Same", "Same", "Same"),
    ],
)
def test_words_that_went_and_came_stand_in_their_places(before: str, after: str, shown: str) -> None:
    marks = {"same": "{}", "gone": "[-{}-]", "new": "[+{}+]"}

    assert "".join(marks[part.kind].format(part.text) for part in compare_words(before, after)) == shown


@pytest.mark.parametrize("before, after", [("a b  c\n", "a c\t"), ("x" * 5000, "y " * (MOST + 1))])
def test_nothing_of_either_wording_is_lost(before: str, after: str) -> None:
    parts = compare_words(before, after)

    assert "".join(part.text for part in parts if part.kind != "new") == before
    assert "".join(part.text for part in parts if part.kind != "gone") == after

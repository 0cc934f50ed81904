"""Items of a list of things are nothing that somebody says."""

import pytest

from nebo.reading.words.things_listed import is_thing_listed


@pytest.mark.parametrize(
    ("text", "item", "is_listed"),
    [
        ("my grocery list for the week:\n\n- oat milk\n- rye bread", "rye bread", True),
        ("## Zutaten\n* Mehl\n* glutenfreie Nudeln", "glutenfreie Nudeln", True),
        ("lista de la compra\n1. leche sin lactosa\n2. pan", "pan", True),
        ("About me:\n- vegan\n- two kids", "vegan", False),
        ("I do the shopping on Fridays. I'm vegan.", "I'm vegan.", False),
        ("Shopping:\n- rice\n\nBy the way, I'm vegan.", "I'm vegan.", False),
    ],
)
def test_it_stands_below_a_line_that_names_the_list(text: str, item: str, is_listed: bool) -> None:
    assert is_thing_listed(text, text.index(item)) is is_listed

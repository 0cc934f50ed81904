from __future__ import annotations

from pathlib import Path

import pytest

from nebo.llm.errors import PromptError
from nebo.llm.prompts import prompt_hash, read_prompt, render_prompt


@pytest.fixture
def template(tmp_path: Path) -> Path:
    path = tmp_path / "greet.txt"
    path.write_text("Greet $name, who owes ${amount}$$.\n", encoding="utf-8")
    return path


def test_values_take_the_place_of_their_names_and_are_not_expanded(template: Path) -> None:
    text = render_prompt(template, name="$amount & Zoë", amount=3)

    assert text == "Greet $amount & Zoë, who owes 3$.\n"


def test_a_missing_value_is_an_error_that_names_it(template: Path) -> None:
    with pytest.raises(PromptError, match=r"greet\.txt needs \$amount, \$name"):
        render_prompt(template)


def test_a_value_without_a_place_is_an_error_that_names_it(template: Path) -> None:
    with pytest.raises(PromptError, match=r"greet\.txt has no place for \$mood"):
        render_prompt(template, name="Zoë", amount=3, mood="glad")


def test_a_stray_dollar_sign_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "broken.txt"
    path.write_text("It costs $ 5.")

    with pytest.raises(PromptError, match="begins no name"):
        render_prompt(path)


def test_a_prompt_is_found_inside_a_package() -> None:
    assert read_prompt("nebo.llm:prompts.py").startswith('"""Prompts are text files')


def test_a_wording_has_a_hash_of_its_own() -> None:
    assert prompt_hash("Greet $name.") == "25b4cb777a04f828"
    assert prompt_hash("Greet $name.") != prompt_hash("Greet $name!")

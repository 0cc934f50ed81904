"""How the browser tests wait: only an element that was exchanged is asked for again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException

from tests.chromium import settled, wait_for

UNHANDLED = 'unknown error: unhandled inspector error: {"code":-32000,"message":"%s"}'
GONE = WebDriverException(UNHANDLED % "Node with given id does not belong to the document")


def answers(*said: object) -> Callable[[], object]:
    """One after the other, as a browser gives them."""
    left = list(said)

    def ask() -> object:
        answer = left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return ask


@pytest.mark.parametrize("exchanged", [GONE, StaleElementReferenceException()])
def test_what_was_exchanged_is_asked_for_again(exchanged: Exception) -> None:
    assert settled(answers(exchanged, exchanged, "")) == ""
    assert wait_for(answers(exchanged, "", "there")) == "there"


def test_any_other_complaint_of_the_browser_is_one() -> None:
    with pytest.raises(WebDriverException, match="Not allowed"):
        settled(answers(WebDriverException(UNHANDLED % "Not allowed"), "there"))

"""Session keys: one identity, one key."""

from __future__ import annotations

import pytest

from sessions.identity import SessionIdentity, choose_key, v2_key

HERE = SessionIdentity("Acme", "slack", "C-42", "alice")


def test_the_same_identity_gives_the_same_key_everywhere() -> None:
    assert v2_key(HERE) == "v2:7b88e6b50be1942141dc58ca1a6189c0c3af1f04"


@pytest.mark.parametrize(
    "other",
    [
        SessionIdentity("ACME", "Slack", "c-42", "Alice"),
        SessionIdentity("  acme ", "slack", "C-42", " alice"),
        SessionIdentity("Ａcme", "slack", "C-42", "alice"),
    ],
)
def test_case_space_and_width_make_no_difference(other: SessionIdentity) -> None:
    assert v2_key(other) == v2_key(HERE)


@pytest.mark.parametrize(
    "other",
    [
        SessionIdentity("Acme", "slack", "C-42", "bob"),
        SessionIdentity("Acme", "slack", "C-4", "2alice"),
        SessionIdentity("Acmeslack", "", "C-42", "alice"),
        SessionIdentity('Acme","slack', "", "C-42", "alice"),
    ],
)
def test_different_parts_never_run_together(other: SessionIdentity) -> None:
    assert v2_key(other) != v2_key(HERE)


def test_a_given_v2_key_stands_and_a_legacy_key_yields_to_an_identity() -> None:
    assert choose_key("v2:abc", HERE) == "v2:abc"
    assert choose_key("chat-1", HERE) == v2_key(HERE)
    assert choose_key("chat-1", None) == "chat-1"
    assert choose_key("", None) == ""

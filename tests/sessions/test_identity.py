"""Session keys: one identity, one key."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from sessions.lifecycle.identity import SessionIdentity, choose_key, v2_key

HERE = SessionIdentity("Acme", "slack", "C-42", "alice")


def test_the_same_identity_gives_the_same_key_everywhere() -> None:
    assert v2_key(HERE) == "v2:7b88e6b50be1942141dc58ca1a6189c0c3af1f04"


GOLDEN = [
    (SessionIdentity("Acme", "slack", "C-42", "alice"), "v2:7b88e6b50be1942141dc58ca1a6189c0c3af1f04"),
    (
        SessionIdentity("work space", "web", "chat 7", "bob@example.com"),
        "v2:663e72c7beb3a2348c21ec3e1ea8393e1e6623ac",
    ),
    (SessionIdentity("Größe", "Straße", "№ 5", "José"), "v2:32886e2cd829579479dec3265fad83eef26a92c2"),
    (SessionIdentity("", "", "", ""), "v2:695e6e3a76cac61b0f75de2833be51173e4a6aec"),
    (SessionIdentity("東京", "ライン", "１２", "花子"), "v2:73fd25adf2636e72f9c5214836c751bf58ebeb82"),
    (SessionIdentity("acme", "slack", "c-42", "İstanbul"), "v2:0a5f4f9c7f9562f4890735d7817abfec529b520c"),
]


@pytest.mark.parametrize(("identity", "key"), GOLDEN)
def test_keys_given_out_once_never_change(identity: SessionIdentity, key: str) -> None:
    assert v2_key(identity) == key


def test_another_process_with_another_hash_seed_gives_the_same_key() -> None:
    code = "from sessions.lifecycle.identity import *; print(v2_key(SessionIdentity('Acme', 'slack', 'C-42', 'alice')))"

    said = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": "C"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    ]

    assert said == [v2_key(HERE)] * 2


@pytest.mark.parametrize(
    "other",
    [
        SessionIdentity("ACME", "Slack", "c-42", "Alice"),
        SessionIdentity("Acme", "slack", "C-42\t", "\u00a0alice"),
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

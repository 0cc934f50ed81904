from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.normalize import (
    Namespace,
    effective_namespace,
    is_profile_namespace,
    normalize_key,
    parse_namespace,
    storage_namespace,
)


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("Code_Style", "code-style"),
        ("Preference/Code-Style", "preference/code-style"),
        ("  My--Key//path ", "my-key/path"),
        ("-/lead and trail/-", "lead-and-trail"),
        ("a\u200bb\x00c", "abc"),
        ("tab\tand\nline", "tab-and-line"),
        ("Cafe\u0301", "caf\u00e9"),
        ("__", ""),
    ],
)
def test_a_key_has_one_spelling(key: str, expected: str) -> None:
    assert normalize_key(key) == expected


def test_a_key_ends_at_128_characters_and_not_on_a_hyphen() -> None:
    assert normalize_key("a" * 127 + " tail") == "a" * 127
    assert len(normalize_key("b" * 500)) == 128


@given(st.text())
def test_normalising_twice_changes_nothing(key: str) -> None:
    once = normalize_key(key)

    assert normalize_key(once) == once


@given(st.text(alphabet="aA_- /\t\u0301\u200b"))
def test_a_normalised_key_has_no_repeats_and_clean_ends(key: str) -> None:
    once = normalize_key(key)

    assert "--" not in once
    assert "//" not in once
    assert once == once.strip("-/")


@pytest.mark.parametrize(
    ("layer", "namespace", "stored", "searched"),
    [
        ("tacit", "preferences", "tacit/preferences", "tacit/preferences"),
        ("tacit", "", "tacit", "tacit"),
        ("tacit", "tacit", "tacit", "tacit"),
        ("tacit", "tacit/user", "tacit/user", "tacit/user"),
        ("", "tacit.user", "tacit/user", "tacit/user"),
        ("daily", "2025-06-01", "daily/2025-06-01", "daily/2025-06-01"),
        ("", "notes", "notes", "notes"),
        ("", "", "default", ""),
    ],
)
def test_layer_and_namespace_make_one_address(layer: str, namespace: str, stored: str, searched: str) -> None:
    assert storage_namespace(layer, namespace) == stored
    assert effective_namespace(layer, namespace) == searched


@pytest.mark.parametrize(
    ("effective", "expected"),
    [
        ("tacit/preferences", Namespace("tacit", "preferences")),
        ("tacit.user", Namespace("tacit", "user")),
        ("entity", Namespace("entity", "")),
        ("default", Namespace("", "default")),
        ("team/notes", Namespace("", "team/notes")),
    ],
)
def test_an_address_is_read_back(effective: str, expected: Namespace) -> None:
    assert parse_namespace(effective) == expected


def test_both_spellings_of_the_profile_are_known() -> None:
    assert is_profile_namespace("tacit/user")
    assert is_profile_namespace("Tacit.User")
    assert not is_profile_namespace("tacit/users")

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.entity_refs import (
    EntityRef,
    find_ref,
    label_of,
    make_memory_key,
    make_ref,
    resolve_memory_key,
    resolve_refs,
    slugify,
)


@pytest.mark.parametrize(
    ("kind", "label", "ref"),
    [
        ("person", "John Doe", "person:john_doe"),
        ("org", "Acme Corp.", "org:acme_corp"),
        ("place", "Austin, Texas", "place:austin_texas"),
        ("project", "Dashboard-Redesign", "project:dashboard_redesign"),
        ("Person", "  O'Neil  —  Jr. ", "person:oneil_jr"),
        ("company", "Ünal & Søn", "org:ünal_søn"),
        ("person", "田中 太郎", "person:田中_太郎"),
    ],
)
def test_a_label_becomes_a_reference(kind: str, label: str, ref: str) -> None:
    assert str(make_ref(kind, label)) == ref


def test_a_label_of_punctuation_has_no_reference() -> None:
    assert make_ref("person", " -- !? ") is None


@pytest.mark.parametrize(
    "text", ["person:john_doe", "person/john-doe", "people/John Doe", "person: John Doe"]
)
def test_every_spelling_of_a_reference_is_read(text: str) -> None:
    assert find_ref(text) == EntityRef("person", "john_doe")


@pytest.mark.parametrize("text", ["john", "mood:happy", "person:", "", "http://x.test"])
def test_what_names_no_known_type_is_no_reference(text: str) -> None:
    assert find_ref(text) is None


def test_a_reference_without_label_still_reads_well() -> None:
    assert label_of(EntityRef("place", "austin_texas")) == "Austin Texas"


@given(st.text())
def test_slugs_are_idempotent(label: str) -> None:
    slug = slugify(label)

    assert slugify(slug) == slug
    assert len(slug) <= 96


@pytest.mark.parametrize(
    ("label", "slug"),
    [
        ("Zoë", "zoë"),
        ("李雷", "李雷"),
        ("Łukasz", "łukasz"),
        ("Мария Иванова", "мария_иванова"),
        ("José-María", "josé_maría"),
    ],
)
def test_a_slug_keeps_its_script(label: str, slug: str) -> None:
    assert slugify(label) == slug


def test_a_memory_key_is_lower_case_and_names_type_entity_and_kind_of_fact() -> None:
    assert make_memory_key("PEOPLE", EntityRef("person", "john_doe"), "relationship") == (
        "people|person|john_doe|relationship"
    )
    assert make_memory_key("person", None, "fact") == ""


def test_a_merged_entity_leads_where_it_was_merged_into() -> None:
    aliases = {"person:makesh": "person:mukesh"}

    assert resolve_refs(["person:makesh", "org:acme", "person:mukesh"], aliases) == [
        "person:mukesh",
        "org:acme",
    ]
    assert resolve_memory_key("people|person|makesh|fact", aliases) == "people|person|mukesh|fact"
    assert resolve_memory_key("my-own-key", aliases) == "my-own-key"

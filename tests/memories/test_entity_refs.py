from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.entity_refs import EntityRef, find_ref, label_of, make_ref, slugify


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

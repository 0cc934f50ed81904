"""Which facts may be folded: the same ones, and those scattered about one subject; never what could clash."""

from __future__ import annotations

from itertools import combinations

import pytest

from memories.curation.folding import (
    Fact,
    FoldCandidate,
    Near,
    contradicts,
    find_fold_candidates,
    is_faithful,
    list_covered,
    says_all,
)
from nebo.tenants.ids import uuid7

JOHN = frozenset({"john", "doe"})


def fact(value: str, *, subject: frozenset[str] = JOHN, has_entity: bool = True) -> Fact:
    return Fact(uuid7(), value, subject, has_entity)


def all_near(facts: list[Fact], similarity: float) -> Near:
    return {frozenset((one.id, other.id)): similarity for one, other in combinations(facts, 2)}


def folded(*values: str, similarity: float = 0.95) -> list[tuple[str, list[str]]]:
    facts = [fact(value) for value in values]
    candidates = find_fold_candidates(facts, all_near(facts, similarity))
    return [(candidate.kind, [one.value for one in candidate.facts]) for candidate in candidates]


CLASHES = [
    ("John has 2 kids", "John has 3 kids"),
    ("The launch is on 5 May", "The launch is on 6 May"),
    ("Launches beta on monday", "Launches beta on friday"),
    ("Launches beta in march", "Launches beta in april"),
    ("John drinks coffee", "John never drinks coffee"),
    ("John lives in Seattle", "John lives in Austin"),
    ("John lives in seattle", "John lives in austin"),
    ("John works with Mary", "John works with Sue"),
    ("Prefers dark mode", "Prefers light mode"),
    ("John is vegan", "John is a baker"),
    ("John prefers tea over coffee", "John drinks coffee over tea"),
    ("John meets two friends daily", "John meets three friends daily"),
    ("Geht ins Kino", "Geht nie ins Kino"),
    ("Mangia pesce", "Non mangia mai pesce"),
    ("Come marisco", "No come nunca marisco"),
    ("Boit du vin", "Ne boit jamais de vin"),
    ("Drinkt koffie", "Drinkt geen koffie"),
]


@pytest.mark.parametrize(("one", "other"), CLASHES)
def test_what_could_contradict_is_never_folded(one: str, other: str) -> None:
    assert contradicts(fact(one), fact(other))
    assert folded(one, other) == []
    assert folded(one, other, "John likes hiking") == []


@pytest.mark.parametrize(
    ("longer", "shorter"),
    [
        ("John lives in Seattle with two dogs", "John lives in Seattle"),
        ("Lives in Austin, Texas", "lives in Austin"),
        ("John is my cofounder.", "john is my Cofounder"),
        ("John handles the backend", "Handles backend"),
        ("李雷喜欢茶。", "李雷喜欢茶"),
    ],
)
def test_a_fact_that_another_says_as_well_is_folded_into_it(longer: str, shorter: str) -> None:
    assert folded(shorter, longer) == [("same", [longer, shorter])]


def test_two_that_only_share_words_are_left() -> None:
    assert folded("Has a dog", "Has a dog allergy", similarity=0.7) == []
    assert folded("John manages the team of Mary", "Mary manages the team of John") == []


def test_scattered_facts_about_one_subject_are_folded_together() -> None:
    facts = ("John is my cofounder", "John handles backend", "John likes hiking")

    assert folded(*facts, similarity=0.65) == [("scattered", list(facts))]


@pytest.mark.parametrize(
    ("values", "similarity"),
    [
        (("John is my cofounder", "John handles backend"), 0.65),  # two stand well beside each other
        (("John is my cofounder", "John handles backend", "John likes hiking"), 0.3),  # nothing in common
        (
            ("John likes " + "hiking " * 25, "John reads " + "novels " * 25, "John cooks " + "stews " * 25),
            0.65,
        ),
    ],
)
def test_few_far_or_long_ones_are_left(values: tuple[str, ...], similarity: float) -> None:
    assert folded(*values, similarity=similarity) == []


def test_facts_about_nobody_in_particular_are_not_gathered() -> None:
    facts = [fact(text, has_entity=False) for text in ("Likes hiking", "Reads novels", "Cooks stews")]

    assert find_fold_candidates(facts, all_near(facts, 0.8)) == []


def test_what_was_taken_apart_stays_apart() -> None:
    facts = [fact("John lives in Seattle"), fact("John lives in Seattle with two dogs")]
    near = all_near(facts, 0.95)
    assert len(find_fold_candidates(facts, near)) == 1

    assert find_fold_candidates(facts, near, apart={frozenset(one.id for one in facts)}) == []


def test_each_fact_is_folded_once() -> None:
    facts = [fact(f"John likes tea {word}") for word in ("", "very much", "very much indeed")]

    (candidate,) = find_fold_candidates(facts, all_near(facts, 0.95))

    assert isinstance(candidate, FoldCandidate)
    assert len({one.id for one in candidate.facts}) == 3


def test_a_line_tells_nothing_twice() -> None:
    facts = [
        fact(text) for text in ("John lives in Seattle", "John lives in Seattle with dogs", "John paints")
    ]

    assert [one.value for one in list_covered(facts)] == ["John lives in Seattle with dogs", "John paints"]
    assert len(list_covered([fact("John paints"), fact("john paints.")])) == 1


def test_order_of_words_matters() -> None:
    assert says_all(fact("lives in Seattle with dogs"), fact("lives in Seattle"))
    assert not says_all(fact("prefers tea over coffee"), fact("prefers coffee over tea"))


FACTS = [fact("John is my cofounder"), fact("John handles backend since 2019"), fact("John knows Mary")]


@pytest.mark.parametrize(
    ("wording", "faithful"),
    [
        ("John is my cofounder, handles backend since 2019 and knows Mary.", True),
        ("John, my cofounder, knows Mary and handles backend since 2019", True),
        ("John is my cofounder, handles backend since 2020 and knows Mary", False),  # another number
        ("John is my cofounder, handles backend and knows Mary", False),  # a number less
        ("John is my cofounder, handles backend since 2019 and knows Mary and Tom", False),  # a name more
        ("John is my cofounder and handles backend since 2019", False),  # a fact less
        ("John is not my cofounder, handles backend since 2019, knows Mary", False),  # a denial more
        ("", False),
        ("John is my cofounder;\nhandles backend since 2019; knows Mary", False),
        ("John is my cofounder, handles backend since 2019 and knows Mary" + " well" * 100, False),
    ],
)
def test_a_models_wording_is_used_only_if_it_keeps_to_the_facts(wording: str, faithful: bool) -> None:
    assert is_faithful(wording, FACTS) == faithful


@pytest.mark.parametrize(
    ("longer", "shorter"),
    [
        ("Priya is Lena's boss and head of product.", "Priya is the user's boss."),
        ("Ingrid is Lena's mother.", "Ingrid is the user's mum."),
    ],
)
def test_what_somebody_is_to_the_person_is_one_fact_however_it_names_them(longer: str, shorter: str) -> None:
    subject = frozenset({"priya", "ingrid", "lena"})
    facts = [Fact(uuid7(), value, subject, True, True) for value in (shorter, longer)]

    (candidate,) = find_fold_candidates(facts, {})

    assert (candidate.kind, {one.value for one in candidate.facts}) == ("same", {shorter, longer})

"""Names, and names with a slip of the pen."""

from __future__ import annotations

import pytest

from nebo.tenants.scoping import tenant_scope
from search.answers.search import Hit, SearchQuery, search
from search.questions.names import CYRILLIC, GREEK, LATIN, find_mentioned, find_names, is_slip, letters_of
from tests.conftest import Team
from tests.search.conftest import tell

PEOPLE = (
    "Ingrid teaches the violin on Mondays.",
    "Caroline adopted a puppy from the shelter.",
    "Makesh repairs old radios in his garage.",
    "Priyanka baked the wedding cake herself.",
    "Sebastian moved into the house by the river.",
    "Katharina runs a bookshop near the station.",
    "Oluwaseun plays the drums in a band.",
    "Müller paints fences for the whole village.",
    "Дмитрий купил старую лодку.",
    "Αλέξανδρος φτιάχνει κρασί.",
    "Nobody was at the market today.",
    "The weather was fine all week long.",
)

SLIPS = [
    ("What does Ingird teach?", 0),  # swapped
    ("What does Ingid teach?", 0),  # left out
    ("What does Ingriid do?", 0),  # put in
    ("Tell me about Imgrid", 0),  # exchanged
    ("Who did Carolline adopt?", 1),
    ("Tell me about Caorline", 1),
    ("What does Mukesh do?", 2),
    ("What does Maksh do?", 2),
    ("What did Priyanca make?", 3),
    ("What about Pryanka?", 3),
    ("Where is Sebastien?", 4),
    ("Where is Sebatian?", 4),
    ("What about Catharina?", 5),
    ("Tell me of Kathariina", 5),
    ("What about Oluwaseum?", 6),
    ("And Oluwasun?", 6),
    ("What about Muller?", 7),
    ("Что купил Дмитрии?", 8),
    ("Τι φτιάχνει ο Αλέξανδρως;", 9),
    ("tell me what ingird does", 0),  # no capital anywhere
]


def ask(team: Team, text: str) -> list[Hit]:
    with tenant_scope(team.tenant):
        query = SearchQuery(text, team.person.pk, ranking="lexical")
        return list(search(tenant=team.tenant, query=query, vector=None).results)


@pytest.mark.django_db
@pytest.mark.parametrize(("question", "meant"), SLIPS)
def test_a_misspelt_name_is_found_by_its_words(acme: Team, question: str, meant: int) -> None:
    tell(acme, *PEOPLE)

    assert ask(acme, question)[0].text == PEOPLE[meant]


@pytest.mark.django_db
def test_a_name_that_is_there_stands_for_no_other(acme: Team) -> None:
    tell(acme, "Anna sings.", "Annab draws.", speaker="Bob")

    assert [hit.text for hit in ask(acme, "What about Annab?")] == ["Annab draws.", "Anna sings."]
    assert ask(acme, "What about Annab?")[1].text_score is None  # only a neighbour


@pytest.mark.django_db
def test_a_short_or_far_name_stands_for_none(acme: Team) -> None:
    tell(acme, *PEOPLE)

    assert ask(acme, "What about Bob and Zebediah?") == []


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("ingrid", "ingrid", True),
        ("ingird", "ingrid", True),
        ("ingrd", "ingrid", True),
        ("ingriid", "ingrid", True),
        ("imgrid", "ingrid", True),
        ("grid", "ingrid", False),
        ("ingdir", "ingrid", False),
        ("anna", "hanna", True),
        ("anna", "annab", True),
        ("anna", "bob", False),
    ],
)
def test_a_slip_is_one_letter(one: str, other: str, expected: bool) -> None:
    assert is_slip(one, other) is expected
    assert is_slip(other, one) is expected


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What does Ingrid’s sister say to Bob?", ["what", "ingrid"]),
        ("where does ingrid live", ["where", "ingrid"]),
        ("", []),
        ("你好吗", []),
        ("R2D2 met Makesh", ["makesh"]),
    ],
)
def test_names_have_a_capital_or_are_long(question: str, names: list[str]) -> None:
    assert [name for name in find_names(question) if name != "does"] == names


@pytest.mark.parametrize(
    ("names", "letters"),
    [
        (["ingrid"], LATIN),
        (["дмитрий"], CYRILLIC),
        (["αλέξανδρος"], GREEK),
        (["مريم"], "".join(sorted(set("مريم")))),
    ],
)
def test_letters_are_those_of_the_script(names: list[str], letters: str) -> None:
    assert letters_of(names) == letters


def test_who_is_named_outright_is_meant_rather_than_who_is_nearly() -> None:
    assert find_mentioned("What does Carolin say?", ["Caroline", "Carolin"]) == {"Carolin"}
    assert find_mentioned("What does Carolin say?", ["Caroline", "Melanie"]) == {"Caroline"}

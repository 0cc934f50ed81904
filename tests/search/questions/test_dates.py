"""The days a question names, and whether it asks for one."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from nebo.tenants.scoping import tenant_scope
from search.answers.search import Hit, SearchQuery, search
from search.questions.dates import Days, asks_when, closeness, find_days
from tests.conftest import Team
from tests.search.conftest import tell

TODAY = date(2024, 5, 15)  # a Wednesday


def days(first: str, last: str = "") -> Days:
    return Days(date.fromisoformat(first), date.fromisoformat(last or first))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What happened on 7 May 2023?", days("2023-05-07")),
        ("What happened on May 7th, 2023?", days("2023-05-07")),
        ("What did she do in June 2023?", days("2023-06-01", "2023-06-30")),
        ("What happened on 2023-06-09?", days("2023-06-09")),
        ("What did we do in 2022?", days("2022-01-01", "2022-12-31")),
        ("What did I do last May?", days("2023-05-01", "2023-05-31")),
        ("Where were we last March?", days("2024-03-01", "2024-03-31")),
        ("Was habe ich am 3. Juni 2023 gemacht?", days("2023-06-03")),
        ("¿Qué hicimos el 3 de junio de 2023?", days("2023-06-03")),
        ("2023年6月3日我们做了什么？", days("2023-06-03")),
        ("3 Haziran 2023 günü ne yaptık?", days("2023-06-03")),
        ("ماذا فعلنا في يونيو 2023؟", days("2023-06-01", "2023-06-30")),
        ("What did I say yesterday?", days("2024-05-14")),
        ("Was habe ich gestern gesagt?", days("2024-05-14")),
        ("我昨天说了什么？", days("2024-05-14")),
        ("What did we plan last week?", days("2024-05-06", "2024-05-12")),
        ("What did we do last weekend?", days("2024-05-11", "2024-05-12")),
        ("What did we do last month?", days("2024-04-01", "2024-04-30")),
        ("Where was I last year?", days("2023-01-01", "2023-12-31")),
        ("What did I do two weeks ago?", days("2024-04-28", "2024-05-04")),
        ("What did I do 3 days ago?", days("2024-05-12")),
    ],
)
def test_a_question_names_its_days(question: str, expected: Days) -> None:
    assert find_days(question, today=TODAY) == [expected]


@pytest.mark.parametrize(
    "question",
    [
        "",
        "What may I do?",
        "Who flew to mars?",
        "32 foo",
        "Was it 31 June 2023?",
        "Is Jan nice?",
        "Who sang at 20:23?",
    ],
)
def test_other_questions_name_none(question: str) -> None:
    assert find_days(question, today=TODAY) == []


def test_a_month_without_a_year_is_any_recent_one() -> None:
    found = find_days("What did she paint in June?", today=TODAY)

    assert {span.first.year for span in found} == set(range(2019, 2025))
    assert {(span.first.month, span.last.day) for span in found} == {(6, 30)}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When did she leave?", True),
        ("How long have they been friends?", True),
        ("What year did it begin?", True),
        ("Wann zog sie um?", True),
        ("¿Cuándo se mudó?", True),
        ("Ne zaman taşındı?", True),
        ("她什么时候搬家的？", True),
        ("متى انتقلت؟", True),
        ("What does she do when it rains?", False),
        ("Who is Ingrid?", False),
    ],
)
def test_a_question_for_a_time_is_told(question: str, expected: bool) -> None:
    assert asks_when(question) is expected


def test_a_day_counts_less_the_longer_after_it_something_was_said() -> None:
    named = [days("2023-06-01", "2023-06-30")]

    shares = [
        closeness(day, named, half_life_days=14.0)
        for day in (date(2023, 5, 31), date(2023, 6, 1), date(2023, 6, 30), date(2023, 7, 14))
    ]

    assert shares == [0.0, 1.0, 1.0, 0.5]


def ask(team: Team, text: str) -> list[Hit]:
    with tenant_scope(team.tenant):
        query = SearchQuery(text, team.person.pk, explain=True)
        return list(search(tenant=team.tenant, query=query, vector=None).results)


@pytest.mark.django_db
def test_what_was_said_in_the_days_named_comes_first(acme: Team) -> None:
    tell(acme, "We went sailing.", key="may", said=datetime(2023, 5, 20, tzinfo=UTC))
    tell(acme, "We went sailing.", key="june", said=datetime(2023, 6, 20, tzinfo=UTC))

    may, june = (ask(acme, f"Who went sailing in {month} 2023?")[0] for month in ("May", "June"))

    assert (may.created_at.month, june.created_at.month) == (5, 6)
    assert june.parts["date"]["raw"] == 1.0


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("plain", "timed", "question"),
    [
        ("I adopted a puppy there.", "I adopted a puppy last week.", "When did she adopt a puppy?"),
        (
            "Wir haben das Haus gekauft.",
            "Wir haben das Haus gestern gekauft.",
            "Wann wurde das Haus gekauft?",
        ),
        ("我们买了房子", "我们昨天买了房子", "什么时候买了房子？"),
    ],
)
def test_what_says_when_comes_first_for_a_question_that_asks_it(
    acme: Team, plain: str, timed: str, question: str
) -> None:
    tell(acme, plain, key="one")
    tell(acme, timed, key="two")

    best = ask(acme, question)[0]

    assert best.text == timed
    assert best.parts["time"]["raw"] == 1.0


@pytest.mark.django_db
def test_a_question_without_time_has_no_part_for_it(acme: Team) -> None:
    tell(acme, "We went sailing last week.")

    assert {"time", "date"}.isdisjoint(ask(acme, "Who went sailing?")[0].parts)

"""Plans to move that have come true, once the speaker tells where they live."""

from datetime import timedelta

import pytest

from memories.models import Memory
from tests.conftest import Team
from tests.memories.conftest import SAID, hear, live

MONTHS = timedelta(days=150)


@pytest.mark.parametrize(
    ("plan", "home"),
    [
        ("We're moving to Galway on 1 July", "We live in Salthill now, two streets from the beach"),
        ("Ich zieh am 3. Juni nach Passau", "Ich wohne seit Juni in Hacklberg, zweiter Stock"),
        (
            "Wir haben beschlossen, im Juli nach Malaga zu ziehen",
            "Vivimos en Pedregalejo, encima de una panadería",
        ),
        ("Nos mudamos a Gijón el 2 de julio", "Vivimos en Cimavilla, en un tercero sin ascensor"),
        ("Wir ziehen nach Gent", "Greetings from Ghent! We live in a narrow house on the Coupure"),
    ],
)
def test_a_move_is_planned_no_more_once_they_live_there(scope: Team, plan: str, home: str) -> None:
    hear(scope, plan)

    hear(scope, home, at=SAID + MONTHS, thorough=True)

    values = [one.value for one in live(scope)]
    assert not any(word in value for value in values for word in ("moving", "zieh", "mudamos"))
    assert Memory.objects.for_tenant(scope.tenant).filter(status="superseded").exists()


@pytest.mark.parametrize(
    ("plan", "home", "after"),
    [
        ("We're moving to Galway on 1 July", "I live in a tiny flat in Cork", timedelta(days=20)),
        ("Ich zieh am 3. Juni nach Passau", "Meine Schwester wohnt jetzt in Regen", MONTHS),
        ("Wir ziehen nach Gent", "Ich wohne noch in der Hundestraße", timedelta(days=20)),
    ],
)
def test_before_its_day_or_for_others_it_still_is(
    scope: Team, plan: str, home: str, after: timedelta
) -> None:
    hear(scope, plan)

    hear(scope, home, at=SAID + after, thorough=True)

    assert any("moving" in one.value or "zieh" in one.value for one in live(scope))


def test_who_was_in_hospital_is_there_no_more_by_another_word_for_them(scope: Team) -> None:
    (ward,) = hear(scope, "Brigittes Mutter liegt seit zwei Wochen im Krankenhaus, mit gebrochener Hüfte.")

    hear(
        scope,
        "meine Schwiegermutter ist wieder zu Hause und schimpft",
        at=SAID + timedelta(days=40),
        thorough=True,
    )

    ward.refresh_from_db()
    assert ward.status == "superseded"


def test_a_course_puts_no_job_out_of_its_place(scope: Team) -> None:
    (job,) = hear(scope, "My wife Renate is a vet.")

    hear(
        scope, "Renate is doing an evening class in pottery now", at=SAID + timedelta(days=40), thorough=True
    )

    job.refresh_from_db()
    assert job.status == "active"


def test_where_both_live_is_told_of_the_speaker(scope: Team) -> None:
    hear(scope, "My girlfriend Anouk is a welder.")

    (home,) = hear(
        scope, "me n anouk got a flat on mill lane, moved in friday", at=SAID + MONTHS, thorough=True
    )

    assert "Anouk got a flat" in home.value
    assert not home.namespace.startswith("entity")
    assert scope.person.location != "Friday"

"""Facts that people tell: kept in their own words, changed, ended and told again, in any words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memories.learning.relation_effects import ReadMessage, apply_relations_later, without_own
from memories.learning.relations import relate
from memories.models import Memory, Observation
from memories.storing.edit import pin_memory
from nebo.reading.meaning.reader import read_text
from tests.conftest import Team
from tests.memories.conftest import AGENT, JOB, SAID, hear, hear_message, live, remember, say

pytestmark = pytest.mark.django_db


def values(team: Team) -> list[str]:
    return [memory.value for memory in live(team)]


def test_a_fact_is_the_persons_own_sentence_with_its_subject_named(scope: Team) -> None:
    text = "btw I've been allergic to penicillin since I was a kid."

    (memory,) = hear(scope, text, speaker="Lena")

    seen = Observation.unscoped.get(memory=memory)
    assert memory.value == "Lena has been allergic to penicillin since they were a kid."
    assert (memory.source, memory.trust, memory.status) == ("signal", "user", "active")
    assert seen.message.content[seen.quote_start : seen.quote_end] == seen.quote == text
    assert memory.importance == 3


@pytest.mark.parametrize(
    ("text", "column", "value"),
    [
        ("My name is Caroline.", "display_name", "Caroline"),
        ("I live in Leeds with my two cats.", "location", "Leeds"),
        ("Ich wohne seit 2019 mit meiner Frau in Bremen.", "location", "Bremen"),
        ("My timezone is Europe/Berlin.", "timezone", "Europe/Berlin"),
    ],
)
def test_what_the_profile_has_a_column_for_stands_there_too(
    scope: Team, text: str, column: str, value: str
) -> None:
    hear(scope, text)

    scope.person.refresh_from_db()
    assert getattr(scope.person, column) == value


@pytest.mark.parametrize(
    "text",
    [
        "Can you help me write a cover letter for a nursing job?",
        "I'm so hungry right now.",
        "If I lived in Oslo I'd ski every day.",
        "My boss said she grew up in Peru, or was it Chile?",
        "what a lovely sunny morning",
        "and then we just",
        "Wow, that's amazing, congrats!",
        "Tengo hambre.",
        "Ich steh grad im Stau.",
        "The function returns None although the list isn't empty.",
    ],
)
def test_what_passes_is_asked_or_is_supposed_is_not_kept(scope: Team, text: str) -> None:
    hear(scope, text)

    assert values(scope) == []


def test_a_relative_is_named_and_has_a_card(scope: Team) -> None:
    (memory,) = hear(scope, "My sister Hannah works as a midwife in Ghent.", speaker="Lena")

    assert memory.value == "Lena's sister Hannah works as a midwife in Ghent."
    assert memory.entity_refs == ["person:hannah"]
    assert memory.type == "people"


@pytest.mark.parametrize(
    ("text", "ref"),
    [
        ("I lead the Gannet redesign at work.", "project:gannet"),
        ("We're building an app called Mosslight.", "project:mosslight"),
    ],
)
def test_a_project_is_named_and_has_a_card(scope: Team, text: str, ref: str) -> None:
    hear(scope, text)

    (memory,) = live(scope)
    assert (memory.type, memory.entity_refs, memory.importance) == ("project", [ref], 2)
    assert memory.memory_key == f"project|project|{ref.partition(':')[2]}|fact"


def test_what_follows_the_name_of_a_project_is_the_projects(scope: Team) -> None:
    hear(scope, "An app for gardeners called Mosslight. We launch on 3 April.")

    memory = next(one for one in live(scope) if "3 April" in one.value)
    assert memory.value == "Mosslight: We launch on 3 April."
    assert memory.entity_refs == ["project:mosslight"]


def test_a_project_told_of_before_is_known_by_its_name(scope: Team) -> None:
    hear(
        scope,
        "They gave me a project: Harrow, a site for a bakery. Deadline is 2 May, the client is Mrs Okafor.",
    )

    hear(scope, "Harrow's deadline moved, it's 20 May now", at=SAID + timedelta(days=9), thorough=True)

    assert not [value for value in values(scope) if "2 May" in value]
    assert "Harrow: The client is Mrs Okafor." in values(scope)
    assert live(scope)[-1].entity_refs == ["project:harrow"]


def test_who_is_told_of_again_has_one_card(scope: Team) -> None:
    hear(scope, "Rasmus is our accountant and does the payroll.")

    hear(scope, "Rasmus has left, Yetunde is our accountant now.", at=SAID + timedelta(days=9))

    memory = next(one for one in live(scope) if "Yetunde" in one.value)
    assert "person:yetunde" in memory.entity_refs


def test_news_of_somebody_by_name_takes_the_place_of_what_they_were(scope: Team) -> None:
    hear(scope, "meine Frau Silke ist Lehrerin, wir haben drei Kinder")

    hear(scope, "Silke ist jetzt Konrektorin, mega", at=SAID + timedelta(days=9), thorough=True)

    assert not [value for value in values(scope) if "Lehrerin" in value]
    assert [value for value in values(scope) if "Konrektorin" in value]
    assert [value for value in values(scope) if "drei Kinder" in value]


def test_what_is_off_ends_what_was_planned_and_is_kept_by_nobody(scope: Team) -> None:
    hear(scope, "I'm training for the Mumbai half marathon in January")

    hear(scope, "so the half marathon is off", at=SAID + timedelta(days=9), thorough=True)

    assert values(scope) == []


def test_a_move_takes_the_place_of_the_home_before(scope: Team) -> None:
    hear(scope, "I live in Leeds with my two cats.")

    hear(scope, "I moved to Porto in April, I live there now.", at=SAID + timedelta(days=9), thorough=True)

    (memory,) = live(scope)
    scope.person.refresh_from_db()
    assert "Porto" in memory.value
    assert scope.person.location == "Porto"


def test_a_concert_told_in_another_language_has_its_new_day_among_much_else(scope: Team) -> None:
    hear(scope, "We're playing on 20 May at Loco Club.")
    for text in ("Mi novia se llama Aitana.", "El grupo se llama Marea Baja.", "Mi hermana vive en Ruzafa."):
        hear(scope, text)
    hear(scope, "Nos mudamos el 15 de mayo a un piso en Benimaclet.")

    hear(scope, "El concierto se ha pasado al 27 de mayo.", at=SAID + timedelta(days=9), thorough=True)

    assert not [value for value in values(scope) if "20 May" in value]
    assert [value for value in values(scope) if "15 de mayo" in value]
    assert [value for value in values(scope) if "27 de mayo" in value]


def test_what_only_says_that_a_thing_is_done_is_no_fact(scope: Team) -> None:
    now = datetime.now(UTC)
    hear(scope, "Ich muss noch Nachthemden kaufen", at=now)

    hear(scope, "Nachthemden hat mir Werner dann gekauft", at=now)

    assert values(scope) == []


def test_an_appointment_that_is_put_off_has_its_new_day(scope: Team) -> None:
    hear(scope, "I have a cat called Minka.")
    hear(scope, "Our dog Biscuit is seeing the vet on Tuesday.")

    hear(scope, "vet moved biscuit to thursday", at=SAID + timedelta(hours=2))

    assert sorted(values(scope)) == [
        "The user has a cat called Minka.",
        "The user's dog Biscuit is seeing the vet on Thursday.",
    ]


@pytest.mark.parametrize(
    ("known", "left"),
    [
        ("Comparte piso con Amaya", "Ya no comparto piso con Amaya, se ha ido a Gijón."),
        ("Shares a flat with Amaya", "Amaya's gone to Gijon for good, sadly."),
    ],
)
def test_where_somebody_went_is_no_other_name_for_them(scope: Team, known: str, left: str) -> None:
    remember(scope, known, key="home", layer="tacit", namespace="facts")

    hear(scope, left)

    assert not any("con Gijón" in value or "with Gijon" in value for value in values(scope))


def test_what_somebody_gave_up_holds_no_longer(scope: Team) -> None:
    (job,) = hear(scope, "I work as a nurse at St Mary's hospital.")

    hear(scope, "I quit my job at the hospital last week.", at=SAID + timedelta(days=90))

    job.refresh_from_db()
    assert job.status == "superseded"
    assert job.valid_to == SAID + timedelta(days=90)


def test_one_thing_more_takes_nothing_s_place(scope: Team) -> None:
    hear(scope, "I have a dog called Rex.")

    hear(scope, "We also have a cat called Minka.", at=SAID + timedelta(days=9), thorough=True)

    assert len(live(scope)) == 2


def test_the_same_in_other_words_is_one_memory_seen_twice(scope: Team) -> None:
    (first,) = hear(scope, "I'm allergic to peanuts.")

    hear(scope, "Peanuts are off limits for me, I'm allergic.", at=SAID + timedelta(days=9), thorough=True)

    first.refresh_from_db()
    assert [memory.pk for memory in live(scope)] == [first.pk]
    assert first.reinforced_count == 2


def test_what_a_person_pinned_is_never_closed_by_talk(scope: Team) -> None:
    (job,) = hear(scope, "I work as a nurse at St Mary's hospital.")
    pin_memory(tenant=scope.tenant, memory=job, actor=AGENT)

    hear(scope, "I quit my job at the hospital last week.", at=SAID + timedelta(days=90))

    job.refresh_from_db()
    assert job.status == "active"


def test_what_was_said_before_closes_nothing_that_was_told_later(scope: Team) -> None:
    hear(scope, "I live in Porto now.", at=SAID + timedelta(days=300))

    hear(scope, "I live in Leeds with my two cats.", at=SAID, thorough=True)

    assert any("Porto" in value for value in values(scope))


def test_settling_once_more_changes_nothing(scope: Team) -> None:
    hear(scope, "I'm allergic to peanuts.")
    text = "Peanuts are off limits for me, I'm allergic."
    hear(scope, text, at=SAID + timedelta(days=9), thorough=True)
    before = list(Memory.unscoped.values_list("pk", "version"))
    message_id = Observation.unscoped.filter(quote=text).first().message_id
    (understood,) = relate(
        tenant=scope.tenant,
        person_id=scope.person.pk,
        persona_id=None,
        readings=[read_text(text)],
        thorough=True,
    )

    closed = apply_relations_later(
        tenant=scope.tenant,
        person=scope.person,
        messages=[ReadMessage(message_id, SAID + timedelta(days=9), understood)],
        actor=JOB,
    )

    assert closed == 0
    assert list(Memory.unscoped.values_list("pk", "version")) == before


def test_a_second_one_is_never_taken_for_the_first_changed(scope: Team) -> None:
    (rex,) = hear(scope, "I have a dog called Rex.")

    hear(scope, "I have another dog now, his name is Bo.", at=SAID + timedelta(days=9), thorough=True)

    rex.refresh_from_db()
    assert rex.status == "active"


@pytest.mark.parametrize(
    ("text", "ref"),
    [
        ("Ich baue gerade ein Projekt namens Windmühle.", "project:windmühle"),
        ("Ich arbeite gerade an einem Podcast namens Nachtfalter.", "project:nachtfalter"),
    ],
)
def test_a_project_that_is_named_is_kept_though_little_is_told_of_it(
    scope: Team, text: str, ref: str
) -> None:
    (memory,) = hear(scope, text)

    assert memory.entity_refs == [ref]


def test_a_short_correction_is_set_into_the_fact_and_rests_on_both(scope: Team) -> None:
    hear(scope, "The Larkspur deadline is 5 December, big release.")

    hear(scope, "no sorry, 12 December, they moved it", at=SAID + timedelta(minutes=2), thorough=True)

    (memory,) = live(scope)
    assert memory.value == "The Larkspur deadline is 12 December, big release."
    assert Observation.unscoped.filter(memory=memory).count() == 2


def test_another_age_is_set_into_the_fact_that_tells_more(scope: Team) -> None:
    hear(scope, "My wife Tamsin has twins, Edie and Rufus, they turned 4 last week.")
    assert any("4" in value for value in values(scope))

    hear(
        scope,
        "edie and rufus are 5 actually, where does the time go",
        at=SAID + timedelta(days=9),
        thorough=True,
    )

    assert not any("4" in value for value in values(scope))
    assert any("Edie and Rufus" in value and "5" in value for value in values(scope))


def test_what_is_only_remarked_on_a_job_goes_with_it(scope: Team) -> None:
    hear(scope, "I run the night shift at a bakery in Leith, so if I'm grumpy that's why.")

    hear(
        scope,
        "I've told the bakery I'm done at the end of August.",
        at=SAID + timedelta(days=90),
        thorough=True,
    )

    assert not any("night shift" in value for value in values(scope))


def test_what_one_message_says_closes_nothing_that_it_says_itself(scope: Team) -> None:
    (message,) = say(scope, "Hallo, ich bin Hanne, 46, Buchbinderin aus Lübeck")
    hear_message(scope, message)

    (read,) = relate(
        tenant=scope.tenant,
        person_id=scope.person.pk,
        persona_id=None,
        readings=[read_text(message.content)],
        thorough=True,
    )
    own = without_own(tenant=scope.tenant, understood={message.pk: read})
    said = [ReadMessage(message.pk, SAID, own[message.pk])]
    apply_relations_later(tenant=scope.tenant, person=scope.person, messages=said, actor=JOB)

    assert sorted(values(scope)) == [
        "Hanne: Ich bin 46.",
        "Hanne: Ich bin Buchbinderin.",
        "Hanne: Ich bin aus Lübeck.",
        "Ich bin Hanne.",
    ]


def test_what_changes_of_a_fact_that_says_two_things_takes_neither_along(scope: Team) -> None:
    hear(scope, "Ellis has asthma, the blue inhaler has to be in his school bag, always.")

    hear(
        scope,
        "Ellis's new inhaler is purple, the blue one is for emergencies now.",
        at=SAID + timedelta(days=9),
        thorough=True,
    )

    assert any("asthma" in value for value in values(scope))
    assert any("purple" in value for value in values(scope))


def test_who_is_known_is_known_in_small_letters_too(scope: Team) -> None:
    hear(scope, "i run a little bike repair shop in Ghent with my brother Wim")

    text = "small update, wim left the shop, hes a train driver now"
    hear(scope, text, at=SAID + timedelta(days=9), thorough=True)

    assert [value for value in values(scope) if "train driver" in value]


def test_a_day_put_right_of_what_an_agent_stored_waits_for_nobody(scope: Team) -> None:
    remember(scope, "The launch of Osprey is on 3 May")

    hear(scope, "osprey slipped, launch is 9 June now", at=SAID + timedelta(days=3_000))

    assert values(scope) == ["The launch of Osprey is on 9 June"]

"""What a person asks to have forgotten, in their own words and language, through the reader that ships."""

from __future__ import annotations

import pytest

from memories.forgetting.requests import ForgetIntent, confirm_forgetting, forget, keep_all, list_requests
from memories.models import ForgetRequest, Memory, Todo
from memories.storing.edit import pin_memory
from memories.todos.store import NewTodo, store_todo
from nebo.errors import Conflict, InvalidInput
from nebo.reading.words.naming import named_words
from personality.models import Persona
from tests.conftest import Team
from tests.memories.conftest import AGENT, hear, remember, say

pytestmark = pytest.mark.django_db


def know(team: Team, *values: str) -> None:
    for number, value in enumerate(values):
        remember(team, value, key=f"known-{number}")


def statuses(team: Team) -> dict[str, str]:
    return dict(Memory.objects.for_tenant(team.tenant).values_list("value", "status"))


def gone(team: Team) -> list[str]:
    return [value for value, status in statuses(team).items() if status == "deleted"]


def asked_about(team: Team) -> list[set[str]]:
    """What each open request names."""
    rows = ForgetRequest.objects.for_tenant(team.tenant).filter(status="open")
    values = dict(Memory.objects.for_tenant(team.tenant).values_list("pk", "value"))
    return [{values[pk] for pk in row.memory_ids} for row in rows]


# What is known, of which the first is meant; and what is said.
CLEAR = [
    (("Owes 4,000 euros to the bank", "Owns a red canoe"), "Delete what I told you about the bank."),
    (
        ("Lena: Ich spiele Tennis im Verein.", "Lena: Ich singe im Chor."),
        "Lösch bitte aus deinem Gedächtnis, was ich über Tennis gesagt habe.",
    ),
    (("Lena: Ich habe Angst vor Gänsen.", "Lena: Ich spiele Harfe."), "Vergiss bitte, dass ich Angst vor Gänsen habe."),
    (("Lena: Trabajo en una panadería.", "Lena: Vivo en Salamanca."), "borra lo de la panadería"),
    (("Lena: J'ai deux enfants, Léo et Mina.", "Lena: Je joue du violon."), "efface ce que tu sais sur mes enfants"),
    (("Lena: Il mio cane si chiama Argo.", "Lena: Sono vegana."), "cancella quello che sai del mio cane"),
    (
        ("Lena and her brother Iker had an argument about the barn", "Owns a red canoe"),
        "please forget the argument with Iker, we sorted it out",
    ),
]  # fmt: skip
# The same, with something before the order, and a reason behind it.
LED_AND_REASONED = [
    (
        ("Wout is getting divorced.", "Owns a red canoe"),
        "oh and forget that Wout is getting divorced, he told me in confidence",
    ),
    (
        ("Failed the driving test", "Owns a red canoe"),
        "oh and forget that I failed my driving test, it's embarrassing",
    ),
    (
        ("Has a gambling problem", "Owns a red canoe"),
        "anyway, scrap what I said about the gambling, that was private",
    ),
    (
        ("Jana ist schwanger.", "Ich spiele Harfe."),
        "ach und vergiss bitte, dass Jana schwanger ist, das weiß noch keiner",
    ),
    (
        ("Ich habe einen Tinnitus.", "Ich spiele Harfe."),
        "ach ja, und streich das mit dem Tinnitus, ist mir peinlich",
    ),
    (("Tengo una deuda con el banco.", "Vivo en Salamanca."), "ah, y olvida lo de la deuda, me da vergüenza"),
    (
        ("Marta está embarazada.", "Vivo en Salamanca."),
        "por cierto, borra que Marta está embarazada, me lo contó en secreto",
    ),
    (("Luc divorce.", "Je joue du violon."), "ah et oublie que Luc divorce, il me l'a dit en confidence"),
    (
        ("J'ai des dettes.", "Je joue du violon."),
        "au fait, efface ce que j'ai dit sur mes dettes, ça ne regarde personne",
    ),
    (("Sara è incinta.", "Sono vegana."), "ah, e dimentica che Sara è incinta, me l'ha detto in segreto"),
    (("Ho dei debiti.", "Sono vegana."), "a proposito, cancella quello che ho detto dei debiti, mi vergogno"),
]
# Sentences of their own, of which the first is meant; then what names it in passing and asks to strike "that".
SAID_BEFORE = [
    (
        ("Ich habe Schulden bei der Sparkasse.", "Ich spiele Harfe."),
        "das mit den Schulden hättest du besser nicht gehört, streich das",
    ),
    (
        ("I have debts at the credit union.", "I own a red canoe."),
        "you'd better not have heard the thing about my debts, strike that",
    ),
    (
        ("Tengo deudas con el banco.", "Vivo en Salamanca."),
        "lo de las deudas no deberías haberlo oído, bórralo",
    ),
    (
        ("J'ai des dettes à la banque.", "Je joue du violon."),
        "l'histoire des dettes, tu n'aurais pas dû l'entendre, efface ça",
    ),
    (
        ("Ho dei debiti con la banca.", "Suono il violino."),
        "la cosa dei debiti non avresti dovuto sentirla, cancellala",
    ),
]
# What is known, of which nothing is meant.
NEAR_MISSES = [
    (("Lena's brother's phone number is 0171 4456",), "Delete my sister's phone number."),
    (("Lena: Meine Mutter nimmt Blutdrucktabletten.",), "lösch, dass mein Chef Tabletten nimmt"),
    (("Lena: Mi hermano vive en Burgos.",), "borra la dirección de mi jefa"),
    (("Lena: Le chien de ma voisine s'appelle Pixel.",), "efface le nom de mon chat"),
    (("Lena: La targa della mia moto è AB 123.",), "cancella la targa del furgone"),
]
IDLE = [
    "oh and he forgot that we had a cello lesson, he was furious",
    "oh and don't forget that I play the cello, it matters",
    "I always forget that I have a cello lesson, it's embarrassing",
    "oh, forget the cello case, it's sunny",
    "ach, und vergiss nicht, dass ich Cello spiele, das ist wichtig",
    "ach und ich hab den Cellokasten vergessen, peinlich",
    "ah, y no olvides que toco el cello, es importante",
    "y se me olvidó el cello, qué vergüenza",
    "et n'oublie pas que je joue du cello, c'est important",
    "ah, e ho dimenticato il cello, che vergogna",
    "he said forget that I ever played the cello, it was weird",
    "I always forget my keys, it's so annoying.",
    "My teacher used to say that we should forget the past.",
    "I deleted the cello column from the spreadsheet yesterday.",
    "Vergiss es, nicht so wichtig.",
    "No te olvides de comprar cuerdas para el cello.",
]


@pytest.mark.parametrize("learned", [True, False])
@pytest.mark.parametrize(("told", "said"), SAID_BEFORE)
def test_a_request_that_points_to_what_was_said_before_never_means_itself(
    scope: Team, told: tuple[str, ...], said: str, learned: bool
) -> None:
    if learned:
        for one in told:
            hear(scope, one)
    else:
        say(scope, *told)

    hear(scope, said, thorough=True)

    forgotten = [value for value in gone(scope) if named_words(told[0]) & named_words(value)]
    assert len(forgotten) == 1 and forgotten == gone(scope)
    assert not any(named_words("streich strike") & named_words(value) for value in statuses(scope))


def test_what_was_said_a_moment_ago_is_forgotten_by_the_word_that_is_named(scope: Team) -> None:
    said = (
        "can I tell you something, I had a bit too much at the staff do and shouted at my boss, I'm mortified"
    )
    hear(scope, said)

    hear(scope, "no, scrap that, forget the whole thing about the staff do please", thorough=True)

    assert ["staff do" in value for value in gone(scope)] == [True]
    assert "active" not in statuses(scope).values()


def test_a_request_that_names_what_nobody_said_forgets_neither_itself_nor_an_earlier_one(scope: Team) -> None:
    say(scope, "das mit den Schulden hättest du besser nicht gehört, streich das")

    hear(
        scope,
        "das mit den Schulden hättest du wirklich besser nicht gehört, streich das bitte",
        thorough=True,
    )

    assert statuses(scope) == {}


@pytest.mark.parametrize(("known", "said"), [*CLEAR, *LED_AND_REASONED])
def test_what_is_clearly_meant_goes_to_the_trash_and_nothing_else(
    scope: Team, known: tuple[str, ...], said: str
) -> None:
    know(scope, *known)

    changed = hear(scope, said)

    assert gone(scope) == [known[0]]
    assert known[0] in [memory.value for memory in changed]
    assert asked_about(scope) == []


@pytest.mark.parametrize(("known", "said"), NEAR_MISSES)
def test_a_near_miss_stays(scope: Team, known: tuple[str, ...], said: str) -> None:
    know(scope, *known)

    hear(scope, said)

    assert gone(scope) == []


@pytest.mark.parametrize("said", IDLE)
def test_talk_of_forgetting_asks_nothing(scope: Team, said: str) -> None:
    know(scope, "Plays the cello", "Keeps a spare key at the office")

    hear(scope, said)

    assert gone(scope) == []
    assert asked_about(scope) == []


def test_what_could_be_several_is_asked_about_and_named(scope: Team) -> None:
    know(scope, "Has a dog called Rex", "Has a dog called Ida", "Collects stamps")

    hear(scope, "Delete what you know about my dog.")

    assert gone(scope) == []
    assert asked_about(scope) == [{"Has a dog called Rex", "Has a dog called Ida"}]
    assert "2 memories" in Todo.unscoped.get().text


def test_everything_about_something_is_asked_about_as_far_as_it_may_go(scope: Team) -> None:
    know(scope, "Has two kids, Finn and Lotte", "Lotte, their daughter, plays the violin", "Collects stamps")

    hear(scope, "Erase everything about my kids.")

    (named,) = asked_about(scope)
    assert gone(scope) == []
    assert {"Has two kids, Finn and Lotte", "Lotte, their daughter, plays the violin"} <= named


def test_what_is_confirmed_is_forgotten_and_nothing_else(scope: Team) -> None:
    know(scope, "Has a dog called Rex", "Has a dog called Ida", "Collects stamps")
    hear(scope, "Delete what you know about my dog.")
    (asked,) = list_requests(tenant=scope.tenant, person_id=scope.person.pk)
    rex = Memory.objects.for_tenant(scope.tenant).get(value="Has a dog called Rex")

    confirm_forgetting(tenant=scope.tenant, request=asked, actor=AGENT, memory_ids=[rex.pk])

    asked.refresh_from_db()
    assert gone(scope) == ["Has a dog called Rex"]
    assert (asked.status, asked.forgotten_ids) == ("forgotten", [rex.pk])
    assert Todo.unscoped.get().status == "done"


def test_a_memory_the_request_does_not_name_is_not_forgotten_by_it(scope: Team) -> None:
    know(scope, "Has a dog called Rex", "Has a dog called Ida", "Collects stamps")
    hear(scope, "Delete what you know about my dog.")
    (asked,) = list_requests(tenant=scope.tenant, person_id=scope.person.pk)
    stamps = Memory.objects.for_tenant(scope.tenant).get(value="Collects stamps")

    with pytest.raises(InvalidInput):
        confirm_forgetting(tenant=scope.tenant, request=asked, actor=AGENT, memory_ids=[stamps.pk])

    assert gone(scope) == []


def test_what_is_kept_is_decided_once(scope: Team) -> None:
    know(scope, "Has a dog called Rex", "Has a dog called Ida")
    hear(scope, "Delete what you know about my dog.")
    (asked,) = list_requests(tenant=scope.tenant, person_id=scope.person.pk)

    keep_all(tenant=scope.tenant, request=asked, actor=AGENT)

    assert gone(scope) == []
    with pytest.raises(Conflict):
        confirm_forgetting(tenant=scope.tenant, request=asked, actor=AGENT)


def test_a_request_that_names_nothing_known_does_nothing(scope: Team) -> None:
    know(scope, "Collects stamps")

    hear(scope, "Delete what you know about my divorce.")

    assert gone(scope) == []
    assert {"Collects stamps"} not in asked_about(scope)


@pytest.mark.parametrize(
    "said",
    [
        "I have had trouble with my knee since 2019, but please don't store that in your memory.",
        "Ich hab seit Jahren Probleme mit dem Knie, aber lösch das bitte wieder aus deinem Gedächtnis.",
    ],
)
def test_that_means_what_was_said_in_the_same_breath(scope: Team, said: str) -> None:
    know(scope, "Plays the cello")

    hear(scope, said)

    assert len(gone(scope)) == 1
    assert [value for value, status in statuses(scope).items() if status == "active"] == ["Plays the cello"]


def test_that_means_what_the_message_before_said(scope: Team) -> None:
    know(scope, "Plays the cello")
    hear(scope, "My brother has been drinking too much since his divorce.")

    hear(scope, "Please don't store that in your memory.")

    assert ["divorce" in value for value in gone(scope)] == [True]
    assert statuses(scope)["Plays the cello"] == "active"


def test_that_never_reaches_behind_a_message_that_told_nothing(scope: Team) -> None:
    hear(scope, "My brother has been drinking too much since his divorce.")
    hear(scope, "What's the weather like?")

    hear(scope, "Please don't store that in your memory.")

    assert gone(scope) == []


def test_what_was_known_before_it_was_said_again_is_asked_about(scope: Team) -> None:
    hear(scope, "My brother has been drinking too much since his divorce.")
    hear(scope, "My brother has been drinking too much since his divorce.")

    hear(scope, "Please don't store that in your memory.")

    assert gone(scope) == []
    assert len(asked_about(scope)) == 1


def test_a_fact_told_beside_a_request_is_kept_and_the_request_is_not(scope: Team) -> None:
    know(scope, "Plays tennis in a club")

    hear(scope, "I have played the cello since I was nine, but delete what I said about tennis.")

    assert gone(scope) == ["Plays tennis in a club"]
    kept = [value for value, status in statuses(scope).items() if status == "active"]
    assert ["cello" in value and "tennis" not in value for value in kept] == [True]


def test_what_is_pinned_waits_for_a_decision(scope: Team) -> None:
    memory = remember(scope, "Plays tennis in a club", key="tennis").memory
    pin_memory(tenant=scope.tenant, memory=memory, actor=AGENT)

    hear(scope, "Delete what I said about tennis.")

    assert gone(scope) == []
    assert asked_about(scope) == [{"Plays tennis in a club"}]


def test_an_open_todo_that_is_meant_is_dropped(scope: Team) -> None:
    todo = store_todo(
        tenant=scope.tenant, person=scope.person, new=NewTodo(text="Sell the canoe"), actor=AGENT
    )
    know(scope, "Plays the cello")
    assert todo is not None

    hear(scope, "Delete the reminder about selling the canoe from your notes.")

    todo.refresh_from_db()
    assert todo.status == "dropped"
    assert gone(scope) == []


def test_what_another_persona_alone_was_told_is_not_found(scope: Team) -> None:
    coach = Persona.objects.for_tenant(scope.tenant).create(slug="coach", name="Coach")
    remember(scope, "Plays tennis in a club", key="tennis", persona_id=coach.pk)

    hear(scope, "Delete what I said about tennis.")

    assert gone(scope) == []
    assert asked_about(scope) == []


def test_a_todo_that_could_be_meant_is_asked_about_by_name_and_dropped_when_confirmed(scope: Team) -> None:
    know(scope, "Has an appointment with the dentist every spring")
    todo = store_todo(
        tenant=scope.tenant, person=scope.person, new=NewTodo(text="Call the dentist"), actor=AGENT
    )

    asked = ForgetIntent(what="Forget the dentist.", memory_ids=[], todos=[todo] if todo else [])
    forget(tenant=scope.tenant, person=scope.person, asked=asked, actor=AGENT)
    (request,) = list_requests(tenant=scope.tenant, person_id=scope.person.pk)
    confirm_forgetting(
        tenant=scope.tenant, request=request, actor=AGENT, memory_ids=[], todo_ids=request.todo_ids
    )

    assert todo is not None
    assert request.todo_ids == [todo.pk]
    assert Todo.objects.for_tenant(scope.tenant).get(pk=todo.pk).status == "dropped"
    assert gone(scope) == []


def test_that_is_what_was_said_right_before_and_not_what_its_reason_names(scope: Team) -> None:
    know(scope, "Lorna told a joke about confidence")

    hear(scope, "My boss Lorna has money problems. Please forget that, Lorna told me in confidence.")

    assert ["money" in value for value in gone(scope)] == [True]
    assert statuses(scope)["Lorna told a joke about confidence"] == "active"
    assert asked_about(scope) == []


@pytest.mark.parametrize(
    "said",
    [
        "Neville's had a letter about his prostate, he's beside himself, so please don't hold on to that.",
        "Neville's had a letter about his prostate. Please don't keep that.",
    ],
)
def test_what_the_same_message_said_is_withheld_though_nothing_was_learned_from_it(
    scope: Team, said: str
) -> None:
    hear(scope, said)

    assert any("prostate" in value for value in gone(scope))


def test_what_was_asked_for_is_not_withheld_where_it_is_asked_otherwise(scope: Team) -> None:
    hear(scope, "I'd like four verses about the sea. No, forget that, make it six.")

    assert gone(scope) == []

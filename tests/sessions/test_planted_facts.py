"""A long conversation of chatter with facts among it, read without a chat model: a question finds each of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Any

import pytest

from memories.models import Memory
from nebo.jobs.models import Job
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import operator_scope, tenant_scope
from search.embeddings import vectors
from search.embeddings.registry import get_embedder
from sessions.models import Compaction
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.sessions.conftest import Call, caller

TURNS = 190
BEGUN = datetime(2025, 3, 3, 9, 0, tzinfo=UTC)
LIMIT = 1_000  # tokens, so that the session is folded several times
SEED = 7


@dataclass(frozen=True)
class Planted:
    """A fact as the person tells it, each time in one of these ways, and what somebody asks later."""

    told: tuple[str, ...]
    question: str
    answer: str


@dataclass(frozen=True)
class Corrected:
    """What holds no more, what holds now, and the question for it."""

    first: str
    later: str
    question: str
    old: str
    new: str


PLANTED = (
    Planted(
        ("I work as a marine biologist.",),
        "What does she do for a living?",
        "marine biologist",
    ),
    Planted(
        ("My sister Ingrid lives in Tromsø.", "As I told you, my sister Ingrid lives in Tromsø."),
        "Where does Ingrid live?",
        "Tromsø",
    ),
    Planted(
        ("I'm allergic to walnuts, badly.", "Remember that I'm allergic to walnuts."),
        "Which food must be avoided because of an allergy?",
        "walnuts",
    ),
    Planted(
        ("My dog is called Biscuit.", "My dog Biscuit is a beagle."),
        "What is the name of the dog?",
        "Biscuit",
    ),
    Planted(("I'm learning Portuguese at the moment.",), "Which language is being learned?", "Portuguese"),
    Planted(("My birthday is on 14 November.",), "When is her birthday?", "14 November"),
    Planted(
        ("I prefer tea over coffee.", "I prefer tea over coffee, always have."),
        "Tea or coffee: what should I offer?",
        "tea over coffee",
    ),
    Planted(("I can't stand cilantro.",), "Is there a herb she hates, like cilantro?", "cilantro"),
    Planted(("My favourite composer is Arvo Pärt.",), "Who is her favorite composer?", "Arvo Pärt"),
    Planted(
        ("I swim two kilometers every Tuesday.", "I swim two kilometers every Tuesday."),
        "How far does she swim on Tuesdays?",
        "two kilometers",
    ),
    Planted(
        ("I'm writing a field guide to jellyfish in my free time.",),
        "Which book project is being worked on, about jellyfish?",
        "field guide to jellyfish",
    ),
    Planted(
        ("My husband Tomás is a baker.", "My husband Tomás works as a baker."),
        "What does Tomás do?",
        "baker",
    ),
    Planted(
        ("I have two kids.", "I have two kids, so evenings are short."),
        "How many kids are there?",
        "two kids",
    ),
    Planted(
        ("Please remember that the spare key hangs behind the blue door.",),
        "Where is the spare key?",
        "behind the blue door",
    ),
    Planted(("I was born in Valparaíso.",), "Where was she born?", "Valparaíso"),
    Planted(
        ("I'm vegetarian.", "I'm vegetarian, have been for years."),
        "Does she eat meat or is she vegetarian?",
        "vegetarian",
    ),
    Planted(
        ("I drive an old Škoda from 1998.", "I drive an old Škoda from 1998."),
        "What car does she drive?",
        "Škoda",
    ),
    Planted(
        ("Last Saturday I ran the harbour marathon.",), "Which marathon did she run?", "harbour marathon"
    ),
    Planted(("My daughter Lena plays the cello.",), "Which instrument does Lena play?", "cello"),
    Planted(("My boss Henrike retired last month.",), "Who retired?", "Henrike"),
    Planted(
        ("I have asthma, so no dusty rooms please.", "I have asthma."),
        "Which illness does she have?",
        "asthma",
    ),
    Planted(("I usually go to bed at ten.",), "At what time does she usually go to bed?", "to bed at ten"),
    Planted(
        ("My best friend is Odile.", "My best friend Odile works at the opera."),
        "Who is her best friend?",
        "Odile",
    ),
    Planted(("I collect old sea charts.",), "What does she collect?", "sea charts"),
    Planted(("I'm afraid of thunderstorms.",), "What is she afraid of?", "thunderstorms"),
    Planted(
        ("I play badminton with colleagues on Thursdays.",),
        "Which sport is played with colleagues?",
        "badminton",
    ),
    Planted(("I adopted a one-eyed cat called Nelson in January.",), "What is Nelson?", "cat called Nelson"),
    Planted(("My mother-in-law Pilar is turning 80 in June.",), "How old will Pilar be?", "80"),
    Planted(
        ("My boat is called Seagull.", "Our boat is called Seagull, by the way."),
        "What is the boat called?",
        "Seagull",
    ),
    Planted(("My shoe size is 39.",), "Which shoe size does she have?", "39"),
    Planted(("Our wedding anniversary is on 3 June.",), "When is the wedding anniversary?", "3 June"),
    Planted(
        ("I take the tram number 28 to work.",),
        "How does she get to work, by tram or by bus?",
        "tram number 28",
    ),
    Planted(("My parents live in Graz.",), "Where do her parents live?", "Graz"),
    Planted(
        ("I had a root canal at the dentist on 12 February.",),
        "When was she at the dentist's?",
        "12 February",
    ),
    Planted(("I am a member of the rowing club.",), "Which club is she a member of?", "rowing club"),
    Planted(("I studied chemistry in Vienna.",), "What did she study in Vienna?", "chemistry"),
    Planted(("My neighbour Rui keeps bees.",), "Who keeps bees?", "Rui"),
    Planted(
        ("I broke my left wrist skiing last winter, it still aches.",),
        "Which bone did she break last winter?",
        "wrist",
    ),
    Planted(
        ("I speak German and a bit of Polish.", "I speak German and a bit of Polish."),
        "Which languages does she speak?",
        "German",
    ),
    Planted(("I haven't smoked since 2019.",), "Since when has she not smoked?", "2019"),
)

CORRECTED = (
    Corrected(
        "I live in Bergen.", "I moved to Lisbon last month.", "Where does she live now?", "Bergen", "Lisbon"
    ),
    Corrected(
        "My favourite colour is green.",
        "my favourite colour is no longer green but orange.",
        "What is her favorite color?",
        "green",
        "orange",
    ),
    Corrected(
        "I work for Norsk Havforskning.",
        "I work for the Instituto do Mar now.",
        "Which employer does she work for?",
        "Norsk Havforskning",
        "Instituto do Mar",
    ),
    Corrected(
        "My phone is a Nokia.",
        "my phone isn't a Nokia anymore, it's a Fairphone.",
        "Which phone does she have?",
        "Nokia",
        "Fairphone",
    ),
    Corrected(
        "I like sushi.",
        "I don't like sushi anymore.",
        "Does she like sushi?",
        "Maren likes sushi",
        "doesn't like sushi",
    ),
    Corrected(
        "My favourite ice cream is vanilla.",
        "my favourite ice cream isn't vanilla anymore, it's pistachio.",
        "Which ice cream is her favourite?",
        "vanilla",
        "pistachio",
    ),
)

ABOUT_THEM = (
    "Hi, I'm Maren. Nice to meet you!",
    "My timezone is Europe/Lisbon.",
    "Please keep your answers short from now on.",
)

THINGS = (
    "the ferry",
    "that recipe",
    "the spreadsheet",
    "the weather radar",
    "the printer",
    "this article",
    "the garden fence",
    "the new tram line",
    "the photo album",
    "the playlist",
)
CHATTER = (
    "Could you explain how {} works again?",
    "Hm, {} looks different from what I expected.",
    "Thanks, that helps a lot with {}.",
    "What do you think about {}?",
    "I read something about {} yesterday, it was long.",
    "Let me think about {} for a moment.",
    "Is there a quick way to fix {}?",
    "Okay, and what about {}?",
    "It rained all day, so {} had to wait.",
    "Somebody said {} would be ready by noon, we will see.",
    "If {} breaks again, I will laugh.",
    "Wow, {} is more complicated than it seems.",
    "Can you compare {} with the older one?",
    "Never mind {}, let's go on.",
    "That was funny, especially the part on {}.",
    "Maybe {} could be simpler?",
    "How long does {} usually take?",
    "I wonder whether {} is worth it.",
)
REPLIES = (
    "Sure. {} mostly depends on the season.",
    "Good question: {} has three parts, and the first matters most.",
    "Glad to help with {}.",
    "I would start with the simplest version of {}.",
    "Here is a short overview of {}, step by step.",
    "That is common with {}; restarting often helps.",
)


def chatter(number: int, dice: random.Random) -> tuple[str, str]:
    """What a person and an assistant say when they say nothing."""
    thing = dice.choice(THINGS)
    said = dice.choice(CHATTER).format(thing)
    return f"{said[:1].upper()}{said[1:]}", dice.choice(REPLIES).format(thing).capitalize()


def script() -> list[tuple[str, str]]:
    """The turns: who they are first, facts and their repetitions spread over the rest, corrections far apart."""
    dice = random.Random(SEED)
    turns = [chatter(number, dice) for number in range(TURNS)]
    for place, said in zip((0, 10, 23), ABOUT_THEM, strict=True):
        turns[place] = (said, turns[place][1])
    free = list(range(26, 162))
    told = list(chain.from_iterable(fact.told for fact in PLANTED))
    dice.shuffle(told)
    for place, said in zip(dice.sample(free, len(told)), told, strict=True):
        turns[place] = (f"{said} {turns[place][0]}" if place % 3 else said, turns[place][1])
    for number, fact in enumerate(CORRECTED):
        turns[3 + 2 * number] = (fact.first, turns[3 + 2 * number][1])
        turns[165 + 3 * number] = (f"By the way, {fact.later}", turns[165 + 3 * number][1])
    return turns


def talk(call: Call, team: Team, session_id: str, turns: Sequence[tuple[str, str]]) -> None:
    """Say it all over some days; every few turns the jobs catch up, as they would in the pauses."""
    for number, (said, answered) in enumerate(turns):
        at = (BEGUN + timedelta(hours=number)).isoformat()
        messages = [
            {"role": "user", "content": said, "created_at": at},
            {"role": "assistant", "content": answered, "created_at": at},
        ]
        assert call("POST", f"sessions/{session_id}/turns/", {"messages": messages}).status_code == 201
        if number % 40 == 39:
            catch_up(team)
    while catch_up(team):
        pass


def catch_up(team: Team) -> list[Job]:
    """What a worker would have done by now."""
    kinds = ("extract", "flush", "compact", "directive", "embed")
    return [job for kind in kinds for job in run_jobs(team.tenant, kind=kind)]


def ask(call: Call, question: str, **more: Any) -> list[dict[str, Any]]:
    answer = call("POST", "users/alice/search/", {"query": question, "limit": 10, **more})
    results: list[dict[str, Any]] = answer.json()["results"]
    return results


@pytest.fixture
def told(committed_db: None, acme: Team, monkeypatch: pytest.MonkeyPatch) -> tuple[Call, str]:
    """The whole conversation, told and worked off, with the embedder a new installation has; and its session."""
    embedder = get_embedder("local/all-MiniLM-L6-v2-int8")
    monkeypatch.setattr("search.embeddings.serving.get_embedder", lambda *spec, **more: embedder)
    vectors._recent.clear()
    with operator_scope():
        Tenant.objects.filter(pk=acme.tenant.pk).update(compaction_tokens=LIMIT)
    call = caller(acme)
    session_id = str(call("POST", "sessions/", {"user": "alice", "key": "planted"}).json()["id"])
    talk(call, acme, session_id, script())
    return call, session_id


@pytest.mark.timeout(400)  # seconds; nearly four hundred messages with everything that follows them
def test_every_planted_fact_is_found_and_the_context_knows_the_person(
    told: tuple[Call, str], acme: Team
) -> None:
    call, session_id = told

    assert [fact.question for fact in PLANTED if not is_found(call, fact)] == []
    assert [fact.question for fact in CORRECTED if not is_corrected(call, fact)] == []
    check_context(call("POST", f"sessions/{session_id}/context/", {"query": "Good morning!"}).json())
    with tenant_scope(acme.tenant):
        assert Compaction.objects.for_tenant(acme.tenant).count() >= 2
        check_nothing_twice(list(Memory.objects.for_tenant(acme.tenant).filter(status="active")))


def is_found(call: Call, fact: Planted) -> bool:
    """Among the first ten results of all, and learned: among the first ten memories."""
    everywhere, learned = ask(call, fact.question), ask(call, fact.question, sources=["memory"])
    return all(
        any(fact.answer.lower() in hit["text"].lower() for hit in hits) for hits in (everywhere, learned)
    )


def is_corrected(call: Call, fact: Corrected) -> bool:
    """The newer value is among the first ten memories, the older one is nowhere but in the new one's sentence."""
    texts = [hit["text"].lower() for hit in ask(call, fact.question, sources=["memory"])]
    new, old = fact.new.lower(), fact.old.lower()
    return any(new in text for text in texts) and not any(old in text and new not in text for text in texts)


def check_context(context: dict[str, Any]) -> None:
    """The person's name, timezone and the tone they asked for."""
    for said in ("Maren", "Europe/Lisbon", "Response length: short", "Location: Lisbon"):
        assert said in context["stable"], said


def check_nothing_twice(memories: Sequence[Memory]) -> None:
    values = [memory.value.casefold() for memory in memories]
    assert sorted(values) == sorted(set(values))
    assert sum("walnut" in value for value in values) == 1
    assert sum("tea" in value.split() for value in values) == 1
    assert sum("biscuit" in value for value in values) == 1
    assert sum("seagull" in value for value in values) == 1

"""What a model reads of a person's style: weighed by the same gate, never enough alone, once a message."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from memories.models import Memory
from memories.new_memory import NewMemory, NewObservation
from nebo.tenants.scoping import tenant_scope
from personality.models import Persona, PersonaCandidate
from personality.personas.editing import create_persona
from personality.wishes.candidates import reject_candidate
from personality.wishes.deciding import FoundWish, decide_wishes
from personality.wishes.finding import Wish
from personality.wishes.model_styles import consider_styles, without_decided
from personality.wishes.model_wishes import find_read_wishes
from sessions.models import Message
from tests.conftest import Team
from tests.memories.conftest import AGENT, JOB, say

pytestmark = pytest.mark.django_db


@pytest.fixture
def scope(db: None, acme: Team) -> Iterator[Team]:
    with tenant_scope(acme.tenant):
        yield acme


def style(value: str, message: Message, *, trust: str = "user", confidence: float = 0.9) -> NewMemory:
    seen = NewObservation(
        extractor="model", value=value, confidence=confidence, trust=trust, message_id=message.pk,
        quote=message.content,
    )  # fmt: skip
    return NewMemory(
        value=value, key="style/x", source=Memory.Source.EXTRACTION, metadata={"slot": "length"},
        observations=(seen,),
    )  # fmt: skip


def consider(team: Team, *styles: NewMemory) -> list[tuple[str, str, str, str]]:
    found = consider_styles(tenant=team.tenant, person=team.person, persona=None, styles=styles, actor=JOB)
    return [(c.field, c.value, c.decision, c.source) for c in found]


def decide(team: Team, message: Message) -> None:
    """The wish for short answers, as the turn heard it."""
    wish = Wish("response_length", "short", "explicit", message.content, 0, len(message.content))
    heard = [FoundWish(wish, message.pk)]
    decide_wishes(tenant=team.tenant, person=team.person, persona=None, chosen=heard, actor=AGENT)


def learnable(team: Team, *styles: NewMemory, persona: Persona | None = None) -> list[str]:
    kept = without_decided(tenant=team.tenant, person=team.person, persona=persona, styles=styles)
    return [one.value for one in kept]


@pytest.mark.parametrize(
    ("value", "about", "field", "wanted"),
    [
        ("The user prefers short answers.", "length", "response_length", "short"),
        ("Wants no emojis", "emoji", "emoji_usage", "none"),
        ("Maya asks the assistant to be more formal", "formality", "formality", "formal"),
        ("Wants it to reply in German", "language", "language", "German"),
    ],
)
def test_a_models_words_are_weighed_as_the_persons_own(
    value: str, about: str, field: str, wanted: str
) -> None:
    (wish,) = find_read_wishes(value, about=about, quote="words", confidence=0.9)

    assert (wish.field, wish.value, wish.weight, wish.is_explicit) == (field, wanted, 0.6, False)


@pytest.mark.parametrize(
    ("value", "about"),
    [("Enjoys dry humor", "tone"), ("Likes short answers", ""), ("Wants to be called Ada", "address")],
)
def test_most_of_what_a_model_says_of_style_is_no_wish(value: str, about: str) -> None:
    assert find_read_wishes(value, about=about, quote="words", confidence=0.9) == []


def test_one_reading_waits_and_a_second_message_settles_it(scope: Team) -> None:
    first, second = say(scope, "These walls of words tire me", "Again so many words")

    once = consider(scope, style("Prefers short answers", first))
    same = consider(scope, style("Prefers short answers", first))
    twice = consider(scope, style("Prefers short answers", second))

    assert once == [("response_length", "short", "deferred", "model")]
    assert same == []
    assert twice == [("response_length", "short", "accepted", "model")]


def test_what_the_turn_decided_is_not_decided_again_and_no_style_beside_it(scope: Team) -> None:
    (message,) = say(scope, "Please keep your answers short from now on.")
    decide(scope, message)

    assert consider(scope, style("Prefers short answers", message)) == []
    assert PersonaCandidate.objects.for_tenant(scope.tenant).count() == 1
    assert learnable(scope, style("Prefers short answers", message)) == []


def test_a_style_is_learned_where_nobody_decided_otherwise(scope: Team) -> None:
    (message,) = say(scope, "These walls of words tire me")

    assert learnable(scope, style("Prefers short answers", message)) == ["Prefers short answers"]


def test_a_rule_of_their_own_leaves_what_other_words_of_the_message_tell(scope: Team) -> None:
    (message,) = say(scope, "Never call me mate. I do love a dry joke.")
    wish = Wish("rules", "Never call me mate", "explicit", "Never call me mate.", 0, 19)
    heard = [FoundWish(wish, message.pk)]
    decide_wishes(tenant=scope.tenant, person=scope.person, persona=None, chosen=heard, actor=AGENT)

    told = [
        replace(style(value, message), metadata={}, observations=(replace(seen, quote=quote),))
        for value, quote in (
            ("Hates “mate”", "Never call me mate"),
            ("Enjoys dry jokes", "I do love a dry joke."),
        )
        for seen in style(value, message).observations
    ]

    assert learnable(scope, *told) == ["Enjoys dry jokes"]


def test_what_the_team_locks_or_the_person_declined_is_no_style_either(scope: Team) -> None:
    first, second = say(scope, "These walls of words tire me", "So many words again")
    consider(scope, style("Prefers short answers", first))
    waiting = PersonaCandidate.objects.for_tenant(scope.tenant).get()
    reject_candidate(tenant=scope.tenant, candidate=waiting, actor=AGENT)
    locked = create_persona(
        tenant=scope.tenant, slug="coach", fields={"locked": ["response_length"]}, actor=AGENT
    )

    assert learnable(scope, style("Prefers short answers", second)) == []
    assert learnable(scope, style("Prefers short answers", second), persona=locked) == []


def test_what_only_the_assistant_said_is_no_evidence(scope: Team) -> None:
    (message,) = say(scope, "You like it short.", role="assistant")

    assert consider(scope, style("Prefers short answers", message, trust="assistant")) == []

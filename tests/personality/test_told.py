"""What a model reads of a person's style: weighed by the same gate, never enough alone, once a message."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from memories.models import Memory
from memories.services import NewMemory, NewObservation
from nebo.tenants.scoping import tenant_scope
from personality.models import PersonaCandidate
from personality.services import Said, consider_styles, hear_wishes
from personality.told import find_told_wishes
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
    return NewMemory(value=value, key="style/x", source=Memory.Source.EXTRACTION, observations=(seen,))


def consider(team: Team, *styles: NewMemory) -> list[tuple[str, str, str, str]]:
    found = consider_styles(tenant=team.tenant, profile=team.person, persona=None, styles=styles, actor=JOB)
    return [(c.field, c.value, c.decision, c.source) for c in found]


@pytest.mark.parametrize(
    ("value", "field", "wanted"),
    [
        ("The user prefers short answers.", "response_length", "short"),
        ("Wants no emojis", "emoji_usage", "none"),
        ("Maya asks the assistant to be more formal", "formality", "formal"),
        ("Wants replies in German", "language", "German"),
        ("Prefers a warm tone", "voice_style", "warm"),
    ],
)
def test_a_models_words_are_read_as_the_persons_own(value: str, field: str, wanted: str) -> None:
    (wish,) = find_told_wishes(value, quote="words", confidence=0.9)

    assert (wish.field, wish.value, wish.weight, wish.is_explicit) == (field, wanted, 0.6, False)


@pytest.mark.parametrize("value", ["Enjoys dry humor", "Is a night owl", "Wants a new bicycle", ""])
def test_most_of_what_a_model_says_of_style_is_no_wish(value: str) -> None:
    assert find_told_wishes(value, quote="words", confidence=0.9) == []


def test_one_reading_waits_and_a_second_message_settles_it(scope: Team) -> None:
    first, second = say(scope, "These walls of words tire me", "Again so many words")

    once = consider(scope, style("Prefers short answers", first))
    same = consider(scope, style("Prefers short answers", first))
    twice = consider(scope, style("Prefers short answers", second))

    assert once == [("response_length", "short", "deferred", "model")]
    assert same == []
    assert twice == [("response_length", "short", "accepted", "model")]


def test_what_the_turn_decided_is_not_decided_again(scope: Team) -> None:
    (message,) = say(scope, "Keep your answers short.")
    said = [Said(message.pk, message.content)]
    hear_wishes(tenant=scope.tenant, profile=scope.person, persona=None, said=said, actor=AGENT)

    assert consider(scope, style("Prefers short answers", message)) == []
    assert PersonaCandidate.objects.for_tenant(scope.tenant).count() == 1


def test_what_only_the_assistant_said_is_no_evidence(scope: Team) -> None:
    (message,) = say(scope, "You like it short.", role="assistant")

    assert consider(scope, style("Prefers short answers", message, trust="assistant")) == []

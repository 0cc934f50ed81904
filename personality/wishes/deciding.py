"""The wishes of a turn: found, decided and fulfilled in the turn's own transaction, before the agent answers.

Each is a candidate with a decision, a reason and its evidence. A message that was heard before decides nothing new.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from memories.storing.audited_writes import lock_person
from memories.understanding import NOT_UNDERSTOOD, Understanding
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile
from personality.fields import RULES
from personality.models import Persona, PersonaCandidate, PersonaEvidence, PersonaOverlay
from personality.overlays.changing import change_overlay, lock_overlay
from personality.overlays.overlay import ENDED, already_so, with_rule_topic, with_wish
from personality.personas.editing import ensure_default_persona
from personality.personas.revisions import Change
from personality.styles.ending import end_styles, list_styles_about
from personality.wishes import policy
from personality.wishes.finding import Wish, Withdrawal, find_wishes, find_withdrawals
from personality.wishes.relations import RelatedRule
from personality.wishes.selectors import list_decided_about
from personality.wishes.withdrawals import take_back, takes_back

MAX_A_TURN = 40  # wishes; the last words count

_ACCEPTED, _REJECTED, _DEFERRED = PersonaCandidate.Decision
# Decisions of the person, against which a hint alone does not stand.
_DECIDED_BY_PERSON = (policy.EXPLICIT_DIRECTIVE, policy.CONFIRMED)


@dataclass(frozen=True, slots=True)
class WishMessage:
    """A message of the person: its id, its words, when it was said, and how it was understood."""

    message_id: UUID
    text: str = ""
    at: datetime | None = None
    understood: Understanding = NOT_UNDERSTOOD


@dataclass(frozen=True, slots=True)
class FoundWish:
    """A wish and the message it stands in."""

    wish: Wish
    message_id: UUID


@dataclass(slots=True)
class _WishContext:
    """One turn of one person with one persona, while it is decided."""

    tenant: Tenant | UUID
    overlay: PersonaOverlay
    actor: Actor
    source: str
    superseded: frozenset[int]
    places: dict[UUID, int] = field(default_factory=dict)

    @property
    def persona(self) -> Persona:
        persona: Persona = self.overlay.persona
        return persona


def learn_wishes(
    *,
    tenant: Tenant | UUID,
    person: UserProfile,
    persona: Persona | None,
    messages: Sequence[WishMessage],
    actor: Actor,
) -> list[PersonaCandidate]:
    """Decide what these messages ask of the persona (the default one for None); the decisions in their order.

    Of two wishes about one field the last counts, and the earlier is kept as superseded. Costs no query where
    nothing is asked.
    """
    found = [(one, find_wishes(one.text, one.understood.reading)) for one in messages]
    taken_back = {one.message_id: _find_withdrawals(one) for one in messages}
    if not any(wishes for _, wishes in found) and not any(taken_back.values()):
        return []
    overlay = _lock(tenant, person, persona)
    chosen = []
    for one, wishes in found:
        ended = take_back(
            tenant=tenant,
            overlay=overlay,
            understood=one.understood,
            wishes=wishes,
            withdrawals=taken_back[one.message_id],
        )
        every = sorted([*ended, *wishes], key=lambda wish: wish.start)
        chosen += [FoundWish(wish, one.message_id) for wish in every]
    return _decide_all(tenant, overlay, chosen[-MAX_A_TURN:], actor, PersonaCandidate.Source.RULE)


def _find_withdrawals(message: WishMessage) -> list[Withdrawal]:
    """What takes back a rule that stands; to end a memory takes no rule back."""
    rules = (one for one in message.understood.related if isinstance(one, RelatedRule))
    meant = {one.start for one in rules if one.relation in ("ends", "beside")}
    return find_withdrawals(message.text, message.understood.reading, meant)


def decide_wishes(
    *,
    tenant: Tenant | UUID,
    person: UserProfile,
    persona: Persona | None,
    chosen: Sequence[FoundWish],
    actor: Actor,
    source: str = PersonaCandidate.Source.RULE,
) -> list[PersonaCandidate]:
    """Put wishes through the gate; those about a message and field that were decided before are passed over."""
    if not chosen:
        return []
    return _decide_all(tenant, _lock(tenant, person, persona), chosen, actor, source)


def _lock(tenant: Tenant | UUID, person: UserProfile, persona: Persona | None) -> PersonaOverlay:
    whose = persona or ensure_default_persona(tenant=tenant)
    lock_person(tenant=tenant, person=person)  # before the overlay, as everywhere
    return lock_overlay(tenant=tenant, persona=whose, person=person)


def _decide_all(
    tenant: Tenant | UUID, overlay: PersonaOverlay, chosen: Sequence[FoundWish], actor: Actor, source: str
) -> list[PersonaCandidate]:
    new = _new(tenant, overlay, chosen)
    turn = _WishContext(tenant, overlay, actor, source, _superseded(new), _taken_places(tenant, overlay, new))
    return [_decide(turn, number, one) for number, one in enumerate(new)]


def _new(tenant: Tenant | UUID, overlay: PersonaOverlay, chosen: Sequence[FoundWish]) -> list[FoundWish]:
    ids = {one.message_id for one in chosen}
    rows = list_decided_about(tenant=tenant, message_ids=ids).filter(
        persona=overlay.persona, person_id=overlay.person_id
    )
    decided = list(rows.values_list("evidence__message_id", "field", "value"))
    known = {(message_id, field) for message_id, field, _ in decided}
    ended = {(message_id, value) for message_id, _, value in decided}
    return [
        one
        for one in chosen
        if (one.message_id, one.wish.field) not in known
        or (_ends_rule(one.wish) and (one.message_id, one.wish.value) not in ended)
    ]


def _ends_rule(wish: Wish) -> bool:
    """Whether it ends one rule by its words: one message may ask for something and end something else by it."""
    return wish.field == RULES and wish.value.startswith(ENDED)


def _superseded(chosen: Sequence[FoundWish]) -> frozenset[int]:
    """Places of plain wishes after which the same turn says something else about the same field."""
    last: dict[str, int] = {}
    for number, one in enumerate(chosen):
        if one.wish.is_explicit and not one.wish.unsafe and one.wish.field != RULES:
            last[one.wish.field] = number
    return frozenset(
        number
        for number, one in enumerate(chosen)
        if last.get(one.wish.field, number) > number
        and not one.wish.unsafe
        and one.wish.mode in policy.SPOKEN
    )


def _taken_places(
    tenant: Tenant | UUID, overlay: PersonaOverlay, chosen: Iterable[FoundWish]
) -> dict[UUID, int]:
    """How many decisions each message has already: a model may add to those of the rules."""
    keys = {str(one.message_id): one.message_id for one in chosen}
    rows = PersonaCandidate.objects.for_tenant(tenant).filter(persona=overlay.persona, turn_key__in=keys)
    taken: dict[UUID, int] = {}
    for key, place in rows.values_list("turn_key", "place"):
        taken[keys[key]] = max(taken.get(keys[key], 0), place + 1)
    return taken


def _decide(turn: _WishContext, number: int, chosen: FoundWish) -> PersonaCandidate:
    wish, waiting = chosen.wish, _find_waiting(turn, chosen.wish)
    if number in turn.superseded:
        verdict = policy.Verdict(_REJECTED, policy.SUPERSEDED, wish.weight)
    else:
        verdict = policy.decide(wish, _situation(turn, wish, waiting))
    gathers = waiting is not None and verdict.reason != policy.SUPERSEDED and verdict.decision != _REJECTED
    candidate = _update(turn, waiting, verdict) if gathers and waiting else _create(turn, chosen, verdict)
    PersonaEvidence.objects.for_tenant(turn.tenant).create(
        candidate=candidate, message_id=chosen.message_id, quote=wish.quote, weight=wish.weight
    )
    if verdict.decision == _ACCEPTED:
        fulfil(tenant=turn.tenant, overlay=turn.overlay, candidate=candidate, actor=turn.actor)
        if takes_back(wish):
            end_styles(tenant=turn.tenant, overlay=turn.overlay, about=wish.about, actor=turn.actor)
    return candidate


def fulfil(
    *, tenant: Tenant | UUID, overlay: PersonaOverlay, candidate: PersonaCandidate, actor: Actor
) -> None:
    """Make an accepted wish true for the person; the overlay must be held."""
    change = Change("persona.wish_fulfilled", actor, reason=candidate.reason, candidate=candidate)
    fields = with_wish(overlay.fields, candidate.field, candidate.value)
    if candidate.field == RULES and candidate.about:
        overlay.rule_topics = with_rule_topic(overlay.rule_topics, candidate.value, candidate.about)
    change_overlay(tenant=tenant, overlay=overlay, fields=fields, change=change)


def _situation(turn: _WishContext, wish: Wish, waiting: PersonaCandidate | None) -> policy.Situation:
    persona, fields = turn.persona, turn.overlay.fields
    return policy.Situation(
        locked=wish.field in persona.locked,
        already_so=already_so(persona, fields, wish.field, wish.value) and not _has_style(turn, wish),
        contradicts_recent=not wish.is_explicit and _goes_against_recent(turn, wish),
        weights=_weights(turn.tenant, waiting) if waiting else (),
    )


def _has_style(turn: _WishContext, wish: Wish) -> bool:
    """Whether something that was learned says what is taken back."""
    return takes_back(wish) and list_styles_about(turn.tenant, turn.overlay, wish.about).exists()


def _weights(tenant: Tenant | UUID, waiting: PersonaCandidate) -> tuple[float, ...]:
    since = timezone.now() - policy.EVIDENCE_LIFE
    rows = PersonaEvidence.objects.for_tenant(tenant).filter(candidate=waiting, created_at__gt=since)
    return tuple(rows.values_list("weight", flat=True))


def _goes_against_recent(turn: _WishContext, wish: Wish) -> bool:
    rows = _of_person(turn).filter(
        field=wish.field,
        decision=_ACCEPTED,
        reason__in=_DECIDED_BY_PERSON,
        updated_at__gt=timezone.now() - policy.RECENT,
    )
    return rows.exclude(value__iexact=wish.value).exists()


def _find_waiting(turn: _WishContext, wish: Wish) -> PersonaCandidate | None:
    """What waits for more evidence of the same."""
    rows = _of_person(turn).filter(field=wish.field, value__iexact=wish.value, decision=_DEFERRED)
    return rows.order_by("created_at").first()


def _of_person(turn: _WishContext) -> QuerySet[PersonaCandidate]:
    rows = PersonaCandidate.objects.for_tenant(turn.tenant)
    return rows.filter(persona=turn.persona, person_id=turn.overlay.person_id)


def _update(turn: _WishContext, waiting: PersonaCandidate, verdict: policy.Verdict) -> PersonaCandidate:
    waiting.decision, waiting.reason, waiting.confidence = (
        verdict.decision,
        verdict.reason,
        verdict.confidence,
    )
    waiting.decided_by = str(turn.actor)[:120]
    waiting.save()
    return waiting


def _create(turn: _WishContext, chosen: FoundWish, verdict: policy.Verdict) -> PersonaCandidate:
    place = turn.places.get(chosen.message_id, 0)
    turn.places[chosen.message_id] = place + 1
    candidate: PersonaCandidate = PersonaCandidate.objects.for_tenant(turn.tenant).create(
        persona=turn.persona,
        person_id=turn.overlay.person_id,
        field=chosen.wish.field,
        value=chosen.wish.value,
        about=chosen.wish.about,
        confidence=verdict.confidence,
        decision=verdict.decision,
        reason=verdict.reason,
        source=turn.source,
        turn_key=str(chosen.message_id),
        place=place,
        decided_by=str(turn.actor)[:120],
    )
    return candidate

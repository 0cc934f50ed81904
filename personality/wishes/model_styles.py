"""What a model read of a person's style: weighed by the gate as wishes are, and kept where nobody decided otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from memories.models import Memory
from memories.new_memory import NewMemory, NewObservation
from nebo.tenants.actor import Actor
from nebo.tenants.ids import default_persona_id
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import tenant_id_of
from personality.fields import RULES
from personality.models import Persona, PersonaCandidate
from personality.overlays.overlay import ABOUT, ENDED
from personality.wishes import policy
from personality.wishes.deciding import FoundWish, decide_wishes
from personality.wishes.finding import Wish
from personality.wishes.model_wishes import find_read_wishes
from personality.wishes.relations import list_current_rules
from personality.wishes.selectors import list_decided_about

# Decisions after which a model's word for the same is not kept beside them.
REFUSED = (policy.LOCKED, policy.SAFETY_CONFLICT, policy.DECLINED, policy.UNDONE)


def consider_styles(
    *,
    tenant: Tenant | UUID,
    person: UserProfile,
    persona: Persona | None,
    styles: Sequence[NewMemory],
    actor: Actor,
) -> list[PersonaCandidate]:
    """Candidates from an extraction's styles, in the job's `publish`; what the turn decided already is passed over.

    Only what the person's own words prove counts; a model alone never settles anything.
    """
    found = [
        FoundWish(wish, seen.message_id)
        for style in styles
        for seen in style.observations
        if seen.message_id and seen.quote and seen.trust == Memory.Trust.USER
        for wish in find_read_wishes(
            style.value, about=_about(style), quote=seen.quote, confidence=seen.confidence
        )
    ]
    source = PersonaCandidate.Source.MODEL
    return decide_wishes(
        tenant=tenant, person=person, persona=persona, chosen=found, actor=actor, source=source
    )


def end_replaced_rules(
    *,
    tenant: Tenant | UUID,
    person: UserProfile,
    persona: Persona | None,
    styles: Sequence[NewMemory],
    actor: Actor,
) -> list[PersonaCandidate]:
    """End the rules of a person's own that their newer words change or end, as a model says and code has checked
    (`extraction/support_check.py`); in the job's `publish`.
    """
    meant = [style for style in styles if style.known and style.known[1] in ("changes", "ends")]
    if not meant:
        return []
    persona_id = persona.pk if persona else None
    rules = list_current_rules(tenant=tenant, person_id=person.pk, persona_id=persona_id)
    found = [
        FoundWish(_end_of(rules[style.known[0]], style, seen), seen.message_id)
        for style in meant
        if style.known and style.known[0] in rules
        for seen in style.observations[:1]
        if seen.message_id and seen.trust == Memory.Trust.USER
    ]
    source = PersonaCandidate.Source.MODEL
    return decide_wishes(
        tenant=tenant, person=person, persona=persona, chosen=found, actor=actor, source=source
    )


def _end_of(rule: str, style: NewMemory, seen: NewObservation) -> Wish:
    start, end = seen.quote_start or 0, seen.quote_end or 0
    return Wish(RULES, ENDED + rule, "explicit", seen.quote, start, end, about=_about(style))


def without_decided(
    *, tenant: Tenant | UUID, person: UserProfile, persona: Persona | None, styles: Sequence[NewMemory]
) -> tuple[NewMemory, ...]:
    """The styles that may be learned: not what the person asked of one persona in these words, and not what its team
    locks or the person declined. What is a wish of the person's is for the persona it was said to.
    """
    if not styles:
        return ()
    messages = {seen.message_id for style in styles for seen in style.observations if seen.message_id}
    asked = list_decided_about(tenant=tenant, message_ids=messages).filter(
        source=PersonaCandidate.Source.RULE
    )
    decided = set(asked.values_list("evidence__message_id", "field", "evidence__quote"))
    persona_id = persona.pk if persona else default_persona_id(tenant_id_of(tenant))
    refused = {*(persona.locked if persona else ()), *_list_refused(tenant, person, persona_id)}
    return tuple(
        replace(style, persona_id=persona_id) if _about(style) else style
        for style in styles
        if not _is_decided(style, decided, refused)
    )


def _list_refused(tenant: Tenant | UUID, person: UserProfile, persona_id: UUID) -> set[str]:
    """Fields and topics of which the person's last word was no."""
    rows = PersonaCandidate.objects.for_tenant(tenant).filter(persona_id=persona_id, person=person)
    reasons = list(rows.order_by("updated_at").values_list("field", "about", "reason"))
    last = {
        **{field: reason for field, _, reason in reasons},
        **{about: reason for _, about, reason in reasons},
    }
    return {name for name, reason in last.items() if name and reason in REFUSED and name != RULES}


def _is_decided(style: NewMemory, decided: set[tuple[UUID, str, str]], refused: set[str]) -> bool:
    about = {name for name in (*_fields(style), _about(style)) if name}
    if about & refused:
        return True
    quotes = {seen.message_id: seen.quote for seen in style.observations}
    return any(
        message_id in quotes and (field in about or (field == RULES and _overlap(quotes[message_id], words)))
        for message_id, field, words in decided
    )


def _overlap(quote: str, words: str) -> bool:
    """Whether a style rests on the words of a wish, and not on others of the same message."""
    return quote in words or words in quote


def _fields(style: NewMemory) -> tuple[str, ...]:
    return ABOUT.get(_about(style), ())[:1]


def _about(style: NewMemory) -> str:
    return str(style.metadata.get("slot", ""))

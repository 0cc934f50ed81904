"""Wishes whose words were redacted for good end, and what they made of a persona for the person ends with them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any
from uuid import UUID

from memories.screening.placeholders import REDACTED
from memories.storing.styles import schedule_directive
from nebo.tenants.models import Tenant
from personality.fields import RULES
from personality.models import PersonaCandidate, PersonaEvidence, PersonaOverlay

Gone = Callable[[str], bool]  # whether a text says what was redacted


def end_redacted_wishes(
    *, tenant: Tenant | UUID, person_id: UUID, message_ids: Collection[UUID], gone: Gone, has_word: Gone
) -> None:
    """End what rests on these messages' redacted words alone, and what says one of the words. The person is held."""
    ended = _drop_candidates(tenant, person_id, message_ids, gone, has_word)
    overlays = list(PersonaOverlay.objects.for_tenant(tenant).filter(person_id=person_id))
    for overlay in overlays:
        values = {(one.field, one.value) for one in ended if one.persona_id == overlay.persona_id}
        before = overlay.fields
        overlay.fields = _without(before, values, has_word)
        overlay.rule_topics = {
            rule: about
            for rule, about in overlay.rule_topics.items()
            if not has_word(rule) and (RULES, rule) not in values
        }
        if overlay.fields != before:
            schedule_directive(tenant=tenant, person_id=person_id, persona_id=overlay.persona_id)
    PersonaOverlay.objects.for_tenant(tenant).bulk_update(overlays, ["fields", "rule_topics"], batch_size=100)


def without_redacted(fields: Mapping[str, Any]) -> dict[str, Any]:
    """An overlay as it once stood, without what was redacted of it since."""
    return _without(fields, set(), lambda text: REDACTED in text)


def _drop_candidates(
    tenant: Tenant | UUID, person_id: UUID, message_ids: Collection[UUID], gone: Gone, has_word: Gone
) -> list[PersonaCandidate]:
    """Those that nothing speaks for any more, deleted."""
    rows = PersonaCandidate.objects.for_tenant(tenant).filter(person_id=person_id)
    candidates = {one.pk: one for one in rows}
    evidence = PersonaEvidence.objects.for_tenant(tenant)
    seen = list(evidence.filter(candidate__person_id=person_id))
    lost = [one for one in seen if has_word(one.quote) or (one.message_id in message_ids and gone(one.quote))]
    lost_ids = {one.pk for one in lost}
    left = {one.candidate_id for one in seen if one.pk not in lost_ids}
    touched = {one.candidate_id for one in lost} - left
    ended = [one for pk, one in candidates.items() if pk in touched or has_word(one.value)]
    evidence.filter(pk__in=lost_ids).delete()
    rows.filter(pk__in=[one.pk for one in ended]).delete()
    return ended


def _without(
    fields: Mapping[str, Any], values: Collection[tuple[str, str]], has_word: Gone
) -> dict[str, Any]:
    """The overlay without these wishes, and without any text that has a word."""
    kept: dict[str, Any] = {}
    for name, held in fields.items():
        if isinstance(held, list):
            held = [one for one in held if not has_word(one) and (name, one) not in values]
        elif has_word(str(held)) or (name, str(held)) in values:
            continue
        if held:
            kept[name] = held
    return kept

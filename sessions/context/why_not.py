"""“Why not this one?”: where a memory stands in a context that was composed, or which rule left it out of each place.

The rules are asked of the very conditions that the context reads by, and of what noted them while it was laid out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import BooleanField, ExpressionWrapper, QuerySet

from memories.models import Memory
from memories.screening.fencing import one_line
from memories.selectors import promptable_rules
from nebo.tenants.models import Tenant
from search.answers.explanation import find_rank
from sessions.context.assembly import Composed, recalls, search_query
from sessions.context.knowledge import MAX_KNOWN, MAX_PERSONALITY, PERSONALITY, visibility_rules
from sessions.context.left_out import Rule

ANYWHERE, KNOWN, RECALLED = "anywhere", "known", "recalled"


@dataclass(frozen=True, slots=True)
class Reason:
    """What kept a memory out of one place; `numbers` are those the rule went by."""

    place: str
    rule: str
    numbers: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Of one memory: the names of the sections it stands in, or why it stands in none."""

    memory: Memory
    sections: Sequence[str] = ()
    reasons: Sequence[Reason] = ()


def list_asked(
    *, tenant: Tenant | UUID, people: Collection[UUID], persona_id: UUID | None, session_id: UUID | None
) -> QuerySet[Memory]:
    """All memories of these people, in any state, each with what a prompt asks for (`is_live`, …)."""
    rules = {**promptable_rules(), **visibility_rules(persona_id=persona_id, session_id=session_id)}
    kept = {
        f"is_{name}": ExpressionWrapper(rule, output_field=BooleanField()) for name, rule in rules.items()
    }
    return Memory.objects.for_tenant(tenant).filter(person_id__in=people).annotate(**kept)


def explain_absence(*, tenant: Tenant, made: Composed, memory: Memory) -> Verdict:
    """Of a memory of `list_asked`; one statement at most."""
    sections = find_sections(made, memory)
    if sections:
        return Verdict(memory, sections)
    if barred := list(_bars(made, memory)):
        return Verdict(memory, reasons=barred)
    return Verdict(memory, reasons=(_why_not_known(made, memory), _why_not_recalled(tenant, made, memory)))


def find_sections(made: Composed, memory: Memory) -> list[str]:
    """The names of the sections that show it, or say it in its words."""
    layout, words = made.layout, one_line(memory.value)
    if not memory.is_live or not words:  # type: ignore[attr-defined]  # annotated
        return []
    lines = {one.id: one.line for one in layout.lines}
    looked_for = (lines.get(str(memory.pk), words), words)
    blocks = ((layout.stable_sections, layout.stable), (layout.dynamic_sections, layout.dynamic))
    found = [
        name
        for sections, block in blocks
        for name, text in sections.items()
        if any(one in text and one in block for one in looked_for)
    ]
    if any(card.memory_id == str(memory.pk) for card in layout.cards):
        found.append(RECALLED)
    return list(dict.fromkeys(found))


def _bars(made: Composed, memory: Memory) -> Iterator[Reason]:
    """What keeps it out whatever is asked."""
    if not made.inputs.tenant.user_memory:
        yield Reason(ANYWHERE, "memory_off")
    if not memory.is_live:  # type: ignore[attr-defined]
        yield Reason(ANYWHERE, f"is_{memory.status}")
        return
    for name in ("unexpired", "persona", "session", "sure"):
        if not getattr(memory, f"is_{name}"):
            yield Reason(ANYWHERE, f"not_{name}", {"confidence": memory.confidence})


def _why_not_known(made: Composed, memory: Memory) -> Reason:
    """What You Know holds what lasts and what is pinned."""
    id = str(memory.pk)
    if id in made.left_out.known:
        return Reason(KNOWN, made.left_out.known[id])
    if any(one.id == id for one in made.inputs.known):
        return Reason(KNOWN, Rule.NO_ROOM)  # the prefix itself was cut
    if memory.layer != Memory.Layer.TACIT and not memory.pinned:
        return Reason(KNOWN, "not_lasting")
    if memory.namespace == PERSONALITY:
        return Reason(KNOWN, "styles_full", {"most": MAX_PERSONALITY})
    return Reason(KNOWN, "used_less", {"most": MAX_KNOWN})


def _why_not_recalled(tenant: Tenant, made: Composed, memory: Memory) -> Reason:
    """Recalled is what is about the question."""
    request, inputs, id = made.request, made.inputs, str(memory.pk)
    if not recalls(inputs, request):
        return Reason(RECALLED, "no_question" if not request.query.strip() else "recall_off")
    if id in made.left_out.cards:
        return Reason(RECALLED, made.left_out.cards[id])
    judged = made.material.judged
    rated = next((one for one in judged.rated if one.hit.memory_id == memory.pk), None)
    if rated is not None:
        best = max(one.relevance for one in judged.rated)
        numbers = {"relevance": rated.relevance, "best": best, "needed": judged.needed}
        return Reason(RECALLED, Rule.FAR if best >= judged.needed else "all_far", numbers)
    query = search_query(inputs, request)
    rank, ranked = find_rank(tenant=tenant, query=query, vector=request.vector, memory_id=memory.pk)
    if rank is None:
        return Reason(RECALLED, "no_match")
    return Reason(RECALLED, "ranked_low", {"rank": rank, "ranked": ranked, "looked_at": query.limit})


def list_left_out(made: Composed) -> list[UUID]:
    """Memories that the search found and no card shows, best first."""
    shown = {card.memory_id for card in made.layout.cards}
    found = (hit.memory_id for hit in made.material.found.hits if hit.memory_id)
    return [id for id in dict.fromkeys(found) if str(id) not in shown]

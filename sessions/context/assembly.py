"""Context assembly: read, judge continuity, share the budget, render (DESIGN §7). No model is called here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from memories.models import Memory
from memories.recall import is_near
from memories.services import record_read
from nebo.api.times import as_utc
from nebo.errors import ContinuityMissing
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from search.selectors import Hit, SearchQuery
from sessions.context.budget import DEFAULT_BUDGET, FILES_SHARE, STABLE_SHARE, fit, share
from sessions.context.dynamic import Card, DynamicParts, render_dynamic
from sessions.context.formats import Rendering, render_as
from sessions.context.ground import Ground
from sessions.context.recall import recall_for
from sessions.context.stable import KnownMemory, onboarding_needed, render_stable
from sessions.continuity import RECOVERY_TEXT, Continuity, judge_continuity
from sessions.models import Message, Session
from sessions.steering import SteeringMessage, TurnView, steer
from sessions.tokens import cut_to_tokens, estimate_tokens, message_tokens

RECALLED = 40  # candidates for the recalled block, as many as a leg of the search brings; the budget decides
RECALLED_MOST = 200  # with a large budget
CARD_EVERY = 200  # tokens of the budget that bring another candidate
STEERING_WINDOW = 60  # messages looked at
CARD_TOKENS = 16  # a card's citation and framing


@dataclass(frozen=True, slots=True)
class ContextRequest:
    """What an agent asks for: `query` is what it is about to answer, `vector` its embedding if there is one.

    `lean`: nothing is searched for and nothing recalled (seed 003).
    """

    query: str = ""
    vector: list[float] | None = None
    token_budget: int = DEFAULT_BUDGET
    format: str = "sections"
    lean: bool = False


@dataclass(frozen=True, slots=True)
class Material:
    """What a context is made of: what it stands on, and what is recalled for the query."""

    ground: Ground
    entity_cards: Sequence[str]
    cards: Sequence[Card]
    recalled: int = 0
    near: int = 0


def build_context(
    *, tenant: Tenant | UUID, ground: Ground, request: ContextRequest, actor: Actor
) -> dict[str, Any]:
    """The answer of `context/`, and a line of the log. Raises ContinuityMissing without anything to go on from."""
    session, messages = ground.session, ground.messages
    answered = _find_answered(messages, request.query)
    material = _recall(tenant, ground, request, answered)
    continuity = judge_continuity(
        existing=session.turn_count > (1 if answered else 0),
        query=request.query,
        history=len(messages) - (1 if answered else 0),
        summary=bool(session.told_summary or ground.background.any),
        recalled=material.recalled,
        near=material.near,
    )
    if not continuity.ok:
        raise ContinuityMissing(continuity.reason, recovery=RECOVERY_TEXT)
    steering = steer(_views(messages), recovering=session.recovering)
    if session.recovering:  # for one turn after compaction
        Session.objects.for_tenant(tenant).filter(pk=session.pk).update(recovering=False)
    record_read(
        tenant=tenant,
        actor=actor,
        action="context.read",
        profile_id=session.profile_id,
        memory_ids=_given(material),
    )
    return _render(material, steering, continuity, request)


def _given(material: Material) -> list[UUID]:
    """What an agent may have been shown: what is known, and what was recalled."""
    ids = [*(memory.id for memory in material.ground.known), *(card.memory_id for card in material.cards)]
    return [UUID(memory_id) for memory_id in dict.fromkeys(ids) if memory_id]


def _recall(
    tenant: Tenant | UUID, ground: Ground, request: ContextRequest, answered: Message | None
) -> Material:
    if request.lean or not ground.recalls or not request.query.strip():
        return Material(ground, (), ())
    query = _search_query(ground, request)
    found = recall_for(tenant=tenant, ground=ground, query=query, vector=request.vector)
    apart = {
        id: memory for id, memory in found.memories.items() if not _stands_in(found.entity_cards, memory)
    }
    behind = list_behind(found.hits, found.memories, answered=answered)
    return Material(
        ground=ground,
        entity_cards=found.entity_cards,
        cards=choose_cards(found.hits, apart, known=ground.known, shown=ground.messages),
        recalled=len(behind),
        near=sum(map(is_near, behind)),
    )


def _search_query(ground: Ground, request: ContextRequest) -> SearchQuery:
    return SearchQuery(
        text=request.query,
        profile_id=ground.session.profile_id,
        limit=max(RECALLED, min(request.token_budget // CARD_EVERY, RECALLED_MOST)),
        persona_id=ground.persona.pk,
        session_id=ground.session.pk,
    )


def _find_answered(messages: Sequence[Message], query: str) -> Message | None:
    """The message that is about to be answered: asking about it is no sign of an earlier conversation."""
    newest = messages[-1] if messages else None
    if newest is None or newest.role != Message.Role.USER:
        return None
    return newest if query.split() in (newest.content.split(), newest.words.split()) else None


def list_behind(
    hits: Iterable[Hit], memories: Mapping[UUID, Memory], *, answered: Message | None
) -> list[Hit]:
    """What of the found can stand behind a question: nothing that was only learnt from it."""
    return [hit for hit in hits if not _is_from(answered, hit, memories)]


def _is_from(answered: Message | None, hit: Hit, memories: Mapping[UUID, Memory]) -> bool:
    """Whether a hit is the message itself, was read out of it, or may not be shown."""
    if hit.memory_id is None:
        return answered is not None and answered.pk in {message.id for message in hit.messages}
    memory = memories.get(hit.memory_id)
    return memory is None or (answered is not None and memory.created_at >= answered.recorded_at)


def _stands_in(entity_cards: Sequence[str], memory: Memory) -> bool:
    return any(memory.value in card for card in entity_cards)


def choose_cards(
    hits: Iterable[Hit],
    memories: Mapping[UUID, Memory],
    *,
    known: Sequence[KnownMemory],
    shown: Sequence[Message],
) -> list[Card]:
    """Hits as cards, without what stands in the prompt already."""
    in_prompt = {memory.id for memory in known} | {str(message.pk) for message in shown}
    cards = []
    for hit in hits:
        if hit.memory_id:
            if hit.memory_id in memories and str(hit.memory_id) not in in_prompt:
                cards.append(
                    Card(f"{hit.key}: {memories[hit.memory_id].value}", hit.score, str(hit.memory_id))
                )
            continue
        cited = tuple(str(message.id) for message in hit.messages)
        if not in_prompt.intersection(cited):
            cards.append(Card(_as_said(hit), hit.score, message_ids=cited))
    return cards


def _as_said(hit: Hit) -> str:
    """A turn with the day and who spoke, without which "yesterday" and "I" mean nothing."""
    day = hit.created_at
    return f"[{day.day} {day:%B %Y}] {hit.speaker}: {hit.text}"


def _views(messages: Sequence[Message]) -> list[TurnView]:
    return [TurnView(m.role, m.name, m.words) for m in messages[-STEERING_WINDOW:]]


def _render(
    material: Material, steering: list[SteeringMessage], continuity: Continuity, request: ContextRequest
) -> dict[str, Any]:
    ground = material.ground
    stable = _fit_stable(ground, request.token_budget)
    fixed = DynamicParts(
        ground.session, ground.background, ground.todos, material.entity_cards, budget=request.token_budget
    )
    hints = sum(message_tokens(hint.content) for hint in steering)
    room = request.token_budget - estimate_tokens(stable) - estimate_tokens(render_dynamic(fixed)) - hints
    shares = share(
        room=max(room, 0),
        cards=[estimate_tokens(card.text) + CARD_TOKENS for card in material.cards],
        newest_first=[message.tokens for message in reversed(ground.messages)],
    )
    cards = [material.cards[place] for place in shares.cards]
    dynamic = render_dynamic(replace(fixed, cards=cards))
    messages = [_message(message) for message in ground.messages[len(ground.messages) - shares.messages :]]
    sizes = {
        "stable": estimate_tokens(stable),
        "dynamic": estimate_tokens(dynamic),
        "messages": sum(message_tokens(message["content"]) for message in messages),
    }
    return {
        "stable": stable,
        "dynamic": dynamic,
        "messages": messages,
        "steering": [{"name": hint.name, "content": hint.content} for hint in steering],
        "cards": [card.as_dict() for card in cards],
        "tokens": {**sizes, "total": sum(sizes.values()) + hints},
        "continuity": {
            "ok": True,
            "history": continuity.history,
            "summary": continuity.summary,
            "recalled": continuity.recalled,
        },
        "onboarding_needed": ground.tenant.user_memory and onboarding_needed(ground.profile),
        **render_as(request.format, Rendering(stable, dynamic, messages, steering)),
    }


def _fit_stable(ground: Ground, budget: int) -> str:
    """What You Know shrinks from its end until the prefix keeps to its share; then the prefix itself is cut."""
    bare = render_stable(
        persona=ground.persona,
        profile=ground.profile,
        directive=ground.directive,
        known=(),
        own_rules=ground.own_rules,
    )
    room = int(budget * STABLE_SHARE) - estimate_tokens(bare)
    count = fit([estimate_tokens(memory.line) + 1 for memory in ground.known], room)
    stable = render_stable(
        persona=ground.persona,
        profile=ground.profile,
        directive=ground.directive,
        known=ground.known[:count],
        files=_fit_files(ground.files, int(budget * FILES_SHARE)),
        own_rules=ground.own_rules,
    )
    return cut_to_tokens(stable, budget)


def _fit_files(files: Sequence[str], room: int) -> list[str]:
    """A persona's files within their share; the one that goes over is cut, those behind it are left out."""
    kept = []
    for text in files:
        if room <= 0:
            break
        kept.append(cut_to_tokens(text, room))
        room -= estimate_tokens(text)
    return kept


def _message(message: Message) -> dict[str, Any]:
    return {
        "id": str(message.pk),
        "role": message.role,
        "name": message.name,
        "content": message.words,
        "created_at": as_utc(message.created_at),
    }

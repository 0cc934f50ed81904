"""Context assembly: read, judge what was found, lay it out, render (docs/context.md). No chat model is asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from memories.audit.log import record_read
from memories.models import Memory
from memories.screening.fencing import one_line
from memories.storing.usage import count_access
from memories.team.recalling import (
    NOTHING_SHARED,
    SharedFields,
    TeamMemory,
    find_team_memories,
    note_team_read,
    shared_json,
)
from nebo.api.pausing import paused_json
from nebo.errors import ContinuityMissing
from nebo.reading.words.content_words import is_bare
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from search.answers.search import Hit, SearchQuery
from search.answers.waiting import completeness
from search.embeddings.serving import serving_model_of
from search.relevance.floor import (
    Floor,
    Judgement,
    hits_of,
    is_measured,
    judge_relevance,
)
from search.relevance.leaning import Rated
from sessions.context.answer import ContextFields
from sessions.context.answered import asks_nothing, is_answered_above
from sessions.context.background import list_texts
from sessions.context.budget import DEFAULT_BUDGET
from sessions.context.cards import Card, list_cards
from sessions.context.continuity import RECOVERY_TEXT, Continuity, judge_continuity
from sessions.context.formats import Rendering, render_as
from sessions.context.inputs import ContextInputs
from sessions.context.layout import Layout, LayoutRequest, lay_out
from sessions.context.left_out import LeftOut
from sessions.context.recall import Recalled, recall_for
from sessions.context.stable import onboarding_needed
from sessions.context.steering import RecentMessage, SteeringMessage, steer
from sessions.models import Message, Session

NEAR_ENOUGH = (
    0.15  # relevance from which something found may be what a question asks back for, in other words
)
RECALLED = 40  # candidates for the recalled block, as many as a leg of the search brings; the budget decides
RECALLED_MOST = 200  # with a large budget
CARD_EVERY = 200  # tokens of the budget that bring another candidate
_WORD = re.compile(r"[\w'’-]+")
STEERING_WINDOW = 60  # messages looked at


@dataclass(frozen=True, slots=True)
class ContextRequest:
    """What an agent asks for: `query` is what it is about to answer, `vector` its embedding if there is one.

    `lean`: nothing is searched for and nothing recalled; `recall` off says the same of this call. `meant` is what is
    searched for, where a pronoun of the query stands for somebody named before. `own_prompt`: the agent has a prompt of
    its own and no memory tool, so that what Nebo says by default is left out, and the hints.
    """

    query: str = ""
    vector: list[float] | None = None
    token_budget: int = DEFAULT_BUDGET
    format: str = "sections"
    lean: bool = False
    recall: bool = True
    meant: str = ""
    own_prompt: bool = False

    @property
    def sought(self) -> str:
        return self.meant or self.query


@dataclass(frozen=True, slots=True)
class RecalledMaterial:
    """What was recalled for the query; `spare` comes next, where something is about it. `near` are the memories about
    it, wherever they are shown; `behind` is how much can stand behind a question that asks back; `nothing` says that
    something was asked, and nothing is about it. `spoken` is what was found and isn't about it, where the search would
    have found it: None where it isn't sure.
    """

    cards: Sequence[Card] = ()
    spare: Sequence[Card] = ()
    people: Sequence[tuple[str, Sequence[str]]] = ()
    near: Mapping[UUID, Memory] = field(default_factory=dict)
    behind: int = 0
    nothing: bool = False
    spoken: Sequence[str] | None = None
    found: Recalled = field(default_factory=Recalled)
    judged: Judgement = field(default_factory=Judgement)


@dataclass(frozen=True, slots=True)
class Composed:
    """A context as it would be given, and what it was made from; nothing has been noted or counted for it."""

    inputs: ContextInputs
    request: ContextRequest
    material: RecalledMaterial
    hints: Sequence[SteeringMessage]
    continuity: Continuity
    layout: Layout
    left_out: LeftOut


def build_context(
    *, tenant: Tenant | UUID, inputs: ContextInputs, request: ContextRequest, actor: Actor
) -> ContextFields:
    """The answer of `context/`, and a line of the log. Raises ContinuityMissing without anything to go on from."""
    made = compose_context(tenant=tenant, inputs=inputs, request=request)
    session = inputs.session
    if session.recovering:  # for one turn after compaction
        Session.objects.for_tenant(tenant).filter(pk=session.pk).update(recovering=False)
    _note(tenant, actor, inputs, made.layout, made.material)
    note_team_read(tenant=inputs.tenant, actor=actor, person_id=inputs.person.pk, memories=made.layout.team)
    return _answer(made)


def compose_context(*, tenant: Tenant | UUID, inputs: ContextInputs, request: ContextRequest) -> Composed:
    """What an agent would get, without anything being written: looking is no use. Raises ContinuityMissing."""
    session, messages = inputs.session, inputs.messages
    answered = _find_answered(messages, request.query)
    material = _recall(tenant, inputs, request, answered)
    team = _recall_team(inputs, request)
    continuity = judge_continuity(
        existing=session.turn_count > (1 if answered else 0),
        query=request.query,
        history=len(messages) - (1 if answered else 0),
        summary=bool(session.served_summary or inputs.background.any),
        recalled=material.behind + len(team),
        texts=_telling(inputs, material, answered),
    )
    if not continuity.ok:
        raise ContinuityMissing(continuity.reason, recovery=RECOVERY_TEXT)
    hints, left_out = _hints(inputs, request), LeftOut()
    layout = lay_out(
        LayoutRequest(
            inputs,
            request.query,
            request.token_budget,
            material.cards,
            material.people,
            material.nothing,
            hints,
            request.own_prompt,
            material.spare,
            left_out,
            team,
        )
    )
    return Composed(inputs, request, material, hints, continuity, layout, left_out)


def _hints(inputs: ContextInputs, request: ContextRequest) -> Sequence[SteeringMessage]:
    if request.own_prompt:
        return ()
    session = inputs.session
    return steer(
        _views(inputs.messages),
        recovering=session.recovering,
        paused=inputs.pause is not None,
        tool_at=session.memory_tool_at,
    )


def _note(
    tenant: Tenant | UUID, actor: Actor, inputs: ContextInputs, layout: Layout, material: RecalledMaterial
) -> None:
    """A line of the log with all that was given; what was about the question, and is shown, counts as used.

    What You Know stands there whatever is asked: to count it each time would only keep it where it is.
    """
    given = [*layout.known, *(card.memory_id for card in layout.cards)]
    record_read(
        tenant=tenant,
        actor=actor,
        action="context.read",
        person_id=inputs.session.person_id,
        memory_ids=[UUID(id) for id in dict.fromkeys(given) if id],
        session_id=inputs.session.pk,
    )
    prompt = f"{layout.stable}\n{layout.dynamic}"
    used = [
        id for id, memory in material.near.items() if str(id) in given or one_line(memory.value) in prompt
    ]
    if used:
        count_access(tenant=tenant, memory_ids=used)


def _recall(
    tenant: Tenant | UUID, inputs: ContextInputs, request: ContextRequest, answered: Message | None
) -> RecalledMaterial:
    if not recalls(inputs, request):
        return RecalledMaterial()
    query = search_query(inputs, request)
    found = recall_for(tenant=tenant, inputs=inputs, query=query, vector=request.vector)
    floor, model = Floor.at(inputs.tenant.relevance_floor), serving_model_of(request.vector)
    whole = floor.of_all(len(found.hits), found.texts)
    judged = judge_relevance(request.sought, found.hits, model=model, floor=whole)
    passing = [] if _only_greets(inputs, request) else _without_idle(judged.passing, found, floor)
    hits = hits_of(passing)
    memories = _memories_of(hits, found)
    leading = hits_of(one for one in passing if judged.stands_alone(one))
    return RecalledMaterial(
        cards=list_cards(hits, memories, before=found.before, known=()),
        spare=list_cards(_list_spare(found, hits, whole), found.memories, before=found.before, known=()),
        people=found.list_people(_memories_of(leading, found).values()),
        near=memories,
        behind=len(list_behind(hits, memories, answered=answered)),
        spoken=_list_far(inputs, request, found.hits, answered) if not hits else None,
        nothing=not hits and _asks_in_vain(inputs, request),
        found=found,
        judged=judged,
    )


def _asks_in_vain(inputs: ContextInputs, request: ContextRequest) -> bool:
    """Whether something is asked for which nothing was found, and what stands there anyway doesn't answer it."""
    says_nothing = _only_greets(inputs, request) or asks_nothing(request.query)
    return not says_nothing and not is_answered_above(inputs, request.sought)


def _only_greets(inputs: ContextInputs, request: ContextRequest) -> bool:
    """Whether nothing is asked, also where one says who one is: "Good evening, Owen here!"."""
    words = _WORD.findall(request.query)
    own = {word.lower() for word in _WORD.findall(inputs.person.display_name)}
    return is_bare(" ".join(word for word in words if word.lower() not in own))


def _without_idle(passing: Sequence[Rated], found: Recalled, floor: Floor) -> list[Rated]:
    """Without moods and remarks, unless they are as much about the query as the best of many must be."""
    return [one for one in passing if one.relevance >= floor.many or not found.is_passing(one.hit)]


def _memories_of(hits: Iterable[Hit], found: Recalled) -> dict[UUID, Memory]:
    return {id: found.memories[id] for hit in hits if (id := hit.memory_id) and id in found.memories}


def _recall_team(inputs: ContextInputs, request: ContextRequest) -> Sequence[TeamMemory]:
    """What others shared that is about the query, where the tenant lets them."""
    if not inputs.tenant.shares or not recalls(inputs, request):
        return ()
    return find_team_memories(
        tenant=inputs.tenant, person_id=inputs.person.pk, question=request.sought, vector=request.vector
    )


def _list_spare(found: Recalled, hits: Sequence[Hit], floor: Floor) -> list[Hit]:
    """The other results, where enough was found for the ranking to tell something, and some is about the query."""
    if not hits or not floor.leaves_to_ranking(len(found.hits)):
        return []
    shown = set(map(id, hits))
    return [hit for hit in found.hits if id(hit) not in shown and not found.is_passing(hit)]


def _list_far(
    inputs: ContextInputs, request: ContextRequest, hits: Sequence[Hit], answered: Message | None
) -> list[str] | None:
    """What the search found, where it compared meanings and nothing is even near; None where something may be."""
    own = 0 if answered is None else 1  # its vector comes a moment later
    model = serving_model_of(request.vector)
    if not is_measured(model) or inputs.waiting.vectors > own or inputs.tenant.relevance_floor is not None:
        return None
    near = judge_relevance(request.sought, hits, model=model, floor=Floor.at(NEAR_ENOUGH)).passing
    return None if near else [hit.text for hit in hits]


def _telling(
    inputs: ContextInputs, material: RecalledMaterial, answered: Message | None
) -> Callable[[], Iterable[str]] | None:
    """All that there is to go on from, in words, but for the message that is answered."""
    spoken = material.spoken
    if spoken is None or not inputs.tenant.user_memory:
        return None
    asked = {} if answered is None else {answered.words, answered.content}

    def tell() -> Iterator[str]:
        yield from (text for text in spoken if text not in asked)
        yield from (message.words for message in inputs.messages if message is not answered)
        yield from list_texts(inputs.background)
        yield from (inputs.session.served_summary, inputs.session.served_task)
        yield from (memory.value for memory in inputs.known)
        yield from (todo.text for todo in inputs.todos)

    return tell


def recalls(inputs: ContextInputs, request: ContextRequest) -> bool:
    """Whether anything is searched for."""
    return not request.lean and request.recall and inputs.recalls and bool(request.query.strip())


def _by_words(inputs: ContextInputs, request: ContextRequest) -> bool:
    """Whether something was searched for, and its question has no vector."""
    return request.vector is None and recalls(inputs, request)


def search_query(inputs: ContextInputs, request: ContextRequest) -> SearchQuery:
    """What is searched for, and for whom."""
    return SearchQuery(
        text=request.sought,
        person_id=inputs.session.person_id,
        limit=max(RECALLED, min(request.token_budget // CARD_EVERY, RECALLED_MOST)),
        persona_id=inputs.persona.pk,
        session_id=inputs.session.pk,
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


def _views(messages: Sequence[Message]) -> list[RecentMessage]:
    return [RecentMessage(m.role, m.name, m.words, m.recorded_at) for m in messages[-STEERING_WINDOW:]]


def _shared(inputs: ContextInputs, layout: Layout) -> SharedFields:
    return shared_json(layout.team) if inputs.tenant.shares else NOTHING_SHARED


def _answer(made: Composed) -> ContextFields:
    inputs, layout, continuity = made.inputs, made.layout, made.continuity
    return {
        "stable": layout.stable,
        "dynamic": layout.dynamic,
        "messages": layout.messages,
        "steering": [{"name": hint.name, "content": hint.content} for hint in made.hints],
        "cards": [card.as_dict() for card in layout.cards],
        "tokens": layout.tokens,
        **_shared(inputs, layout),
        "continuity": {
            "ok": True,
            "history": continuity.history,
            "summary": continuity.summary,
            "recalled": continuity.recalled,
        },
        **completeness(inputs.waiting, by_words=_by_words(inputs, made.request)),
        "onboarding_needed": inputs.tenant.user_memory and onboarding_needed(inputs.person),
        "paused": paused_json(inputs.pause),
        **render_as(
            made.request.format, Rendering(layout.stable, layout.dynamic, layout.messages, made.hints)
        ),
    }

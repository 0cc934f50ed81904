"""Learning from a conversation, by a job: it reads what the turns left unread, compares new facts with known ones, and
asks a chat model, if one is configured, for what it finds.

Idle extraction and the flush before compaction share one watermark, `extracted_seq`, so neither repeats the other's
work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from uuid import UUID

from memories.extraction.answer import ExtractionAnswer
from memories.extraction.known import Known
from memories.extraction.material import CONTEXT_MESSAGES, count_fitting
from memories.forgetting.repeats import look_for_unmentioned, withhold_repeats
from memories.learning.confidential import ConfidentialSpans
from memories.learning.relation_effects import ReadMessage, apply_relations_later, without_own
from memories.learning.relations import list_near, relate
from memories.learning.run import RunContext, apply_extraction, embed_answer, extract
from memories.learning.told_ahead import end_what_is_over
from memories.new_memory import NewMemory
from memories.storing.comparing import Comparison, Mark, compare_batch
from memories.understanding import Understanding
from nebo.jobs.claims import Claim
from nebo.llm.errors import LlmError
from nebo.llm.routing import has_chat_model
from nebo.llm.types import ChatMessage
from nebo.reading.meaning.reader import read_text
from nebo.tenants.actor import Actor
from nebo.tenants.models import BroughtWords
from nebo.tenants.scoping import tenant_scope
from personality.wishes.model_styles import consider_styles, end_replaced_rules, without_decided
from personality.wishes.relations import list_current_rules, relate_rules
from sessions.learning.active_task import begun_at, task_after
from sessions.learning.audience import audience_of, find_confidential_again, open_unconfidential
from sessions.learning.turn import keep_answers, learn_from_messages
from sessions.material import as_material, count_for_a_turn
from sessions.models import Message, Session
from sessions.scheduling import session_of
from sessions.selectors import list_messages_before, list_unread_messages

LOOKED_AT = 1_000  # unread messages; more never fit into one run


@dataclass(frozen=True, slots=True)
class ExtractionWindow:
    """What one run reads: messages in their order, the few before them that were read earlier, and whether more
    wait behind.
    """

    session: Session
    messages: tuple[Message, ...]
    before: tuple[Message, ...]
    more: bool

    @property
    def material(self) -> tuple[ChatMessage, ...]:
        return tuple(map(as_material, self.messages))

    @property
    def seqs(self) -> tuple[int, int]:
        """The first and the last."""
        return self.messages[0].seq, self.messages[-1].seq

    @property
    def names(self) -> tuple[str, ...]:
        """What the person is called, who needs no quote to be named."""
        person = self.session.person
        return tuple(filter(None, (person.display_name, person.external_id)))

    @property
    def people(self) -> list[Message]:
        """What people said in it."""
        return [message for message in self.messages if message.is_own]


@dataclass(frozen=True, slots=True)
class _Learned:
    """What was found out with no transaction open."""

    understood: Mapping[UUID, Understanding]
    answer: ExtractionAnswer | None
    vectors: Mapping[str, list[float]]
    compared: Mapping[Mark, Comparison]


def find_window(*, tenant_id: UUID, session_id: UUID) -> ExtractionWindow | None:
    """The next part of a session that was not learned from; None when there is none."""
    rows = Session.objects.for_tenant(tenant_id).select_related("tenant", "person", "persona")
    session = rows.filter(pk=session_id).first()
    if session is None:
        return None
    messages = list_unread_messages(tenant=session.tenant, session=session, limit=LOOKED_AT)
    if not messages:
        return None
    asks = session.auto_extract and has_chat_model()
    count = count_fitting(tuple(map(as_material, messages))) if asks else count_for_a_turn(messages)
    before = list_messages_before(
        tenant=session.tenant, session_id=session.pk, seq=messages[0].seq, limit=CONTEXT_MESSAGES
    )
    return ExtractionWindow(session, tuple(messages[:count]), tuple(before), more=count < len(messages))


def extract_session(*, claim: Claim, trigger: str) -> None:
    """One run over one session: it is read, and a model is asked, with no transaction open."""
    with tenant_scope(claim.tenant_id):
        window = find_window(tenant_id=claim.tenant_id, session_id=session_of(claim))
    if window is None:
        with claim.publish() as result:
            result["read"] = 0
        return
    understood = _understand(window)
    learned = _ask(claim, window, understood)
    with claim.publish() as result:
        session = _lock_unread(window)
        claim.hold_words()
        if session is None:
            result["read"] = 0
            return
        actor = Actor(kind="job", id=str(claim.job_id))
        result.update(_publish(session, window, learned, claim, actor, trigger), read=len(window.messages))
        session.extracted_seq = window.seqs[1]
        session.save(update_fields=["extracted_seq", "active_task"])
        if window.more:
            claim.give_way()


def _understand(window: ExtractionWindow) -> dict[UUID, Understanding]:
    session, people = window.session, window.people
    earlier = [message for message in window.before if message.is_own]
    asked = _list_asked((*window.before, *window.messages))
    texts = [message.content for message in (*earlier, *people)]
    before = ["", *texts[:-1]][len(earlier) :]
    readings = relate(
        tenant=session.tenant_id,
        person_id=session.person_id,
        persona_id=session.persona_id,
        readings=[
            read_text(message.content, before=previous, asked=asked.get(message.pk, ""))
            for message, previous in zip(people, before, strict=True)
        ],
        thorough=session.auto_extract,
    )
    readings = relate_rules(
        tenant=session.tenant_id,
        person_id=session.person_id,
        persona_id=session.persona_id,
        understood=readings,
    )
    understood = {message.pk: found for message, found in zip(people, readings, strict=True)}
    understood |= {message.pk: Understanding(read_text(message.content)) for message in earlier}
    return understood


def _list_asked(messages: Sequence[Message]) -> dict[UUID, str]:
    """What somebody else said right before each of these, which may have asked what it answers."""
    return {
        message.pk: previous.words
        for previous, message in pairwise(messages)
        if message.is_own and _may_ask(previous, message)
    }


def _may_ask(previous: Message, message: Message) -> bool:
    """Whether it was said by the assistant, or by another person of the talk; not by a tool or a page."""
    if previous.role == Message.Role.USER:
        return previous.is_own and previous.name != message.name
    return previous.role == Message.Role.ASSISTANT and previous.trust in ("", BroughtWords.ASSISTANT)


def _ask(claim: Claim, window: ExtractionWindow, understood: Mapping[UUID, Understanding]) -> _Learned:
    """What the chat model proposes, where one is configured. Raises LlmError.

    What people said needs no model: while all of them fail, or answer nonsense, it is heard all the
    same, and hearing it again with the next try changes nothing.
    """
    if not (window.session.auto_extract and has_chat_model()):
        return _Learned(understood, None, {}, {})
    with tenant_scope(claim.tenant_id):
        known = _list_known(window)
    before = tuple(map(as_material, window.before))
    try:
        answer = extract(window.material, before=before, names=window.names, known=known)
    except LlmError:
        with tenant_scope(claim.tenant_id):
            session = _lock_unread(window)
            claim.hold_words()
            if session is not None:
                _learn_from_people(session, window, understood, Actor(kind="job", id=str(claim.job_id)))
        raise
    session = window.session
    vectors = embed_answer(tenant=session.tenant, answer=answer)
    compared = compare_batch(tenant=session.tenant, person_id=session.person_id, news=answer.facts)
    return _Learned(understood, answer, vectors, compared)


def _list_known(window: ExtractionWindow) -> Known:
    session = window.session
    tenant, person_id, persona_id = session.tenant_id, session.person_id, session.persona_id
    text = "\n".join(message.content for message in window.people)
    near = list_near(
        tenant=tenant,
        person_id=person_id,
        persona_id=persona_id,
        text=text,
        messages=[message.pk for message in window.messages],
    )
    rules = list_current_rules(tenant=tenant, person_id=person_id, persona_id=persona_id)
    return replace(near, wishes=rules)


def _publish(
    session: Session, window: ExtractionWindow, learned: _Learned, claim: Claim, actor: Actor, trigger: str
) -> dict[str, object]:
    """Everything that was learned, in the job's own transaction; counts of what came of it."""
    counts, confidential = _learn_from_people(session, window, learned.understood, actor)
    if learned.answer is not None:
        counts |= _apply_answer(session, window, learned, claim, actor, trigger, confidential)
    return {name: count for name, count in counts.items() if count}


def _learn_from_people(
    session: Session, window: ExtractionWindow, understood: Mapping[UUID, Understanding], actor: Actor
) -> tuple[dict[str, object], ConfidentialSpans]:
    """Read what no turn has read yet: learn from it, decide who may see it, and close what it replaces."""
    said = window.messages[-1].created_at
    end_what_is_over(tenant=session.tenant, person=session.person, at=said, actor=actor)
    material = tuple(map(as_material, (*window.before, *window.messages)))
    confidential = find_confidential_again(session=session, messages=material, understood=understood)
    learned = learn_from_messages(
        tenant=session.tenant,
        session=session,
        messages=[message for message in window.people if not message.read_in_turn],
        understood=understood,
        confidential=confidential,
        actor=actor,
    )
    session.active_task = _task_after(session, window, understood)
    first, last = window.seqs
    replies = [m for m in window.messages if m.role == Message.Role.ASSISTANT]
    withhold_repeats(tenant=session.tenant, person=session.person, replies=replies)
    look_for_unmentioned(tenant=session.tenant, person=session.person, messages=window.messages)
    open_unconfidential(
        tenant=session.tenant, session=session, confidential=confidential, first=first, last=last
    )
    settled = _settle(session, window, understood, confidential, actor)
    return {"learned": len(learned.memories), "settled": settled}, confidential


def _task_after(session: Session, window: ExtractionWindow, understood: Mapping[UUID, Understanding]) -> str:
    """What no turn has read may begin or end the task too, unless it was begun by something said later and read in its
    turn; of what is folded the compaction knew.
    """
    unread = [one for one in window.people if not (one.read_in_turn or one.compacted)]
    if not unread:
        return session.active_task
    rows = Message.objects.for_tenant(session.tenant_id).filter(session=session, seq__gt=unread[0].seq)
    later = rows.filter(role=Message.Role.USER, read_in_turn=True).order_by("-seq")[:LOOKED_AT]
    begun = begun_at(session.active_task, later)
    return task_after(session.active_task, [one for one in unread if one.seq > begun], understood)


def _settle(
    session: Session,
    window: ExtractionWindow,
    understood: Mapping[UUID, Understanding],
    confidential: ConfidentialSpans,
    actor: Actor,
) -> int:
    """Compare what the turns themselves learned with what was known before; too slow to do in a turn."""
    early = {message.pk: message for message in window.people if message.read_in_turn}
    if not early or not session.auto_extract:
        return 0
    understood = without_own(tenant=session.tenant, understood={pk: understood[pk] for pk in early})
    keep_answers(
        session=session,
        messages=list(early.values()),
        understood=understood,
        confidential=confidential,
        actor=actor,
    )
    return apply_relations_later(
        tenant=session.tenant,
        person=session.person,
        messages=[
            ReadMessage(pk, message.created_at, understood[pk], message.name) for pk, message in early.items()
        ],
        actor=actor,
    )


def _apply_answer(
    session: Session,
    window: ExtractionWindow,
    learned: _Learned,
    claim: Claim,
    actor: Actor,
    trigger: str,
    confidential: ConfidentialSpans,
) -> dict[str, object]:
    answer = learned.answer
    assert answer is not None
    answer = replace(answer, styles=_weigh_styles(session, answer, actor))
    context = RunContext(
        tenant=session.tenant,
        person=session.person,
        actor=actor,
        trigger=trigger,
        session_id=session.pk,
        job_id=claim.job_id,
        seqs=window.seqs,
        persona_id=audience_of(session),
        todo_persona_id=session.persona_id,
        confidential=confidential,
    )
    counts = apply_extraction(
        context=context, answer=answer, vectors=learned.vectors, compared=learned.compared
    )
    return {**counts, "model": f"{answer.provider}/{answer.model}"}


def _weigh_styles(session: Session, answer: ExtractionAnswer, actor: Actor) -> tuple[NewMemory, ...]:
    """Those that are learned, once all have been weighed as wishes: nothing beside what was decided otherwise."""
    whose = {"tenant": session.tenant, "person": session.person, "persona": session.persona}
    if answer.styles:
        end_replaced_rules(**whose, styles=answer.styles, actor=actor)
        consider_styles(**whose, styles=answer.styles, actor=actor)
    return without_decided(**whose, styles=answer.styles)


def _lock_unread(window: ExtractionWindow) -> Session | None:
    """The session, locked, unless another run has read this stretch meanwhile."""
    rows = Session.objects.for_tenant(window.session.tenant).select_related("tenant", "person", "persona")
    session = rows.select_for_update(of=("self",), no_key=True).filter(pk=window.session.pk).first()
    if session is None or session.extracted_seq != window.session.extracted_seq:
        return None
    return session

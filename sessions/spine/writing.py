"""The spine: from twenty messages on, all that lasts about a person, written anew every twenty messages and versioned.

One a person. With a model, each persona's conversation is shown apart, with what that persona may know, so that no
answer can carry a promise from one to another; a line that nobody said is dropped. Without one, the lines are put
together from live memories, open todos and what earlier conversations were about. Either way a line names the memories
it rests on, and is out of sight as soon as one of them is gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from uuid import UUID

from django.db.models import F, Q
from django.db.models.functions import Greatest
from django.utils import timezone

from memories.extraction.material import count_fitting, render_material
from memories.learning.confidential import read_confidential
from memories.screening.personal import is_told_freely
from nebo.jobs.claims import Claim
from nebo.llm.prompts import prompt_hash, read_prompt, render_prompt
from nebo.llm.providers.rules import RulesModel
from nebo.llm.routing import has_chat_model
from nebo.llm.types import ChatReply, ChatRequest
from nebo.reading.meaning.reader import NOTHING_READ, Reading, read_text
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import tenant_scope
from personality.models import Persona
from sessions.learning.audience import listener_of
from sessions.material import as_material
from sessions.models import Message, Session, SessionState, Spine
from sessions.spine import sections
from sessions.spine.known_facts import KnownFacts, compose_spine, read_known
from sessions.spine.lines import cite, cite_messages
from sessions.spine.selectors import find_spine, list_current_sections
from sessions.summaries.supported import SYSTEM, complete
from sessions.summaries.text import parse_spine
from sessions.turns.state import SPINE_MESSAGES, enqueue_spine

PROMPT = "sessions:prompts/spine.txt"
SESSIONS_A_RUN = 20  # conversations read at most; the next run goes on
MESSAGES_A_RUN = 400
MAX_ANSWER_TOKENS = 4_096
KNOWN_LINES = 60  # memories that a model is shown beside a conversation
BY_RULE = f"{RulesModel.provider}/{RulesModel.model}"


@dataclass(frozen=True, slots=True)
class SpinePart:
    """What was said to one persona since the last version; `alone` if no other may know."""

    audience: str
    alone: bool
    messages: tuple[Message, ...]


@dataclass(slots=True)
class SpineDraft:
    """A version being written: the one before, what it reads, and who wrote it. `private`: personas that keep to
    themselves all that they learn.
    """

    person: UserProfile
    before: Spine | None
    unread: Sequence[Message]
    private: frozenset[UUID]
    more: bool
    read_at: datetime
    known: KnownFacts
    spine: sections.Spine = field(default_factory=dict)
    cites: sections.Cites = field(default_factory=dict)
    model: str = ""
    parts: Sequence[SpinePart] = ()

    @property
    def count(self) -> int:
        return sum(len(part.messages) for part in self.parts)


def write_spine(*, claim: Claim) -> None:
    """A new version from what no version has read; with fewer than twenty messages there is none."""
    with tenant_scope(claim.tenant_id):
        writing = _find_writing(claim)
    if writing and writing.unread:
        _write(writing)
    with claim.publish() as result:
        result["read"] = _publish(claim, writing) if writing else 0


def _write(writing: SpineDraft) -> None:
    """With no transaction open; raises LlmError."""
    if not has_chat_model():
        writing.parts = [SpinePart(sections.SHARED, False, tuple(writing.unread))]
        writing.spine, writing.cites = compose_spine(writing.known, name=writing.person.display_name)
        writing.model = BY_RULE
        return
    writing.parts = _parts_of(writing)
    for part in writing.parts:
        _write_part(writing, part)


def _find_writing(claim: Claim) -> SpineDraft | None:
    tenant_id = claim.tenant_id
    people = UserProfile.objects.for_tenant(tenant_id).select_related("tenant")
    read_at = timezone.now()
    person = people.filter(Q(pk=claim.person_id)).first()
    if person is None:
        return None
    unread = _list_unread(tenant_id, person.pk)
    count = count_fitting(tuple(map(as_material, unread)))
    before = find_spine(tenant=tenant_id, person_id=person.pk)
    own = Persona.objects.for_tenant(tenant_id).filter(memory_scope=Persona.MemoryScope.OWN)
    return SpineDraft(
        person=person,
        before=before,
        unread=unread[:count] if len(unread) >= SPINE_MESSAGES else (),
        private=frozenset(own.values_list("pk", flat=True)),
        more=len(unread) - count >= SPINE_MESSAGES or len(unread) == MESSAGES_A_RUN,
        read_at=read_at,
        known=read_known(tenant=person.tenant, person_id=person.pk),
        spine=list_current_sections(tenant=tenant_id, spine=before) if before else {},
        cites=dict(before.cites) if before else {},
    )


def _list_unread(tenant_id: UUID, person_id: UUID) -> list[Message]:
    """What no version has read, one conversation after the other; none of those that nothing is learned from."""
    rows = Session.objects.for_tenant(tenant_id).filter(person_id=person_id, auto_extract=True)
    waiting = rows.filter(spine_seq__lt=F("next_seq") - 1).order_by("started_at", "id")
    unread = Q(pk__in=())
    for session_id, read in waiting.values_list("pk", "spine_seq")[:SESSIONS_A_RUN]:
        unread |= Q(session_id=session_id, seq__gt=read)
    found = Message.objects.for_tenant(tenant_id).filter(unread).select_related("session")
    return list(found.order_by("session__started_at", "session_id", "seq")[:MESSAGES_A_RUN])


def _parts_of(writing: SpineDraft) -> list[SpinePart]:
    """By persona, and apart what is for it alone: all that one hears that keeps to itself, and what was confided.

    Reads what people said, 5 ms a sentence: with no transaction open.
    """
    parts: dict[tuple[str, bool], list[Message]] = {}
    for _, group in groupby(writing.unread, key=lambda message: message.session_id):
        messages = list(group)
        persona_id = listener_of(messages[0].session)
        confidential = read_confidential(persona_id, [(m.pk, m.role, _read(m)) for m in messages])
        for message in messages:
            alone = (
                persona_id in writing.private
                or message.pk in confidential.spans
                or message.pk in confidential.replies
            )
            parts.setdefault((str(persona_id), alone), []).append(message)
    return [SpinePart(audience, alone, tuple(messages)) for (audience, alone), messages in parts.items()]


def _read(message: Message) -> Reading:
    return read_text(message.content) if message.role == Message.Role.USER else NOTHING_READ


def _write_part(writing: SpineDraft, part: SpinePart) -> None:
    """Ask a model, with no transaction open; raises LlmError."""
    before = sections.view_to_revise(writing.spine, part.audience, alone=part.alone)
    remembered = writing.known.seen_by(part.audience, alone=part.alone)
    reply = _ask(part, sections.render_spine(before), [one.value for one in remembered[:KNOWN_LINES]])
    policy = writing.person.tenant.sensitive_classes
    answer = {
        name: [line for line in items if is_told_freely(policy, line) or cite(line, remembered)]
        for name, items in parse_spine(reply.text).items()
    }
    writing.spine = sections.revise_spine(writing.spine, part.audience, answer, alone=part.alone)
    after = sections.view_to_revise(writing.spine, part.audience, alone=part.alone)
    for line in (line for items in after.values() for line in items):
        rests_on = {"memories": cite(line, remembered), "messages": cite_messages(line, part.messages)}
        writing.cites.setdefault(line, {kind: ids for kind, ids in rests_on.items() if ids})
    writing.model = f"{reply.provider}/{reply.model}"


def _ask(part: SpinePart, earlier: str, remembered: Sequence[str]) -> ChatReply:
    material = tuple(map(as_material, part.messages))
    prompt = render_prompt(
        PROMPT,
        items=sections.ITEMS,
        chars=sections.ITEM_CHARS,
        earlier=earlier,
        remembered="\n".join(f"- {value}" for value in remembered) or "(nothing)",
        conversation=render_material(material),
    )
    request = ChatRequest(
        task="spine",
        system=SYSTEM,
        prompt=prompt,
        material=material,
        earlier=earlier,
        max_output_tokens=MAX_ANSWER_TOKENS,
    )
    return complete(request, known=remembered)


def _publish(claim: Claim, writing: SpineDraft) -> int:
    """The version, the watermarks and the counts; 0 when there was too little to read, or another run was first."""
    tenant, person = writing.person.tenant, writing.person
    _hold_conversations(tenant, writing)
    claim.hold_words()
    if find_spine(tenant=tenant, person_id=person.pk) != writing.before:
        return 0
    if not writing.count:  # the counts were off: what they counted is read, or is not to be learned from
        states = SessionState.objects.for_tenant(tenant).filter(person_id=person.pk)
        states.update(spine_message_count=0)
        return 0
    Spine.objects.for_tenant(tenant).create(
        person=person,
        version=writing.before.version + 1 if writing.before else 1,
        sections=writing.spine,
        cites=sections.cites_of(writing.spine, writing.cites),
        message_count=writing.count,
        model=writing.model,
        prompt_hash=prompt_hash(read_prompt(PROMPT)),
    )
    _advance(tenant, [message for part in writing.parts for message in part.messages])
    if writing.more:
        enqueue_spine(tenant=tenant, person_id=person.pk)
    return writing.count


def _hold_conversations(tenant: Tenant, writing: SpineDraft) -> None:
    """Before the person, in the order of every turn: a turn that holds its session waits for the person's row."""
    read = {message.session_id for part in writing.parts for message in part.messages}
    rows = Session.objects.for_tenant(tenant).filter(pk__in=read).order_by("pk")
    list(rows.select_for_update(no_key=True).values_list("pk"))


def _advance(tenant: Tenant, messages: Sequence[Message]) -> None:
    """What was read is read: the last message of each conversation, and the counts of its state."""
    by_session: dict[UUID, list[Message]] = {}
    for message in messages:
        by_session.setdefault(message.session_id, []).append(message)
    for session_id, read in by_session.items():
        last = max(message.seq for message in read)
        Session.objects.for_tenant(tenant).filter(pk=session_id).update(spine_seq=last)
        states = SessionState.objects.for_tenant(tenant).filter(
            Q(persona_id=read[0].session.persona_id), person_id=read[0].person_id
        )
        states.update(spine_message_count=Greatest(F("spine_message_count") - len(read), 0))

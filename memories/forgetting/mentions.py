"""What says the same as a forgotten memory in other words: looked for by words and vectors, decided by meaning.

For a job: nothing here is read or decided inside a transaction but what it looks up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from django.db.models import Q

from memories.forgetting.topic_trail import TopicTrail, decide_trail, find_trail
from memories.models import Memory, Withheld
from memories.new_memory import NewMemory
from memories.normalize import parse_namespace
from memories.selectors import list_observations
from memories.storing.comparing import compare_one
from memories.storing.vectors import embed_question
from memories.withholding.lines import list_lines
from memories.withholding.withholding import MessageSpan, list_messages
from memories.withholding.word_sets import WordSets, beginning_of, word_sets_of
from nebo.reading.meaning.reader import relation
from nebo.reading.meaning.sentences import list_sentences
from nebo.reading.relations.same_fact import is_same_text
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_scope
from search.retrieval.nearest import list_nearest_turns

WITH_WORDS = 300  # messages with a telling word, the newest
NEAREST = 60  # passages by vector
OTHER = 0.5  # chance of another matter, from which shared words are a coincidence
ANOTHER = 0.8  # the same, from which not even all the words speak for it
SAME = 0.9  # chance that a sentence without shared words says it …
NEAR = 0.55  # … where its message is as near as this by cosine
LOOKED_THROUGH = 500  # memories that aren't live, the last changed
READ = 600  # sentences that are read, 7 ms each


@dataclass(frozen=True, slots=True)
class ForgottenMemory:
    """A memory and the wordings that are forgotten with it, and what may say the same."""

    memory: Memory
    wordings: tuple[str, ...]
    telling: WordSets
    messages: Sequence[Any] = ()
    lines: Sequence[str] = ()
    near: dict[tuple[UUID, int], float] = field(default_factory=dict)
    trail: TopicTrail | None = None


def find_forgotten(*, tenant: Tenant | UUID, memory_id: UUID) -> ForgottenMemory | None:
    """What is forgotten with a memory; None where it stands again, or is gone. Opens scopes of its own."""
    with tenant_scope(tenant):
        withheld = Withheld.objects.for_tenant(tenant).filter(memory_id=memory_id)
        rows = Memory.objects.for_tenant(tenant).select_related("person")
        memory = rows.filter(pk=memory_id).first()
        if memory is None:
            return None
        stretches = list(withheld.filter(found=Withheld.Found.QUOTE))
        texts = {
            m.pk: m.content for m in list_messages(tenant).filter(pk__in=[w.message_id for w in stretches])
        }
        deleted = memory.status in Memory.FORGOTTEN
        seen = list(list_observations(tenant=tenant, memory=memory))
    quotes = [texts[one.message_id][one.start : one.end] for one in stretches if one.message_id in texts]
    if not deleted and not quotes:
        return None
    wordings = tuple(dict.fromkeys([memory.value, *quotes] if deleted else quotes))
    gone = seen if deleted else [one for one in seen if one.quote in quotes]
    telling = word_sets_of(memory, wordings[0], gone)
    vector = embed_question(tenant=tenant, text=wordings[0])
    with tenant_scope(tenant):
        return _with_candidates(tenant, ForgottenMemory(memory, wordings, telling), vector)


@dataclass(frozen=True, slots=True)
class Mentions:
    """What says it, in conversations and in lines beside them, and what may be about it."""

    stretches: Sequence[MessageSpan]
    lines: Sequence[str]
    unclear: Sequence[MessageSpan] = ()


def decide_mentions(forgotten: ForgottenMemory) -> Mentions:
    """The sentences and the lines that say it. Reads some milliseconds each: outside any transaction."""
    sentences = [(m, one) for m in forgotten.messages for one in list_sentences(m.content)][:READ]
    stretches = [
        MessageSpan(message, one.start, one.end, Withheld.Found.MEANING)
        for message, one in sentences
        if says_it(forgotten, one.text, near=forgotten.near.get((message.session_id, message.seq), 0.0))
    ]
    clear, unclear = decide_trail(forgotten.trail) if forgotten.trail else ([], [])
    lines = [line for line in forgotten.lines if says_it(forgotten, line)]
    known = {(one.message.pk, one.start) for one in stretches}
    asked = [one for one in unclear if (one.message.pk, one.start) not in known]
    return Mentions([*stretches, *clear], lines, asked)


def says_it(forgotten: ForgottenMemory, text: str, *, near: float = 0.0) -> bool:
    """Whether a text says what was forgotten: it has its words and is about the same, or surely means the same."""
    if forgotten.telling.is_all_in(text):
        return not is_another_topic(forgotten, text)
    has_words = forgotten.telling.may_be_in(text)
    if not has_words and near < NEAR:
        return False
    found = [relation(wording, text) for wording in forgotten.wordings[:2]]
    if has_words:
        return any(chances.get("other", 1.0) < OTHER for chances in found)
    return any(chances.get("same", 0.0) >= SAME for chances in found)


def list_alike(*, tenant: Tenant | UUID, forgotten: ForgottenMemory) -> list[UUID]:
    """Known memories that say the same as a marked one: they go with it. Of what is never to be mentioned also those
    that aren't live and have its words, since one may ask for them by their state. Opens scopes of its own.
    """
    memory = forgotten.memory
    if memory.status not in Memory.BLOCKED:
        return []
    new = NewMemory(
        value=memory.value,
        layer=memory.layer,
        namespace=parse_namespace(memory.namespace).name,
        entity_refs=tuple(memory.entity_refs),
        entity_label=memory.entity_label,
        scope=memory.scope,
        metadata=memory.metadata,
    )
    alike = compare_one(tenant=tenant, person_id=memory.person_id, new=new).those("same")
    return [*alike, *_list_past(tenant, forgotten)] if memory.status == Memory.Status.UNMENTIONED else alike


def _list_past(tenant: Tenant | UUID, forgotten: ForgottenMemory) -> list[UUID]:
    with tenant_scope(tenant):
        rows = Memory.objects.for_tenant(tenant).filter(
            person_id=forgotten.memory.person_id, status__in=Memory.PAST
        )
        past = list(rows.order_by("-updated_at").values_list("pk", "value")[:LOOKED_THROUGH])
    return [
        pk
        for pk, value in past
        if forgotten.telling.is_all_in(value) or is_same_text(value, forgotten.memory.value)
    ]


def is_another_topic(forgotten: ForgottenMemory, text: str) -> bool:
    """Whether a text with all the words surely says them of something else: "My sister is allergic to penicillin"."""
    found = [relation(wording, text) for wording in forgotten.wordings[:2]]
    return all(chances.get("other", 0.0) >= ANOTHER for chances in found)


def list_other_topics(forgotten: ForgottenMemory) -> list[MessageSpan]:
    """Sentences that were withheld for their words at once, and are about something else."""
    return [
        MessageSpan(message, one.start, one.end, Withheld.Found.WORDS)
        for message in forgotten.messages
        for one in list_sentences(message.content)
        if forgotten.telling.is_all_in(one.text) and is_another_topic(forgotten, one.text)
    ]


def _with_candidates(
    tenant: Tenant | UUID, forgotten: ForgottenMemory, vector: list[float] | None
) -> ForgottenMemory:
    person_id = forgotten.memory.person_id
    nearest = (
        list_nearest_turns(tenant=tenant, person_id=person_id, vector=vector, limit=NEAREST) if vector else []
    )
    near = {(session_id, seq): similarity for session_id, seq, similarity in nearest}
    wanted = _has_word(forgotten.telling)
    found = list(
        list_messages(tenant).filter(wanted, person_id=person_id).order_by("-recorded_at")[:WITH_WORDS]
    )
    found += list_messages(tenant).filter(_at(near), person_id=person_id)
    messages = list({message.pk: message for message in found}.values())
    lines = list_lines(tenant=tenant, person_id=person_id)
    trail = find_trail(tenant=tenant, memory=forgotten.memory, wordings=forgotten.wordings)
    return replace(forgotten, messages=messages, lines=lines, near=near, trail=trail)


def _has_word(telling: WordSets) -> Q:
    wanted = Q(pk=None)
    for word in {word for words in telling.sets for word in words}:
        wanted |= Q(content__icontains=beginning_of(word))
    return wanted


def _at(near: Iterable[tuple[UUID, int]]) -> Q:
    wanted = Q(pk=None)
    for session_id, seq in near:
        wanted |= Q(session_id=session_id, seq=seq)
    return wanted

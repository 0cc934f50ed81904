"""Forgetting reaches the words: what a forgotten memory rests on, and what says the same, is withheld from agents.

What its observations quote, and sentences with all the same words, are withheld in the same transaction. The job
`forget-elsewhere` (`memories/forgetting/mentions.py`) withholds what says the same in other words. Undoing the
forgetting undoes all of this. The caller has locked the person's row.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db.models import Q, QuerySet

from memories.models import Memory, Observation, Withheld, WithheldLine
from memories.screening.placeholders import WITHHELD, says_nothing, shown_instead
from memories.selectors import list_observations
from memories.withholding.lines import keep_lines
from memories.withholding.word_sets import WordSets, beginning_of, says_all, word_sets_of
from nebo.api.idempotency import hide_in_answers
from nebo.jobs.services import enqueue
from nebo.reading.meaning.sentences import list_sentences
from nebo.reading.words.naming import find_named, named_words
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_id_of
from nebo.tenants.taken_words import count_taken_words
from search.indexing.passages import rewrite_session_chunks

LOOKED_THROUGH = 500  # messages with the same words, the newest
NOTHING_UNDONE: Mapping[str, Any] = MappingProxyType({})
LAST_WORDS_CHARS = 200  # of a person's last message that a state keeps (sessions.turns.state)
BLANK = ""  # the text of a passage of which nothing may be shown


@dataclass(frozen=True, slots=True)
class MessageSpan:
    """`message.content[start:end]`, and what told that it is to be withheld."""

    message: Any
    start: int
    end: int
    found: str


@dataclass(frozen=True, slots=True)
class SpokenRequest:
    """The words of a message that ask to forget something, and name it in doing so."""

    message_id: UUID | None
    words: str


def withhold(*, tenant: Tenant | UUID, memory: Memory, request: SpokenRequest | None = None) -> None:
    """Withhold what a memory rests on that was just forgotten."""
    seen = list(list_observations(tenant=tenant, memory=memory))
    telling = word_sets_of(memory, memory.value, seen)
    asked = _asked(tenant, request, telling) if request else []
    _withhold(tenant, memory, [*_quoted(seen), *_repeated(tenant, memory, telling), *asked], telling)


def list_to_withhold(*, tenant: Tenant | UUID, memory: Memory) -> list[MessageSpan]:
    """What forgetting a memory would withhold at once, in the order of the conversations; nothing is changed."""
    seen = list(list_observations(tenant=tenant, memory=memory))
    found = [*_quoted(seen), *_repeated(tenant, memory, word_sets_of(memory, memory.value, seen))]
    once = {(one.message.pk, one.start, one.end): one for one in found}
    return sorted(once.values(), key=lambda one: (one.message.session_id, one.message.seq, one.start))


def withhold_corrected(*, tenant: Tenant | UUID, memory: Memory, before: str) -> None:
    """Withhold what says the value a memory had `before` somebody corrected it, and no more what says its new one.

    Nothing, where the new wording says all that the old one said.
    """
    lift(tenant=tenant, memory=memory)
    seen = [
        one
        for one in list_observations(tenant=tenant, memory=memory)
        if not says_all(memory.value, of=one.value) and one.value != memory.value
    ]
    if says_all(memory.value, of=before):
        return
    telling = word_sets_of(memory, before, seen)
    again = [one for one in _repeated(tenant, memory, telling) if not _says_new(one, before, memory.value)]
    _withhold(tenant, memory, [*_quoted(seen), *again], telling)


def _says_new(stretch: MessageSpan, before: str, value: str) -> bool:
    """Whether a sentence says what is new in a corrected value too: "I left Porto for Lisbon"."""
    new = named_words(value) - find_named(named_words(value), before)
    return bool(find_named(new, stretch.message.content[stretch.start : stretch.end]))


def _withhold(
    tenant: Tenant | UUID, memory: Memory, stretches: Sequence[MessageSpan], telling: WordSets
) -> None:
    keep_withheld(tenant=tenant, memory=memory, stretches=stretches)
    keep_lines(tenant=tenant, memory=memory, telling=telling)
    hide_in_answers(
        tenant=tenant,
        person_id=memory.person_id,
        words={beginning_of(word) for words in telling.sets for word in words},
        says=telling.may_be_in,
        mark=WITHHELD,
    )
    schedule_elsewhere(tenant=tenant, memory=memory)


def _asked(tenant: Tenant | UUID, request: SpokenRequest, telling: WordSets) -> list[MessageSpan]:
    """The request itself, where it has a word of what is forgotten."""
    message = list_messages(tenant).filter(pk=request.message_id).first()
    start = message.content.find(request.words) if message else -1
    if start < 0 or not telling.is_touched_by(request.words):
        return []
    return [MessageSpan(message, start, start + len(request.words), Withheld.Found.REQUEST)]


def lift(*, tenant: Tenant | UUID, memory: Memory) -> None:
    """Show again what was withheld for this memory alone."""
    WithheldLine.objects.for_tenant(tenant).filter(memory=memory).delete()
    rows = Withheld.objects.for_tenant(tenant).filter(memory=memory)
    withheld = list(rows.values_list("message_id", "session_id", "created_at"))
    if not withheld:
        return
    rows.delete()
    touched = {message_id for message_id, _, _ in withheld}
    show_anew(tenant=tenant, person_id=memory.person_id, message_ids=touched)
    undone = {
        "sessions": sorted({str(session_id) for _, session_id, _ in withheld}),
        "undone_since": min(created_at for _, _, created_at in withheld).isoformat(),
    }
    schedule_elsewhere(tenant=tenant, memory=memory, undone=undone)


def schedule_elsewhere(
    *, tenant: Tenant | UUID, memory: Memory, undone: Mapping[str, Any] = NOTHING_UNDONE
) -> None:
    """What takes longer: the same in other words, and summaries written anew."""
    enqueue(
        tenant=tenant,
        kind="forget-elsewhere",
        payload={"memory_id": str(memory.pk), **undone},
        dedupe_key=f"forget-elsewhere:{memory.pk}",
        person_id=memory.person_id,
    )


def schedule_redaction(*, tenant: Tenant | UUID, memory: Memory) -> None:
    """Have what is withheld for a memory taken out of the messages for good."""
    rows = Withheld.objects.for_tenant(tenant).filter(memory=memory)
    ids = [str(pk) for pk in rows.values_list("pk", flat=True)]
    if ids:
        enqueue(tenant=tenant, kind="redact", payload={"withheld": ids}, person_id=memory.person_id)


def keep_withheld(*, tenant: Tenant | UUID, memory: Memory, stretches: Iterable[MessageSpan]) -> set[UUID]:
    """Note stretches as withheld for a memory and show their messages anew; the messages."""
    rows = [
        Withheld(
            tenant_id=tenant_id_of(tenant),
            person_id=memory.person_id,
            session_id=one.message.session_id,
            message_id=one.message.pk,
            memory=memory,
            start=one.start,
            end=one.end,
            found=one.found,
            recorded_at=one.message.recorded_at,
        )
        for one in stretches
    ]
    touched = {row.message_id for row in rows}
    if rows:
        count_taken_words(tenant=tenant, person_id=memory.person_id)
        Withheld.objects.for_tenant(tenant).bulk_create(rows, ignore_conflicts=True)
        show_anew(tenant=tenant, person_id=memory.person_id, message_ids=touched)
    return touched


def release(*, tenant: Tenant | UUID, memory: Memory, stretches: Iterable[MessageSpan]) -> int:
    """Show again sentences that were withheld for their words alone, and say something else; how many."""
    rows = Withheld.objects.for_tenant(tenant).filter(memory=memory, found=Withheld.Found.WORDS)
    places = {(one.message.pk, one.start, one.end) for one in stretches}
    held = [row for row in rows if (row.message_id, row.start, row.end) in places]
    rows.filter(pk__in=[row.pk for row in held]).delete()
    if held:
        touched = {row.message_id for row in held}
        show_anew(tenant=tenant, person_id=memory.person_id, message_ids=touched)
    return len(held)


def show_anew(*, tenant: Tenant | UUID, person_id: UUID, message_ids: Collection[UUID]) -> None:
    """Make anew what agents are shown of these messages, in the transcript and in the index."""
    messages = list(list_messages(tenant).filter(pk__in=message_ids))
    stretches: dict[UUID, list[tuple[int, int]]] = {}
    rows = Withheld.objects.for_tenant(tenant).filter(message_id__in=message_ids)
    for message_id, start, end in rows.values_list("message_id", "start", "end"):
        stretches.setdefault(message_id, []).append((start, end))
    before = {message.pk: message.words for message in messages}
    for message in messages:
        message.shown = shown_instead(message.content, stretches.get(message.pk, ()))
    _message_model().objects.for_tenant(tenant).bulk_update(messages, ["shown"], batch_size=500)
    _index_anew(tenant, person_id, messages)
    changed = {_last_words(before[m.pk]): _last_words(m.words) for m in messages if m.role == "user"}
    _change_last_words(tenant, person_id, changed)


def _change_last_words(tenant: Tenant | UUID, person_id: UUID, changed: Mapping[str, str]) -> None:
    """Each persona's state also holds the person's last words, cut short: change them there too."""
    states = apps.get_model("agent_sessions", "SessionState").objects.for_tenant(tenant)
    held = list(states.filter(person_id=person_id, last_user_message__in=list(changed)))
    for state in held:
        state.last_user_message = changed[state.last_user_message]
    states.bulk_update(held, ["last_user_message"])


def _last_words(words: str) -> str:
    return words[:LAST_WORDS_CHARS]


def list_messages(tenant: Tenant | UUID) -> QuerySet[Any]:
    """Messages of all sessions. Known by name only, since sessions stands above."""
    return _message_model().objects.for_tenant(tenant).order_by("session_id", "seq")  # type: ignore[no-any-return]


def _message_model() -> Any:
    return apps.get_model("agent_sessions", "Message")


def _index_anew(tenant: Tenant | UUID, person_id: UUID, messages: Sequence[Any]) -> None:
    texts: dict[UUID, dict[int, str]] = {}
    for message in messages:
        shown = BLANK if says_nothing(message.words) else message.words
        texts.setdefault(message.session_id, {})[message.seq] = shown
    rewrite_session_chunks(tenant=tenant, person_id=person_id, texts=texts)


def _quoted(seen: Iterable[Observation]) -> Iterable[MessageSpan]:
    """Where the words stand that the observations quote; the whole message where that can't be told."""
    for one in seen:
        if one.message is None:
            continue
        content, start, end = one.message.content, one.quote_start, one.quote_end
        if start is None or end is None or content[start:end] != one.quote:
            start = (
                content.find(one.quote) if one.quote else -1
            )  # a reading without the secrets has other places
            start, end = (start, start + len(one.quote)) if start >= 0 else (0, len(content))
        yield MessageSpan(one.message, start, end, Withheld.Found.QUOTE)


def _repeated(tenant: Tenant | UUID, memory: Memory, telling: WordSets) -> list[MessageSpan]:
    """Sentences of the person's conversations that have all the telling words."""
    wanted = Q(pk=None)
    for words in telling.sets:
        has_all = Q()
        for word in words:
            has_all &= Q(content__icontains=beginning_of(word))
        wanted |= has_all
    rows = list_messages(tenant).filter(wanted, person_id=memory.person_id).order_by("-recorded_at")
    return [
        MessageSpan(message, sentence.start, sentence.end, Withheld.Found.WORDS)
        for message in rows[:LOOKED_THROUGH]
        for sentence in list_sentences(message.content)
        if telling.is_all_in(sentence.text)
    ]

"""What a new statement makes of older memories: the same again, changed, or over.

Pairs were read outside the transaction (`relations.py`); here code checks them first: nothing
that a person pinned or confirmed is touched, and different polarity, numbers or names are never the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db.models import Q

from memories.models import Memory, Observation
from memories.new_memory import NewObservation
from memories.screening.personal import without_quote
from memories.storing.audited_writes import Change, change_memory, lock_person, policy_of
from memories.storing.reinforcement import reinforce_memory
from memories.understanding import Related, Understanding
from nebo.reading.facts.stumps import points_back
from nebo.reading.facts.values import find_known, gives_name
from nebo.reading.meaning.mistyped import find_mistyped
from nebo.reading.meaning.one_sentence import Meaning
from nebo.reading.meaning.put_right import put_right
from nebo.reading.meaning.reader import Sentence, read_sentence
from nebo.reading.relations.companions import tells_of_company
from nebo.reading.relations.counts import count_anew
from nebo.reading.relations.endings import taken_from_list
from nebo.reading.relations.judging import CLEAR
from nebo.reading.relations.moved_in import leaves_home_alone
from nebo.reading.relations.moves import has_only_come_true
from nebo.reading.relations.quarrels import made_up_with
from nebo.reading.relations.restatement import stems
from nebo.reading.relations.schedules import move_day
from nebo.reading.relations.told_again import says_more
from nebo.reading.relations.working_days import tells_working_days
from nebo.reading.words.pauses import split_at_pauses
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile

NOT_STATED = ("question", "quoted", "supposed", "joking", "forget")
WHY_CHARS = 160  # characters of a sentence in a reason
NAME = "name"  # the key of what the person is called
DOUBT = 0.5  # chance of one of those from which a sentence settles nothing


class ReadMessage(NamedTuple):
    """A message, when it was said, what it says, and by whom, where its session has several speakers."""

    id: UUID
    at: datetime
    understood: Understanding
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class _Context:
    """A message of a person, when it was said, and the memory that each of its sentences made, by its beginning."""

    tenant: Tenant | UUID
    person: UserProfile
    actor: Actor
    message: ReadMessage
    kept: Mapping[int, Memory]


def apply_relations(
    *,
    tenant: Tenant | UUID,
    person: UserProfile,
    message: ReadMessage,
    kept: Mapping[int, Memory],
    actor: Actor,
) -> list[Memory]:
    """Close what the sentences of a message change or end, and fold what they say again into what was known.

    `kept` has the memory that each sentence made, by the place where it begins. Returns what was closed.
    """
    context = _Context(tenant, person, actor, message, kept)
    closed = []
    for sentence in message.understood.reading.sentences:
        if not tells_so(sentence):
            continue
        for related in message.understood.related_to(sentence, ("same", "changes", "ends")):
            if related.chance >= CLEAR and (memory := _apply_relation(context, sentence, related)):
                closed.append(memory)
    return closed


def without_own(
    *, tenant: Tenant | UUID, understood: Mapping[UUID, Understanding]
) -> dict[UUID, Understanding]:
    """By message what it says, without what that is to memories that the message itself made or strengthened."""
    seen = Observation.objects.for_tenant(tenant).filter(message_id__in=list(understood), extractor="signal")
    own = set(seen.values_list("message_id", "memory_id"))
    return {
        pk: replace(one, related=tuple(it for it in one.related if (pk, it.object_id) not in own))
        for pk, one in understood.items()
    }


def says_so(meaning: Meaning) -> bool:
    """Whether a sentence says in earnest that something is so, and settles what is known."""
    return all(meaning.chances[kind] < DOUBT for kind in NOT_STATED)


def _is_no_joke(sentence: Sentence) -> bool:
    """Whether it only reads like one, and says in so many words how many days somebody works now."""
    chances = sentence.meaning.chances
    earnest = all(chances[kind] < DOUBT for kind in NOT_STATED if kind != "joking")
    return earnest and tells_working_days(sentence.text)


def tells_so(sentence: Sentence) -> bool:
    """The same of all but an exclamation behind it: "they're 5 actually, where does the time go"."""
    if says_so(sentence.meaning) or _is_no_joke(sentence):
        return True
    *before, last = split_at_pauses(sentence.text) or [sentence.text]
    if not before or sentence.text.rstrip().endswith("?") or not read_sentence(last).may_be("question"):
        return False
    return all(says_so(read_sentence(part)) for part in before)


def apply_relations_later(
    *,
    tenant: Tenant | UUID,
    person: UserProfile,
    messages: Sequence[ReadMessage],
    actor: Actor,
) -> int:
    """The same for messages that were read in their turn; how many were closed."""
    related = [one for one in messages if one.understood.related]
    if not related:
        return 0
    seen = Observation.objects.for_tenant(tenant).filter(
        message_id__in=[one.id for one in related],
        extractor="signal",
        quote_start__isnull=False,
        memory__person_id=person.pk,
        memory__status=Memory.Status.ACTIVE,
    )
    kept: dict[UUID, dict[int, Memory]] = {}
    for one in seen.select_related("memory__person", "memory__persona"):
        if one.message_id is not None and one.quote_start is not None:
            kept.setdefault(one.message_id, {})[one.quote_start] = one.memory
    closed = [
        apply_relations(
            tenant=tenant,
            person=person,
            message=one,
            kept=kept.get(one.id, {}),
            actor=actor,
        )
        for one in related
    ]
    return sum(map(len, closed))


def _apply_relation(context: _Context, sentence: Sentence, related: Related) -> Memory | None:
    old, new = _find_live(context, related), context.kept.get(sentence.start)
    own = {memory.pk for memory in context.kept.values()}  # of this very message
    if old is None or old.pk in own or _is_of_other_speaker(old, sentence, context.message.speaker):
        return None
    stands = old.pinned or old.confirmed_at is not None
    if related.relation == "same":
        return _say_again(context, sentence, old, new, stands=stands) if new is not None else None
    if stands or _is_only_besides(old, sentence, new):
        return None
    if (
        taken_from_list(old.value, sentence.text) == ""
    ):  # the others of "two cats, Mio and Lulu" are still there
        return None
    if new is None and _would_leave_nothing(old, sentence, related):
        return None
    if related.relation == "changes" and _leaves_home(old, sentence):
        return None
    words = "Is another now" if related.relation == "changes" else "Holds no longer"
    return _close(context, old, by=new, why=f"{words}: “{sentence.text[:WHY_CHARS]}”")


def _would_leave_nothing(old: Memory, sentence: Sentence, related: Related) -> bool:
    """Whether what a sentence tells isn't kept by itself, and needs what is known: "His new one is purple", "Moved!",
    "down to 28 now".
    """
    leans = points_back(sentence.text) and not made_up_with(old.value, sentence)
    if related.relation == "changes" and leans:
        return True
    set_anew = move_day(old.value, sentence.text) or count_anew(old.value, sentence.text)
    return bool(set_anew) or has_only_come_true(old.value, sentence.text)


def _leaves_home(old: Memory, sentence: Sentence) -> bool:
    is_put_right = find_mistyped(old.value, sentence.text)
    return not is_put_right and leaves_home_alone(old.value, sentence.text)


def _is_of_other_speaker(old: Memory, sentence: Sentence, speaker: str) -> bool:
    """Whether a memory tells, by the name, of somebody else who speaks too, and whom the sentence doesn't name: what
    one of two says of themselves settles nothing of the other.
    """
    if not speaker or old.value.startswith(speaker):
        return False
    rows = Observation.objects.for_tenant(old.tenant_id).filter(memory=old, message__isnull=False)
    others = set(rows.values_list("message__name", flat=True)) - {"", speaker}
    whose = [name for name in others if re.match(rf"{re.escape(name)}\b", old.value)]
    return bool(whose) and not find_known(whose, sentence.text)


def _is_only_besides(old: Memory, sentence: Sentence, new: Memory | None) -> bool:
    """Whether a sentence is about what a memory only tells besides: company, or an age beside the name, which nobody
    changes with it.
    """
    if old.key == NAME and not gives_name(sentence.text) and not (new and new.key == NAME):
        return True
    return _is_of_company(old, sentence)


def _is_of_company(old: Memory, sentence: Sentence) -> bool:
    """Whether a sentence tells of somebody whom a memory only names besides; who is called otherwise is put right."""
    is_put_right = sentence.meaning.may_be("correction") and put_right(old.value, sentence.text)
    goes_on = taken_from_list(old.value, sentence.text)  # and is kept without them
    if is_put_right or goes_on or made_up_with(old.value, sentence):  # peace with somebody ends the quarrel
        return False
    return tells_of_company(old.value, sentence.text)


def _say_again(
    context: _Context, sentence: Sentence, old: Memory, new: Memory, *, stands: bool
) -> Memory | None:
    """What was known gives way to what says all of it and more; else it is strengthened. What somebody may come to harm
    by is not dropped for a part of it.
    """
    if not stands and says_more(old.value, sentence):
        return _close(context, old, by=new, why=f"Says it again, and more: “{sentence.text[:WHY_CHARS]}”")
    more = stems(new.value) - stems(old.value)
    return None if more and "allergy" in new.tags else _reinforce(context, sentence, old, new)


def _reinforce(context: _Context, sentence: Sentence, old: Memory, new: Memory) -> Memory | None:
    """One more observation of what was known; the new memory that repeats it is dropped."""
    if new.status != Memory.Status.ACTIVE:
        return None
    seen = NewObservation(
        extractor="signal",
        value=new.value,
        confidence=new.confidence,
        trust=new.trust,
        message_id=context.message.id,
        quote=sentence.text,
        quote_start=sentence.start,
        quote_end=sentence.end,
        actor=str(context.actor),
        observed_at=context.message.at,
    )
    reinforce_memory(tenant=context.tenant, memory=old, observation=seen, actor=context.actor)
    return _close(context, new, by=old, why="Says again what was known.")


def _find_live(context: _Context, related: Related) -> Memory | None:
    """What was known before the message, if it still is."""
    rows = Memory.objects.for_tenant(context.tenant).select_related("person", "persona")
    known = Q(valid_from=None) | Q(valid_from__lte=context.message.at)
    return rows.filter(
        known, pk=related.object_id, person_id=context.person.pk, status=Memory.Status.ACTIVE
    ).first()


def _close(context: _Context, memory: Memory, *, by: Memory | None, why: str) -> Memory:
    """Superseded with a link to what took its place, where something did; undone like every change."""
    policy = policy_of(lock_person(tenant=context.tenant, person=context.person))
    memory.refresh_from_db()
    fields = {
        "status": Memory.Status.SUPERSEDED,
        "valid_to": max(context.message.at, memory.valid_from or context.message.at),
        "superseded_by_id": by.pk if by else None,
    }
    reason = without_quote(policy, why)
    change = Change("superseded", context.actor, reason=reason, message_id=context.message.id)
    return change_memory(tenant=context.tenant, memory=memory, fields=fields, change=change)

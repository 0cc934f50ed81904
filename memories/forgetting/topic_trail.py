"""What else was told of a topic that somebody asked to have forgotten, though it shares few words with the memory.

For the job `forget-elsewhere`: looked up in the caller's scope, read outside any transaction, a few dozen sentences.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q

from memories.models import Entity, Memory, Withheld
from memories.withholding.withholding import MessageSpan, list_messages
from memories.withholding.word_sets import beginning_of
from nebo.reading.forgetting.topics import ForgottenTopic, Tie, find_topic
from nebo.reading.meaning.sentences import Span, list_sentences
from nebo.reading.words.naming import SWEEPING, named_words
from nebo.tenants.models import Tenant

ANCHORS = 20  # messages where it was told, the newest
FOLLOWING = 3  # messages of the person behind each, that may go on telling
NEARBY = 12  # messages behind each that are looked at for them
WITH_WORDS = 200  # messages with a word that names the topic, the newest
FEW = 6  # sentences, at most, that have the words of what all is to be forgotten about
WORDINGS = 3  # of what was told, that a sentence is read beside, 7 ms each
LABELS = 500  # names of whom and what is known


@dataclass(frozen=True, slots=True)
class TopicTrail:
    """A topic, where it was told, what stands behind that, and what else names it."""

    topic: ForgottenTopic
    anchors: Sequence[tuple[Any, int]]  # messages, and where what was told ends in them
    behind: dict[UUID, list[Any]]
    naming: Sequence[Any]
    asks_for_all: bool


def find_trail(*, tenant: Tenant | UUID, memory: Memory, wordings: Sequence[str]) -> TopicTrail | None:
    """What a spoken request to forget a memory is about; None where nobody asked in words. In the caller's scope."""
    rows = Withheld.objects.for_tenant(tenant).filter(memory=memory)
    by_message = {one.pk: one for one in list_messages(tenant).filter(pk__in=rows.values("message_id"))}
    places = list(rows.values_list("message_id", "start", "end", "found"))
    requests = [(pk, start, end) for pk, start, end, found in places if found == Withheld.Found.REQUEST]
    if not requests:
        return None
    asked = [by_message[pk].content[start:end] for pk, start, end in requests]
    until = max(by_message[pk].recorded_at for pk, _, _ in requests)
    trail = [(by_message[pk], end) for pk, _, end, found in places if found == Withheld.Found.QUOTE]
    anchors = sorted(trail, key=lambda one: one[0].recorded_at)[-ANCHORS:]
    request = " ".join(asked)
    topic = find_topic(wordings[:WORDINGS], request, known=_labels(tenant, memory))
    return TopicTrail(
        topic,
        anchors,
        _list_behind(tenant, memory, [message for message, _ in anchors]),
        _list_naming(tenant, memory, topic, until=until),
        bool(SWEEPING & named_words(request)),
    )


def decide_trail(trail: TopicTrail) -> tuple[list[MessageSpan], list[MessageSpan]]:
    """What is surely about it, and what may be. Reads some milliseconds each: outside any transaction."""
    found: dict[tuple[UUID, int, int], tuple[Tie, MessageSpan]] = {}
    ties = [*_read_naming(trail), *(tie for anchor in trail.anchors for tie in _read_on(trail, *anchor))]
    for tie, message, span in ties:
        place = (message.pk, span.start, span.end)
        before = found[place][0] if place in found else Tie.NONE
        found[place] = (max(tie, before), MessageSpan(message, span.start, span.end, Withheld.Found.MEANING))
    least = Tie.UNCLEAR if trail.asks_for_all else Tie.CLEAR
    clear = [stretch for tie, stretch in found.values() if tie >= least]
    return clear, [stretch for tie, stretch in found.values() if Tie.NONE < tie < least]


def _read_naming(trail: TopicTrail) -> Iterable[tuple[Tie, Any, Span]]:
    """What names the topic. Where many sentences have what the request speaks of, as "work", they aren't all meant."""
    spans = [(message, span) for message in trail.naming for span in list_sentences(message.content)]
    is_broad = sum(trail.topic.is_subject_of(span.text) for _, span in spans) > FEW
    topic = replace(trail.topic, subjects=()) if is_broad else trail.topic
    for message, span in spans:
        yield topic.tie(span.text), message, span


def _read_on(trail: TopicTrail, message: Any, end: int) -> Iterable[tuple[Tie, Any, Span]]:
    """What follows where it was told, until something else is."""
    for span in list_sentences(message.content):
        if span.start < end:
            continue
        tie = trail.topic.follows(span.text, same_message=True)
        if tie == Tie.NONE:
            return
        yield tie, message, span
    for later in trail.behind.get(message.pk, ()):
        for span in list_sentences(later.content):
            tie = trail.topic.follows(span.text, same_message=False)
            if tie == Tie.NONE:
                return
            yield tie, later, span


def _list_behind(tenant: Tenant | UUID, memory: Memory, anchors: Sequence[Any]) -> dict[UUID, list[Any]]:
    """Of each message of the person, their next ones in the session; one query."""
    near = Q(pk=None)
    for one in anchors:
        near |= Q(session_id=one.session_id, seq__gt=one.seq, seq__lte=one.seq + NEARBY)
    nearby = list(list_messages(tenant).filter(near, person_id=memory.person_id, role="user"))
    return {
        one.pk: [other for other in nearby if other.session_id == one.session_id and other.seq > one.seq][
            :FOLLOWING
        ]
        for one in anchors
        if one.role == "user"
    }


def _list_naming(
    tenant: Tenant | UUID, memory: Memory, topic: ForgottenTopic, *, until: datetime
) -> list[Any]:
    """Nobody asks to have forgotten what they say later on."""
    wanted = Q(pk=None)
    for word in topic.all_words:
        wanted |= Q(content__icontains=beginning_of(word))
    rows = list_messages(tenant).filter(wanted, person_id=memory.person_id, recorded_at__lte=until)
    return list(rows.order_by("-recorded_at")[:WITH_WORDS])


def _labels(tenant: Tenant | UUID, memory: Memory) -> Collection[str]:
    """Names of the person, and of whom and what is known of them."""
    labels = Entity.objects.for_tenant(tenant).filter(person_id=memory.person_id)
    return [memory.person.display_name, *labels.values_list("label", flat=True)[:LABELS]]

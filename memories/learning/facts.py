"""Facts that people tell, kept in their own words; and what a new one makes of older ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, timedelta
from uuid import UUID

from memories.entity_refs import find_ref, slugify
from memories.extraction.mapping import new_memory_of
from memories.extraction.parsing import ExtractedFact
from memories.learning.keeping import keep
from memories.learning.relation_effects import tells_so
from memories.learning.utterance import Utterance
from memories.models import Memory, Observation, Todo
from memories.new_memory import NewMemory, NewObservation, make_key
from memories.screening.sensitive import redact
from memories.storing.entities import ENTITY_REFS_MAX
from nebo.postgres.prepared import fetch_rows, number_parameters
from nebo.reading.facts.statements import SINGLE, Fact, find_answer, find_fact, is_worth_keeping
from nebo.reading.facts.subjects import NOBODY_KNOWN, Named
from nebo.reading.facts.topics import Topical
from nebo.reading.facts.values import gives_name
from nebo.reading.meaning.mistyped import find_mistyped
from nebo.reading.meaning.put_right import corrects_plainly, put_right
from nebo.reading.meaning.reader import Sentence, read_sentence
from nebo.reading.meaning.repairs import set_right
from nebo.reading.relations.ages import ages_differ, set_age
from nebo.reading.relations.births_and_deaths import who_is_left
from nebo.reading.relations.companions import find_relative_beside
from nebo.reading.relations.counts import count_anew, tells_what_is_left
from nebo.reading.relations.endings import says_otherwise_now, taken_from_list
from nebo.reading.relations.judging import CLEAR, left_over
from nebo.reading.relations.livings import who_goes_on
from nebo.reading.relations.moved_in import move_home
from nebo.reading.relations.schedules import move_day
from nebo.reading.relations.working_days import set_days
from nebo.reading.times.dates import find_due
from nebo.reading.words.pauses import split_at_pauses
from nebo.reading.words.things_listed import is_thing_listed
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_id_of

NAMED = 300  # people and projects that a sentence may speak of
LIST_NAMED = number_parameters("""
SELECT label, type FROM memories_entity
WHERE tenant_id = %(tenant_id)s AND person_id = %(person_id)s AND type IN ('person', 'project') AND label <> ''
ORDER BY created_at DESC LIMIT %(limit)s
""")
SAYS_SOMETHING = 0.5  # worth from which what ends something known is kept itself
LASTS = (
    0.5  # chance of lasting, or of telling of somebody, from which more is told than that something is done
)
PASSING_SLOTS = ("commitment", "possession", "money", "other", "plan")  # of which a thing to do may be
SOON = timedelta(days=7)
REMEMBERED = 2  # importance, at least, of what somebody asks to have remembered


def updates_known(turn: Utterance, sentence: Sentence) -> bool:
    """Whether it closes something known: what takes its place must not be lost. A wish closes wishes, no facts."""
    meaning = sentence.meaning
    wishes = meaning.may_be("wish") or meaning.may_be("wish_back")
    if (wishes and not tells_what_is_left(sentence.text)) or not tells_so(sentence):
        return False
    return any(one.chance >= CLEAR for one in turn.understood.related_to(sentence, ("changes", "ends")))


def keep_fact(turn: Utterance, topical: Topical, *, known: Named = NOBODY_KNOWN) -> list[Memory]:
    """The memory that a sentence makes, changes or strengthens; none where it tells no fact worth keeping.

    A turn is never refused for what was made of it. What is left of a fact comes first: it takes the fact's place.
    """
    over = _list_over(turn, topical.sentence)
    left, stated = _keep_left(turn, topical.sentence, over), _keep_stated(turn, topical, known)
    return [*left, *stated, *(_keep_relatives(turn, topical.sentence, over) if stated else ())]


def _list_over(turn: Utterance, sentence: Sentence) -> list[Memory]:
    """The facts that a sentence changes or ends."""
    over = [one for one in turn.understood.related_to(sentence, ("changes", "ends")) if one.chance >= CLEAR]
    if not over or not updates_known(turn, sentence):
        return []
    rows = Memory.objects.for_tenant(turn.tenant).filter(
        person_id=turn.person.pk, status=Memory.Status.ACTIVE, pk__in=[one.object_id for one in over]
    )
    return list(rows)


def _keep_relatives(turn: Utterance, sentence: Sentence, over: Sequence[Memory]) -> list[Memory]:
    """Who the relatives are that only a fact names which is over now: "lives in Ghent with their brother Wim"."""
    kept = []
    for known in over:
        value, name = find_relative_beside(known.value, sentence.text)
        live = Memory.objects.for_tenant(turn.tenant).filter(
            person_id=turn.person.pk, status=Memory.Status.ACTIVE, value__icontains=name
        )
        if not value or live.exclude(pk=known.pk).exists():
            continue
        fact = Fact(
            value, "", "family", "", name, "", (), "people", "relationship", REMEMBERED,
            known.confidence, sentence.start, sentence.end,
        )  # fmt: skip
        new = _memory_of(turn, fact, asked=False, contextual=False)
        kept += keep(
            turn, sentence, replace(new, observations=(*new.observations, *_list_first(turn, known)))
        )
    return kept


def _list_first(turn: Utterance, known: Memory) -> tuple[NewObservation, ...]:
    """What a memory rested on at first."""
    first = Observation.objects.for_tenant(turn.tenant).filter(memory=known).order_by("created_at").first()
    return (_again(first),) if first else ()


def _keep_left(turn: Utterance, sentence: Sentence, over: Sequence[Memory]) -> list[Memory]:
    """What is left of a fact that listed several, of which one is gone."""
    left = [
        (
            known,
            taken_from_list(known.value, sentence.text)
            or who_is_left(known.value, sentence.text)
            or who_goes_on(known.value, sentence),
        )
        for known in over
    ]
    return [
        memory
        for known, value in left
        if value
        for memory in keep(turn, sentence, _memory_put_right(turn, sentence, known, value))
    ]


def _keep_stated(turn: Utterance, topical: Topical, known: Named) -> list[Memory]:
    sentence = topical.sentence
    if slips := list_corrected(turn, sentence):
        told = [_memory_put_right(turn, sentence, *one) for one in slips]
        return [memory for new in told for memory in keep(turn, sentence, new)]
    asked = sentence.meaning.is_sure("remember")
    if is_thing_listed(turn.text, sentence.start):
        return []
    speaker = turn.speaker or turn.person.display_name
    fact = find_fact(
        sentence,
        speaker=speaker,
        on=turn.at.astimezone(UTC).date(),
        matters=_matters(turn, sentence),
        shared=turn.shared,
        project=topical.project,
        known=known,
    )
    if fact is None and (corrected := find_corrected(turn, sentence, is_kept=False)):
        return keep(turn, sentence, _memory_put_right(turn, sentence, *corrected))
    if fact is None or (not asked and _is_only_to_do(turn, sentence, fact)):
        return []
    if fact.key == "name" and not _may_rename(turn, sentence, fact.detail):
        fact = replace(fact, key="", detail="")
    new = _memory_of(turn, fact, asked=asked, contextual=_is_contextual(sentence) and not asked)
    return keep(turn, sentence, new)


def _is_only_to_do(turn: Utterance, sentence: Sentence, fact: Fact) -> bool:
    """Whether it only tells that a thing to do is done, or is to be done within days: that is kept as a todo."""
    meaning, on = sentence.meaning, turn.at.astimezone(UTC).date()
    if max(meaning.chances["lasting"], meaning.chances["relative"]) >= LASTS:
        return False
    parts = split_at_pauses(sentence.text)[:1]  # "it's registered, took twenty minutes"
    told = [meaning, *map(read_sentence, parts)]
    is_done = any(one.is_sure("done") and one.chances["event"] < LASTS for one in told)
    if (is_done or fact.slot in PASSING_SLOTS) and _settles_todo(turn, sentence):
        return True
    is_task = meaning.is_sure("todo") and fact.slot == "commitment" and meaning.chances["event"] < LASTS
    due = find_due(sentence.text, on) if is_task else None
    return due is not None and due.due is not None and due.due - on <= SOON


def _settles_todo(turn: Utterance, sentence: Sentence) -> bool:
    """Whether it says that a thing to do is done; in a job, whether its message said so in its turn."""
    if any(one.chance >= CLEAR for one in turn.understood.related_to(sentence, ("done",))):
        return True
    closed = Todo.objects.for_tenant(turn.tenant).filter(
        person=turn.person, closed_message_id=turn.message_id
    )
    return closed.filter(closed_quote=redact(sentence.text)).exists()


def _matters(turn: Utterance, sentence: Sentence) -> bool:
    """Whether it takes the place of something known; what only ends it, and says little else, doesn't."""
    if not updates_known(turn, sentence):
        return False
    changes = any(one.chance >= CLEAR for one in turn.understood.related_to(sentence, ("changes",)))
    return changes or sentence.meaning.worth["good"] >= SAYS_SOMETHING


def find_corrected(
    turn: Utterance, sentence: Sentence, *, is_kept: bool | None = None
) -> tuple[Memory, str] | None:
    """What a short correction is about, which says too little by itself, and how it reads then. `is_kept`: whether the
    correction is kept by itself, where that is known.
    """
    return next(iter(list_corrected(turn, sentence, is_kept=is_kept)), None)


def list_corrected(
    turn: Utterance, sentence: Sentence, *, is_kept: bool | None = None
) -> list[tuple[Memory, str]]:
    """The same; and what else was mistyped, where a sentence puts that right, too."""
    is_kept = is_worth_keeping(sentence) if is_kept is None else is_kept
    if not updates_known(turn, sentence):
        return []
    over = [one for one in turn.understood.related_to(sentence, ("changes",)) if one.chance >= CLEAR]
    rows = Memory.objects.for_tenant(turn.tenant).filter(
        person_id=turn.person.pk, status=Memory.Status.ACTIVE, pk__in=[one.object_id for one in over]
    )
    known = {one.pk: one for one in rows}
    found = [known[one.object_id] for one in over if one.object_id in known]
    right = [(one, text) for one in found if (text := _put_right(one, sentence, is_kept=is_kept))]
    return [*right[:1], *(one for one in right[1:] if find_mistyped(one[0].value, sentence.text))]


def _put_right(memory: Memory, sentence: Sentence, *, is_kept: bool) -> str:
    """What is known with the age or home told now, or with what a correction names that is too short to keep."""
    known = memory.value
    text = sentence.text
    if anew := move_day(known, text) or count_anew(known, text) or set_days(known, text):
        return anew
    if memory.metadata.get("slot") == "home" and (moved := move_home(known, sentence)):
        return moved
    if ages_differ(known, sentence.text):
        return set_age(known, sentence.text)
    if bare := set_right(known, sentence.text, read_sentence) or left_over(known, sentence):
        return bare
    correction = sentence.meaning.may_be("correction")
    if says_otherwise_now(sentence.text) and not correction:
        return ""  # more than a figure may be another
    if is_kept and not (correction and corrects_plainly(known, sentence.text)):
        return ""
    named = correction  # who came or went is no other name for somebody
    return put_right(known, sentence.text, names=named)


def _memory_put_right(turn: Utterance, sentence: Sentence, known: Memory, corrected: str) -> NewMemory:
    """What was known, but for what is corrected; it rests on the correction, and on what was said first."""
    slot = known.metadata.get("slot", "")
    answers = known.metadata.get("detail") and slot in SINGLE
    detail, key = find_answer(slot, corrected) if answers else ("", "")
    fact = Fact(
        value=corrected,
        key=key,
        slot=slot or "other",
        detail=detail,
        person=known.entity_label if known.entity_type == "person" and known.type == "people" else "",
        project=known.entity_label if known.entity_type == "project" else "",
        beside=(),
        type=known.type,
        fact_type=known.fact_type,
        importance=known.importance,
        confidence=known.confidence,
        start=sentence.start,
        end=sentence.end,
    )
    new = _memory_of(turn, fact, asked=False, contextual=False)
    refs = _still_named(known, corrected)
    if fact.key:  # what was read at this address in a message isn't read there again
        return replace(new, entity_refs=refs)
    earlier = _list_first(turn, known)
    return replace(new, observations=(*new.observations, *earlier), entity_refs=refs)


def _still_named(known: Memory, corrected: str) -> tuple[str, ...]:
    """Whom and what a memory is about, without those whom it named and names no longer."""
    before, after = slugify(known.value), slugify(corrected)
    return tuple(
        ref for ref in known.entity_refs if (slug := ref.partition(":")[2]) not in before or slug in after
    )


def _again(seen: Observation) -> NewObservation:
    return NewObservation(
        extractor=seen.extractor,
        value=seen.value,
        confidence=seen.confidence,
        trust=seen.trust,
        message_id=seen.message_id,
        quote=seen.quote,
        quote_start=seen.quote_start,
        quote_end=seen.quote_end,
        actor=seen.actor,
        observed_at=seen.observed_at,
    )


def _may_rename(turn: Utterance, sentence: Sentence, name: str) -> bool:
    """Whoever has a name gets another one only from what gives names: "I'm Burnt Out" doesn't."""
    known = turn.person.display_name.lower().split()
    again = not known or bool(set(known) & set(name.lower().split()))
    return again or gives_name(sentence.text) or sentence.meaning.may_be("correction")


def _memory_of(turn: Utterance, fact: Fact, *, asked: bool, contextual: bool) -> NewMemory:
    """Addressed like an extracted fact, so that a reading that follows finds it."""
    extracted = ExtractedFact(
        category="decision" if fact.slot == "decision" else "entity" if fact.person else "preference",
        key=f"user/{fact.key}" if fact.key else f"{fact.slot}/{make_key(fact.value)}",
        value=fact.value,
        tags=tuple(filter(None, (fact.slot, "remember" if asked else ""))),
        explicit=True,
        type=fact.type,
        entity_label=fact.person or fact.project,
        entity_type="person" if fact.person else "project" if fact.project else "",
        fact_type=fact.fact_type,
        importance=max(REMEMBERED, fact.importance) if asked else fact.importance,
    )
    seen = NewObservation(
        extractor="signal",
        value=fact.value,
        confidence=fact.confidence,
        trust=Memory.Trust.USER,
        message_id=turn.message_id,
        quote=turn.text[fact.start : fact.end],
        quote_start=fact.start,
        quote_end=fact.end,
        actor=str(turn.actor),
        observed_at=turn.at,
    )
    metadata = {"slot": fact.slot, "detail": fact.detail} if fact.detail else {"slot": fact.slot}
    on = turn.at.astimezone(UTC).date()
    new = new_memory_of(extracted, seen, on=on, source=Memory.Source.SIGNAL, metadata=metadata)
    others = (turn.todo_persona_id if contextual else None) or turn.persona_id
    refs = (*new.entity_refs, *filter(None, map(find_ref, fact.beside)))
    named = tuple(map(str, refs))[:ENTITY_REFS_MAX]
    return replace(new, persona_id=turn.audience(fact, others=others), entity_refs=named)


def list_named(*, tenant: Tenant | UUID, person_id: UUID) -> dict[str, str]:
    """Names of people and projects that somebody has told of, each with its type; the newest."""
    asked = {"tenant_id": tenant_id_of(tenant), "person_id": person_id, "limit": NAMED}
    return dict(fetch_rows(LIST_NAMED, asked))


def _is_contextual(sentence: Sentence) -> bool:
    """Whether it says what is to be done, and isn't a lasting fact: then it belongs to the persona that was told."""
    meaning = sentence.meaning
    return meaning.is_sure("todo") and not (meaning.is_sure("lasting") or meaning.is_sure("relative"))

"""How new sentences relate to what is known of a person: candidates are looked up, then each pair is read.

To be called outside a transaction: the lookup opens one of its own and closes it before anything is read.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple
from uuid import UUID

from django.db.models import Q

from memories.extraction.known import Known
from memories.forgetting.targets import relate_forgetting
from memories.learning.relation_effects import tells_so
from memories.learning.todo_relations import list_sharing, may_settle, relate_todos
from memories.models import Memory
from memories.selectors import list_open_todos
from memories.storing.restatements import list_told_only_in
from memories.understanding import Related, Understanding
from nebo.reading.facts.statements import is_worth_keeping
from nebo.reading.facts.values import find_known, find_person
from nebo.reading.meaning.antecedents import find_antecedent
from nebo.reading.meaning.attested import find_claim
from nebo.reading.meaning.kinds import Kind, Relation
from nebo.reading.meaning.reader import Reading, Sentence, encode
from nebo.reading.relations.across import is_over_across
from nebo.reading.relations.ages import ages_differ
from nebo.reading.relations.anew import is_same_occasion, takes_its_place
from nebo.reading.relations.births_and_deaths import has_died
from nebo.reading.relations.counts import count_anew, tells_what_is_left
from nebo.reading.relations.endings import says_otherwise_now
from nebo.reading.relations.judging import CLEAR, says_again
from nebo.reading.relations.livings import lives_otherwise
from nebo.reading.relations.moved_in import find_place, is_home_elsewhere, planned_to_live
from nebo.reading.relations.own_words import in_own_words
from nebo.reading.relations.restatement import stems
from nebo.reading.relations.said_parts import judge_said
from nebo.reading.relations.schedules import move_day
from nebo.reading.relations.stays import is_back, tells_of_return
from nebo.reading.relations.untouched import are_of_one_person
from nebo.reading.relations.was_wrong import says_is_borne, says_was_wrong
from nebo.reading.relations.working_days import works_other_days
from nebo.reading.relations.workplaces import has_left_workplace
from nebo.reading.requests.todos import find_led_act
from nebo.reading.wording.covering import is_light
from nebo.reading.wording.names import names_of
from nebo.reading.words.plain_words import in_plain_words
from nebo.reading.words.stop_words import ENGLISH, STOPWORDS
from nebo.tenants.ids import default_persona_id
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_id_of, tenant_scope

# What is put off or dropped may be known as a fact.
ABOUT_MEMORIES: tuple[Kind, ...] = ("correction", "ended", "wish_back", "put_off", "dropped")
SHORTLIST = 4  # known things that a sentence is read beside; each takes some 7 ms
NAMED_BESIDE = 2  # of those that are less near, and have a word of it
MEMORY_HINT = 0.15  # chance of correcting or ending something from which a sentence is read beside memories
SURELY_OVER = 0.95  # chance by the pair from which what says little ends the one thing that it names
NEWS = 0.9  # the same of what tells something new of somebody by name
SAYS_SOMETHING = 0.5  # worth from which a sentence is read beside memories: it need not be worth it alone
UNSAYING = ("request", "todo", "passing")
UNSETTLED = 0.5  # chance of asking or of a passing mood, from which a sentence settles nothing
NAME_CHARS = 3  # letters of a name, at least, that is known in small letters too
STEM_CHARS = 4  # letters by which words count as the same: "book", "booked"
NEWEST = 200  # memories that are looked through
SHOWN = 12  # memories, and todos, that an extractor is shown beside what it reads
PLAIN_SLOT = 0.35  # chance of a slot, from which it counts at all
OWN_COUNTS = 0.5  # the same, that what both tell of the speaker counts as
SLOT_COUNTS = 1.5  # shared words that the same slot counts as


class _KnownMemory(NamedTuple):
    """A live memory: its id, what it says, the question that it answers, if it was read, the name of the project that
    it is about, if it is about one, and what it says as its person would.
    """

    pk: UUID
    value: str
    slot: str
    project: str = ""
    own: str = ""


def relate(
    *,
    tenant: Tenant | UUID,
    person_id: UUID,
    persona_id: UUID | None,
    readings: Sequence[Reading],
    thorough: bool = False,
) -> list[Understanding]:
    """Each reading, with how its sentences relate to open todos and live memories. Opens a scope if it must.

    `thorough`: every statement is compared with what is known; for a job, since nobody waits for it.
    """
    asked = relate_forgetting(tenant=tenant, person_id=person_id, persona_id=persona_id, readings=readings)
    sentences = [one for reading in readings for one in reading.sentences]
    asking = [one for one in sentences if may_settle(one) or find_led_act(one)]
    telling = [one for one in sentences if _may_be_about_memories(one) or (thorough and _states(one))]
    keeping = any(map(_tells, sentences))
    if not asking and not telling and not keeping:
        return [Understanding(*one) for one in zip(readings, asked, strict=True)]
    with tenant_scope(tenant):
        marked = _list_marked(tenant, person_id) if keeping else []
        todos = _list_todos(tenant, person_id, persona_id) if asking else {}
        memories = _list_memories(tenant, person_id, persona_id) if telling else []
    again = [_relate_marked(reading, marked) for reading in readings]
    found = [Understanding(*one) for one in zip(readings, asked, again, strict=True)]
    projects = {one.project for one in memories if one.project}
    about = [
        one
        for one in telling
        if _is_about_memories(one, thorough=thorough)
        or (thorough and _states(one))
        or find_known(projects, one.text)
    ]
    read_beside = dict.fromkeys(about, memories) if memories else {}
    return [replace(one, related=(*one.related, *_relate(one.reading, todos, read_beside))) for one in found]


def list_near(
    *,
    tenant: Tenant | UUID,
    person_id: UUID,
    persona_id: UUID | None,
    text: str,
    messages: Collection[UUID] = (),
) -> Known:
    """What is known near a text, to be shown to who reads it: last what was only read in these very messages, which
    can't change it. In the caller's scope.
    """
    memories = {one.pk: one.value for one in _list_memories(tenant, person_id, persona_id)}
    todos = _list_todos(tenant, person_id, persona_id)
    near = shortlist(text, memories, limit=SHOWN)
    fresh = list_told_only_in(tenant=tenant, memory_ids=near, messages=messages)
    return Known(
        {pk: memories[pk] for pk in sorted(near, key=lambda pk: pk in fresh)},
        {pk: todos[pk] for pk in shortlist(text, todos, limit=SHOWN)},
    )


def _relate_marked(reading: Reading, marked: Sequence[_KnownMemory]) -> tuple[Related, ...]:
    """Which of its facts say again what a person marked: those aren't learned anew."""
    return tuple(
        related
        for sentence in reading.sentences
        if marked and _tells(sentence)
        for one in _shortlist(sentence, marked)
        if (chance := says_again(one.value, sentence)) >= CLEAR
        for related in [Related(sentence.start, one.pk, "same", chance)]
    )


def _tells(sentence: Sentence) -> bool:
    return sentence.meaning.is_sure("remember") or is_worth_keeping(sentence)


def _relate(
    reading: Reading, todos: Mapping[UUID, str], beside: Mapping[Sentence, Sequence[_KnownMemory]]
) -> Iterable[Related]:
    before = ""
    for sentence in reading.sentences:
        yield from relate_todos(sentence, todos, before=before)
        earlier, before = before, sentence.text
        if sentence in beside:
            yield from _read_beside(sentence, beside[sentence], earlier)


def _is_about_memories(sentence: Sentence, *, thorough: bool) -> bool:
    about = max(sentence.meaning.chances[kind] for kind in ABOUT_MEMORIES)
    return about >= MEMORY_HINT or (thorough and _says_something(sentence))


def _may_be_about_memories(sentence: Sentence) -> bool:
    """Whether it says anything that could be about a memory, were it to name what one is about."""
    hinted = max(sentence.meaning.chances[kind] for kind in ABOUT_MEMORIES) >= MEMORY_HINT
    return hinted or _says_something(sentence)


def _states(sentence: Sentence) -> bool:
    """Whether it says that something is so, be it ever so little: "got the job!!"."""
    chances = sentence.meaning.chances
    settles = tells_of_return(sentence.text) or tells_what_is_left(sentence.text)
    said = max(chances[kind] for kind in UNSAYING) < UNSETTLED or settles
    return tells_so(sentence) and said


def _says_something(sentence: Sentence) -> bool:
    return is_worth_keeping(sentence) or sentence.meaning.worth["good"] >= SAYS_SOMETHING


def _read_beside(sentence: Sentence, known: Sequence[_KnownMemory], before: str) -> Iterable[Related]:
    """What says little is only asked whether it settles something; `before` is what was said right before it."""
    sentence = _without_witness(sentence)
    over = _list_over(sentence, known, before)
    borne = [one for one in known if not one.project and says_is_borne(one.own, sentence.text)]
    yield from (Related(sentence.start, one.pk, "changes", CLEAR) for one in over)
    yield from (Related(sentence.start, one.pk, "ends", CLEAR) for one in borne)
    known = [one for one in known if one not in (*over, *borne)]
    if not _may_be_about_memories(sentence):
        yield from _list_settled(sentence, known)
        return
    if moved := _list_left(sentence, known):
        yield from moved
        return
    for one in _shortlist(sentence, known):
        kind, chance = _judge_memory(one, sentence)
        yield Related(sentence.start, one.pk, kind, chance)


def _without_witness(sentence: Sentence) -> Sentence:
    """The sentence without who says so, where that is a doctor or a test: what they find is so."""
    claim = find_claim(sentence.text, encode) if tells_so(sentence) else ""
    return replace(sentence, text=claim) if claim else sentence


def _list_over(sentence: Sentence, known: Sequence[_KnownMemory], before: str) -> list[_KnownMemory]:
    """What code alone can tell to be over, however many other things are nearer: what somebody lived by, and the day on
    which one thing alone took place every week, or how many there were.
    """
    own = [one for one in known if not one.project]
    left = [
        one for one in own if lives_otherwise(one.own, sentence, before) or is_over_across(one.own, sentence)
    ]
    for set_anew in (move_day, count_anew):
        found = [one for one in own if set_anew(one.value, sentence.text)]
        left += found if len(found) == 1 else []
    return left


def _judge_memory(known: _KnownMemory, sentence: Sentence) -> tuple[Relation, float]:
    """As it is worded; where that tells nothing clear, as its person would say it. What shares no word with a sentence
    is over only by both.
    """
    sentence = _with_names(sentence, known)
    kind, chance = judge_said(known.value, sentence, project=known.project)
    is_clear = chance >= CLEAR and kind in ("same", "changes", "ends")
    if known.project or known.own == known.value:
        return kind, chance
    if is_clear and (kind == "same" or stems(known.own) & stems(sentence.text)):
        return kind, chance
    own = judge_said(known.own, sentence)
    return own if not is_clear or own[0] == "other" else (kind, chance)


def _with_names(sentence: Sentence, known: _KnownMemory) -> Sentence:
    """The sentence with a capital where it writes a name that is known in small letters: "wim left the shop"."""
    text = sentence.text
    for name in names_of(f"… {known.own}"):
        small = name.lower()
        if len(name) >= NAME_CHARS and small not in STOPWORDS and small not in ENGLISH:
            text = re.sub(rf"(?<!\w){re.escape(small)}(?!\w)", name, text)
    return sentence if text == sentence.text else replace(sentence, text=text)


def _list_left(sentence: Sentence, known: Sequence[_KnownMemory]) -> list[Related]:
    """The plans to live where a sentence says that the speaker is now, and the home that they have left for it."""
    place = find_place(sentence)
    own = [one for one in known if not one.project] if place else []
    plans = [one for one in own if planned_to_live(one.own, place)]
    homes = [one for one in own if plans and one.slot == "home" and is_home_elsewhere(one.own, place)]
    return [Related(sentence.start, one.pk, "changes", CLEAR) for one in (*homes, *plans) if homes]


def _list_settled(sentence: Sentence, known: Sequence[_KnownMemory]) -> Iterable[Related]:
    """What is over by what a sentence tells, where that is one thing alone."""
    near = [one for one in _shortlist(sentence, known) if not one.project]
    settled = [one for one in near if takes_its_place(one.own, _with_names(sentence, one))]
    if len(settled) == 1:
        yield Related(sentence.start, settled[0].pk, "changes", CLEAR)
        return
    named = list_sharing(sentence.text, {one.pk: one.value for one in near})
    over = [
        found
        for one in near
        if one.pk in named or are_of_one_person(one.own, sentence.text)
        if (found := _surely_over(one, sentence))
    ]
    if len(over) == 1:
        yield over[0]


def _surely_over(known: _KnownMemory, sentence: Sentence) -> Related | None:
    """Whether a sentence that says little surely ends what is known; or changes it, where it tells of the same
    person by name: "Silke ist jetzt Konrektorin".
    """
    kind, chance = _judge_memory(known, sentence)
    name = find_person(known.own)
    is_theirs = (name and sentence.text.startswith(f"{name} ")) or are_of_one_person(known.own, sentence.text)
    is_news = kind == "changes" and chance >= NEWS and is_theirs
    is_news |= kind in ("changes", "ends") and chance >= CLEAR and says_otherwise_now(sentence.text)
    is_end = kind == "ends" and chance >= SURELY_OVER
    return Related(sentence.start, known.pk, kind, chance) if is_news or is_end else None


def shortlist(text: str, known: Mapping[UUID, str], *, limit: int = SHORTLIST) -> list[UUID]:
    """Those that share most of their words with a text; then the first of the rest."""
    words = _stems(text)
    shared = {key: len(words & _stems(value)) for key, value in known.items()}
    return sorted(known, key=lambda key: -shared[key])[:limit]


def _shortlist(sentence: Sentence, known: Sequence[_KnownMemory]) -> list[_KnownMemory]:
    """Those that answer the same question, name the same person, or share most of their words; then the newest."""
    text, slot, words = sentence.text, sentence.meaning.slot, _stems(in_plain_words(sentence.text))
    is_plain, own = sentence.meaning.slot_chance >= PLAIN_SLOT, find_antecedent(text) is None
    first = "" if is_light(text.partition(" ")[0].lower()) else text.partition(" ")[0]

    def nearness(one: _KnownMemory) -> float:
        name, opens = find_person(one.own), one.own.partition(" ")[0]
        is_theirs = bool(name and find_known((name,), text)) or (opens == first and opens[:1].isupper())
        same = (one.slot == slot and is_plain) + is_theirs
        is_own = same and own and find_antecedent(one.own) is None
        occasion = is_same_occasion(one.own, text) or is_back(one.own, text) or has_died(one.own, text)
        occasion |= says_was_wrong(one.own, text) or says_is_borne(one.own, text)
        occasion |= has_left_workplace(one.own, sentence) or works_other_days(one.own, sentence)
        shared = words & _stems(in_plain_words(one.value))
        return (
            len(shared) + SLOT_COUNTS * (same + occasion + ages_differ(one.own, text)) + OWN_COUNTS * is_own
        )

    first_ones = sorted(known, key=nearness, reverse=True)
    named = sorted(first_ones[SHORTLIST:], key=lambda one: -len(words & _stems(in_plain_words(one.value))))
    also = [one for one in named[:NAMED_BESIDE] if words & _stems(in_plain_words(one.value))]
    return [*first_ones[:SHORTLIST], *also]


def _stems(text: str) -> set[str]:
    """Of the words that tell: „hat die … nicht“ is no more shared than a blank."""
    return {stem[:STEM_CHARS] for stem in stems(text) if not is_light(stem)}


def _list_todos(tenant: Tenant | UUID, person_id: UUID, persona_id: UUID | None) -> dict[UUID, str]:
    rows = list_open_todos(tenant=tenant, person_id=person_id, persona_id=persona_id)
    return dict(rows.order_by("-created_at").values_list("pk", "text")[:NEWEST])


def _list_marked(tenant: Tenant | UUID, person_id: UUID) -> list[_KnownMemory]:
    rows = Memory.objects.for_tenant(tenant).filter(person_id=person_id, status__in=Memory.BLOCKED)
    newest = rows.order_by("-updated_at").values_list("pk", "value", "metadata__slot")[:NEWEST]
    return [_KnownMemory(pk, value, slot or "") for pk, value, slot in newest]


def _list_memories(tenant: Tenant | UUID, person_id: UUID, persona_id: UUID | None) -> list[_KnownMemory]:
    own = persona_id or default_persona_id(
        tenant_id_of(tenant)
    )  # told in confidence, it changes all the same
    rows = Memory.objects.for_tenant(tenant).filter(
        Q(persona_id=None) | Q(persona_id=own),
        person_id=person_id,
        scope=Memory.Scope.USER,
        status=Memory.Status.ACTIVE,
    )
    columns = ("pk", "value", "metadata__slot", "entity_type", "entity_label", "person__display_name")
    found = rows.order_by("-created_at").values_list(*columns)[:NEWEST]
    return [
        _KnownMemory(pk, value, slot or "", label if kind == "project" else "", in_own_words(value, name))
        for pk, value, slot, kind, label, name in found
    ]

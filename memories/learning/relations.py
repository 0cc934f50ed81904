"""How new sentences relate to what is known of a person: candidates are looked up, then each pair is read.

To be called outside a transaction: the lookup opens one of its own and closes it before anything is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple
from uuid import UUID

from django.db.models import Q

from memories.extraction.known import Known
from memories.forgetting.targets import relate_forgetting
from memories.learning.relation_effects import tells_so
from memories.models import Memory
from memories.selectors import list_open_todos
from memories.todos.store import is_same_act
from memories.understanding import Related, Understanding
from nebo.reading.facts.statements import is_worth_keeping
from nebo.reading.facts.values import find_known
from nebo.reading.meaning.kinds import Kind, Relation
from nebo.reading.meaning.reader import Reading, Sentence, read_sentence, relation
from nebo.reading.relations.anew import takes_its_place
from nebo.reading.relations.judging import CLEAR, judge, says_again
from nebo.reading.relations.moved_in import find_place, is_home_elsewhere, planned_to_live
from nebo.reading.relations.own_words import in_own_words
from nebo.reading.relations.restatement import stems
from nebo.reading.relations.same_fact import denies
from nebo.reading.requests.acts import is_others_act, says_done, tells_of_oneself, tells_own_act
from nebo.reading.requests.pointers import point_out
from nebo.reading.requests.todos import find_led_act
from nebo.reading.requests.wishes import is_negated
from nebo.reading.times.dates import without_times
from nebo.reading.words.naming import named_words, share_named
from nebo.reading.words.pauses import split_at_pauses
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_scope

ABOUT_TODOS: tuple[Kind, ...] = ("done", "put_off", "dropped")
SETTLING: tuple[Relation, ...] = ("done", "put_off", "dropped")
POINTED = 0.9  # chance that somebody means the todo whose verb they say of "it"
ACTED = 0.9  # chance that a todo is done whose verb and object they say in the past
UNHINTED = 0.85  # chance by the pair from which a sentence settles what by itself it hints at nothing of
OVER: tuple[Relation, ...] = ("done", "dropped", "ends")
OTHER = 0.3  # chance by the pair from which a person's own past act is another one
OVER_BY_PAIR = 0.5  # chance of these together from which the todo's own verb in the past says that it is done
TELLING_ELSE = 0.5  # chance of being one of these from which such a sentence isn't read
ELSE: tuple[Kind, ...] = ("relative", "lasting", "quoted", "supposed", "joking")
EVENT_HINT = 0.3  # chance of telling an event from which a sentence is read beside open todos
# What is put off or dropped may be known as a fact.
ABOUT_MEMORIES: tuple[Kind, ...] = ("correction", "ended", "wish_back", "put_off", "dropped")
SHORTLIST = 4  # known things that a sentence is read beside; each takes some 7 ms
MEMORY_HINT = 0.15  # chance of correcting or ending something from which a sentence is read beside memories
SURELY_OVER = 0.95  # chance by the pair from which what says little ends the one thing that it names
SAYS_SOMETHING = 0.5  # worth from which a sentence is read beside memories: it need not be worth it alone
TODO_HINT = 0.1  # chance of settling something from which a sentence is read beside open todos
SAME_WORDS = 1.0  # chance of the same thing to do, told by the same words
UNSAYING = ("request", "todo", "passing")
UNSETTLED = 0.5  # chance of asking or of a passing mood, from which a sentence settles nothing
UNCLEAR = 0.15  # chance of the likeliest kind, below which a sentence says nothing clear by itself
STEM_CHARS = 4  # letters by which words count as the same: "book", "booked"
NEWEST = 200  # memories that are looked through
SHOWN = 12  # memories, and todos, that an extractor is shown beside what it reads
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
    asking = [one for one in sentences if _may_settle(one) or find_led_act(one)]
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


def list_near(*, tenant: Tenant | UUID, person_id: UUID, persona_id: UUID | None, text: str) -> Known:
    """What is known near a text, to be shown to who reads it. In the caller's scope."""
    memories = {one.pk: one.value for one in _list_memories(tenant, person_id, persona_id)}
    todos = _list_todos(tenant, person_id, persona_id)
    return Known(
        {pk: memories[pk] for pk in shortlist(text, memories, limit=SHOWN)},
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
    for sentence in reading.sentences:
        yield from _read_todos(sentence, todos)
        yield from _list_repeated(sentence, todos)
        if sentence in beside:
            yield from _read_beside(sentence, beside[sentence])


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
    return tells_so(sentence) and max(chances[kind] for kind in UNSAYING) < UNSETTLED


def _says_something(sentence: Sentence) -> bool:
    return is_worth_keeping(sentence) or sentence.meaning.worth["good"] >= SAYS_SOMETHING


def _may_settle(sentence: Sentence) -> bool:
    """Whether it may be about something to do: settle it, or tell it again. So may whatever tells something, which is
    read only beside a todo that it names.
    """
    return _is_hinted(sentence) or _may_tell(sentence) or len(split_at_pauses(sentence.text)) > 0


def _may_tell(sentence: Sentence) -> bool:
    """Whether it may tell, without any hint of that by itself, that something was done: "I got bread on the way"."""
    meaning = sentence.meaning
    asking: tuple[Kind, ...] = ("question", "request", "todo", "wish", "forget")
    return not any(meaning.may_be(kind) for kind in asking) and not any(
        meaning.chances[kind] >= TELLING_ELSE for kind in ELSE
    )


def _is_hinted(sentence: Sentence) -> bool:
    chances = sentence.meaning.chances
    hinted = sentence.meaning.is_sure("todo") or any(chances[kind] >= TODO_HINT for kind in ABOUT_TODOS)
    return hinted or max(chances.values()) < UNCLEAR or _may_bring(sentence)


def _may_bring(sentence: Sentence) -> bool:
    """Whether it tells what happened, which may have settled something without a word of that: "the money came"."""
    meaning = sentence.meaning
    otherwise: tuple[Kind, ...] = ("question", "request", "todo", "put_off")
    asks = any(meaning.may_be(kind) for kind in otherwise)
    return meaning.chances["event"] >= EVENT_HINT and not asks


def _list_settling(sentence: Sentence) -> list[str]:
    """The parts of a sentence that by themselves surely settle something: "it's paid, they gave me a receipt"."""
    return [
        part
        for part in split_at_pauses(sentence.text)
        if any(read_sentence(part).is_sure(kind) for kind in ABOUT_TODOS)
    ]


def _read_todos(sentence: Sentence, todos: Mapping[UUID, str]) -> Iterable[Related]:
    """What shares no word is never taken for what is meant, so it isn't read. To forget what is to do is to drop it."""
    pointed = [key for key, todo in todos.items() if _says_it_is_done(sentence, todo)]
    near = list_sharing(sentence.text, todos)[:SHORTLIST]
    parts = _list_settling(sentence) if near or pointed else []
    hinted = bool(parts) or _is_hinted(sentence)
    if not hinted and not _may_tell(sentence):
        return
    if len(pointed) == 1:
        yield Related(sentence.start, pointed[0], "done", POINTED)
        return
    for object_id in near:
        best, chance = _settle_by(todos[object_id], sentence, parts)
        if chance and (hinted or (best == "done" and _is_plain(todos[object_id], sentence, chance))):
            yield Related(sentence.start, object_id, best, chance)


def _settle_by(todo: str, sentence: Sentence, parts: Sequence[str]) -> tuple[Relation, float]:
    """What a sentence is to a todo, by its parts and as a whole; nothing where it tells what somebody else did."""
    read = [_relate_todo(todo, text, sentence) for text in (*parts, sentence.text)]
    settling = [one for one in read[:-1] if one[0] in ABOUT_TODOS]
    best, chance = max(settling or read[-1:], key=lambda one: one[1])
    if best == "done" and not parts and is_others_act(sentence.text, todo):
        return "other", 0.0
    is_reported = best != "put_off" and says_done(sentence.text, todo) and _tells_own_past(todo, sentence)
    return ("done", max(ACTED, chance if best == "done" else 0.0)) if is_reported else (best, chance)


def _is_plain(todo: str, sentence: Sentence, chance: float) -> bool:
    """Whether what hints at nothing settled by itself says so beside this todo: by its verb, or of one's own doing."""
    return chance >= UNHINTED and (says_done(sentence.text, todo) or tells_of_oneself(sentence.text))


def _tells_own_past(todo: str, sentence: Sentence) -> bool:
    """Whether the todo's own verb and object in the past say that it is done: by the sentence or by the pair, which
    takes the end of a thing for a fact's („GEZ hab ich gekündigt“).
    """
    text, meaning = sentence.text, sentence.meaning
    if (
        denies(text)
        or is_negated(text)
        or meaning.may_be("put_off")
        or meaning.may_be("todo")
        or is_others_act(text, todo)
    ):
        return False
    chances = relation(todo, text)
    if tells_own_act(text, todo) and chances.get("other", 0.0) < OTHER:
        return True
    return meaning.is_sure("done") or sum(chances.get(kind, 0.0) for kind in OVER) >= OVER_BY_PAIR


def _list_repeated(sentence: Sentence, todos: Mapping[UUID, str]) -> Iterable[Related]:
    """What is open already of what words lead up to: "I have to service the outboard on 30 April"."""
    act = find_led_act(sentence)
    same = [object_id for object_id, text in todos.items() if act and is_same_act(act, text)]
    yield from (Related(sentence.start, object_id, "same", SAME_WORDS) for object_id in same[:1])


def _says_it_is_done(sentence: Sentence, todo: str) -> bool:
    """Whether somebody says that they did "it", by the todo's own verb: "I rang them, that's sorted"."""
    act = point_out(sentence.text, todo)
    if not act or denies(sentence.text):
        return False
    parts = [read_sentence(part) for part in split_at_pauses(sentence.text)]
    return any(one.is_sure("done") for one in (sentence.meaning, read_sentence(act), *parts))


def _relate_todo(todo: str, text: str, sentence: Sentence) -> tuple[Relation, float]:
    """What a text is to a todo, most likely.

    What by itself surely says one thing of what is to do says just that of it. The day on which something came is no
    day to which it is put off: "the money came through in August".
    """
    chances = dict(relation(todo, text))
    if not chances:
        return "other", 0.0
    chances["dropped"] += chances.pop("forget")
    best, chance = max(chances.items(), key=lambda one: one[1])
    sure = [kind for kind in ABOUT_TODOS if sentence.meaning.is_sure(kind)]
    if best in ABOUT_TODOS and len(sure) == 1:
        return _named_by(sure[0]), sum(chances[kind] for kind in SETTLING)
    if best == "ends" and share_named(named_words(todo), text) == 1:  # "sell the car": "I sold the car to Ed"
        return ("dropped" if denies(text) else "done"), chance
    timeless = without_times(text)
    if best == "put_off" and _may_bring(sentence) and timeless != text:
        return _relate_todo(todo, timeless, sentence)
    return best, chance


def _named_by(kind: Kind) -> Relation:
    return next(relation for relation in SETTLING if relation == kind)


def _read_beside(sentence: Sentence, known: Sequence[_KnownMemory]) -> Iterable[Related]:
    """What says little is only asked whether it settles something."""
    if not _may_be_about_memories(sentence):
        yield from _list_settled(sentence, known)
        return
    if moved := _list_left(sentence, known):
        yield from moved
        return
    for one in _shortlist(sentence, known):
        kind, chance = _judge_memory(one, sentence)
        yield Related(sentence.start, one.pk, kind, chance)


def _judge_memory(known: _KnownMemory, sentence: Sentence) -> tuple[Relation, float]:
    """As it is worded; where that tells nothing clear, as its person would say it."""
    kind, chance = judge(known.value, sentence, project=known.project)
    is_clear = chance >= CLEAR and kind in ("same", "changes", "ends")
    if is_clear or known.project or known.own == known.value:
        return kind, chance
    return judge(known.own, sentence)


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
    if len(settled := [one for one in near if takes_its_place(one.own, sentence)]) == 1:
        yield Related(sentence.start, settled[0].pk, "changes", CLEAR)
        return
    named = list_sharing(sentence.text, {one.pk: one.value for one in near})
    judged = {one.pk: _judge_memory(one, sentence) for one in near if one.pk in named}
    ended = [pk for pk, (kind, chance) in judged.items() if kind == "ends" and chance >= SURELY_OVER]
    if len(ended) == 1:
        yield Related(sentence.start, ended[0], "ends", SURELY_OVER)


def shortlist(text: str, known: Mapping[UUID, str], *, limit: int = SHORTLIST) -> list[UUID]:
    """Those that share most of their words with a text; then the first of the rest."""
    words = _stems(text)
    shared = {key: len(words & _stems(value)) for key, value in known.items()}
    return sorted(known, key=lambda key: -shared[key])[:limit]


def _shortlist(sentence: Sentence, known: Sequence[_KnownMemory]) -> list[_KnownMemory]:
    """Those that answer the same question or share most of their words with a sentence; then the newest."""
    words, slot = _stems(sentence.text), sentence.meaning.slot
    shared = {one.pk: len(words & _stems(one.value)) + SLOT_COUNTS * (one.slot == slot) for one in known}
    return sorted(known, key=lambda one: -shared[one.pk])[:SHORTLIST]


def list_sharing(text: str, known: Mapping[UUID, str]) -> list[UUID]:
    """Those that name something a text says too, whatever its endings; those that share most first."""
    shares = {key: share_named(named_words(value), text) for key, value in known.items()}
    return sorted((key for key, share in shares.items() if share), key=lambda key: -shares[key])


def _stems(text: str) -> set[str]:
    return {stem[:STEM_CHARS] for stem in stems(text)}


def _list_todos(tenant: Tenant | UUID, person_id: UUID, persona_id: UUID | None) -> dict[UUID, str]:
    rows = list_open_todos(tenant=tenant, person_id=person_id, persona_id=persona_id)
    return dict(rows.order_by("-created_at").values_list("pk", "text")[:NEWEST])


def _list_marked(tenant: Tenant | UUID, person_id: UUID) -> list[_KnownMemory]:
    rows = Memory.objects.for_tenant(tenant).filter(person_id=person_id, status__in=Memory.BLOCKED)
    newest = rows.order_by("-updated_at").values_list("pk", "value", "metadata__slot")[:NEWEST]
    return [_KnownMemory(pk, value, slot or "") for pk, value, slot in newest]


def _list_memories(tenant: Tenant | UUID, person_id: UUID, persona_id: UUID | None) -> list[_KnownMemory]:
    rows = Memory.objects.for_tenant(tenant).filter(
        Q(persona_id=None) | Q(persona_id=persona_id),
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

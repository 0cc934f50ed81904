"""What a request to forget may mean: what shares its words or is near it is looked up and compared with it by meaning.

To be called outside a transaction; no provider is asked, only a model of this process.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import BooleanField, Case, Q, Value, When

from memories.forgetting.target_sentence import find_target_sentence
from memories.models import ForgetRequest, Memory
from memories.selectors import list_open_todos
from memories.storing.vectors import embed_question
from memories.understanding import Related
from nebo.reading.forgetting.clause import orders_to_forget, without_reasons
from nebo.reading.forgetting.matters import is_beside_matter
from nebo.reading.meaning.kinds import Relation
from nebo.reading.meaning.reader import Reading, Sentence, read_sentence, relation
from nebo.reading.wording.vocabulary import names_other_kin
from nebo.reading.words.forget_words import asks_to_keep
from nebo.reading.words.naming import SWEEPING, find_named, named_words
from nebo.tenants.ids import default_persona_id
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_id_of, tenant_scope
from search.embeddings.serving import get_serving_model
from search.embeddings.types import OWN_PROCESS
from search.retrieval.nearest import list_nearest_memories

SHORTLIST = 6  # memories that a request is read beside; each takes some 7 ms
TODO_SHORTLIST = 2  # open todos, and only those that share a word
LOOKED_THROUGH = 200  # memories: those with a word of the request first, then the newest
NEAREST = 6
SEARCHED_CHARS = 4  # letters of a word by which the database looks: "favourite" finds "favorite"
WORDLESS = 0.42  # of its chance, what shares no word with the request has at most: asked about from .95 on
HINTED = 0.2  # chance of a request from which what it may mean is looked up, to be asked about
BY_ITS_KIND = 0.75  # share that the kind of what is named counts as: "my medication", "takes citalopram"
UNKNOWN = 0.5  # weight of a word of the request that stands in nothing known
ONLY_ONE = (
    0.6  # chance, at least, of the only known thing that has every word of the request, if it may be meant
)
MAY_BE_MEANT = 0.3  # that is, its chance by meaning alone
ASKED = 0.4  # chance from which something is asked about (`services.told_forgetting`)
LEAST = 0.1  # chance below which nothing is meant
NO_KIND = "other"
OF_MEMORIES: tuple[Relation, ...] = ("forget", "not_meant", "same", "changes", "ends", "beside", "other")
OF_TODOS: tuple[Relation, ...] = ("forget", "dropped")


@dataclass(frozen=True, slots=True)
class _Candidates:
    """What a request is read beside: texts by id, and their keys with them for the words."""

    texts: Mapping[UUID, str]
    words: Mapping[UUID, str]


def relate_forgetting(
    *, tenant: Tenant | UUID, person_id: UUID, persona_id: UUID | None, readings: Sequence[Reading]
) -> list[tuple[Related, ...]]:
    """Of each reading, how likely its requests to forget mean which memories and todos, and what was said. Opens scopes
    where it must.
    """
    return [
        tuple(
            related
            for number, request in enumerate(reading.sentences)
            if may_ask_to_forget(request)
            for sentence in (without_reasons(request),)
            for related in (
                *_relate(tenant, person_id, persona_id, sentence, reading.sentences[:number]),
                *find_target_sentence(
                    tenant=tenant, person_id=person_id, persona_id=persona_id, request=sentence
                ),
            )
        )
        for reading in readings
    ]


def may_ask_to_forget(sentence: Sentence) -> bool:
    """By its meaning, or since it begins with that order; never what asks not to forget.

    Meanings of "forget that …" and "don't forget that …" are near: what begins with the order is the first of them.
    """
    meant = sentence.meaning.chances["forget"] >= HINTED or orders_to_forget(sentence.text)
    return meant and not asks_to_keep(sentence.text)


def listener_of(tenant: Tenant | UUID, persona_id: UUID | None) -> UUID:
    """The persona that is spoken with: the default one where a session names none."""
    return persona_id or default_persona_id(tenant_id_of(tenant))


def seen_by(listener_id: UUID) -> Q:
    """What is for all personas, or for this one alone."""
    return Q(persona_id=None) | Q(persona_id=listener_id)


def _relate(
    tenant: Tenant | UUID,
    person_id: UUID,
    persona_id: UUID | None,
    sentence: Sentence,
    before: Sequence[Sentence],
) -> Iterable[Related]:
    text, named = sentence.text, named_words(sentence.text)
    if not named:
        return
    wider = f"{before[-1].text} {text}" if before else text
    vector = _vector_of(tenant, text)
    with tenant_scope(tenant):
        memories = _list_memories(tenant, person_id, persona_id, named_words(wider))
        near = _list_near(tenant, person_id, persona_id, vector)
        todos = _list_todos(tenant, person_id, persona_id)
    if not any(_share_words(named, {**memories.words, **todos}).values()):
        text, named = wider, named_words(wider)  # "Tom and I are through. Delete everything about him."
    shares = _with_kind(_share_words(named, memories.words), named, memories.texts, near)
    alone = _find_alone(shares)
    for object_id in shortlist(shares, near=near):
        likely = _chance_of_memory(memories.texts[object_id], text)
        if object_id == alone and likely >= MAY_BE_MEANT:
            likely = max(likely, ONLY_ONE)
        yield from _related(sentence, object_id, likely, shares[object_id])
    shares = _share_words(named, todos)
    for object_id in [one for one in shortlist(shares) if shares[one]][:TODO_SHORTLIST]:
        chances = relation(todos[object_id], text)
        likely = sum(chances.get(one, 0) for one in OF_TODOS)
        yield from _related(sentence, object_id, likely, shares[object_id])


def _find_alone(shares: Mapping[UUID, float]) -> UUID | None:
    """The one known thing that has all words of the request, where nothing else has any."""
    sharing = [key for key, share in shares.items() if share]
    return sharing[0] if len(sharing) == 1 and shares[sharing[0]] == 1 else None


def shortlist(shares: Mapping[UUID, float], *, near: Sequence[UUID] = ()) -> list[UUID]:
    """What shares the words, most of them first; then what is near by its vector; then the newest."""
    sharing = sorted((one for one in shares if shares[one]), key=lambda one: -shares[one])
    return list(dict.fromkeys((*sharing, *(one for one in near if one in shares), *shares)))[:SHORTLIST]


def _share_words(named: frozenset[str], texts: Mapping[UUID, str]) -> dict[UUID, float]:
    """Of each text, the share (0 to 1) of the words that it has; one that no text has weighs less."""
    telling = named - SWEEPING
    found = {key: find_named(telling, text) for key, text in texts.items()}
    known = frozenset[str]().union(*found.values())
    total = len(known) + UNKNOWN * len(telling - known)
    return {key: len(words) / total if total else 0.0 for key, words in found.items()}


def _with_kind(
    shares: dict[UUID, float], named: frozenset[str], texts: Mapping[UUID, str], near: Sequence[UUID]
) -> dict[UUID, float]:
    """The same, where nothing has a word of the request: then the only memory of its kind counts as named.

    "My salary" names what somebody earns, by the question that both answer.
    """
    if any(shares.values()):
        return shares
    kind = read_sentence(" ".join(("my", *sorted(named - SWEEPING)))).slot
    same = [
        one
        for one in shortlist(shares, near=near)
        if kind != NO_KIND and read_sentence(texts[one]).slot == kind
    ]
    return {**shares, same[0]: BY_ITS_KIND} if len(same) == 1 else shares


def _related(sentence: Sentence, object_id: UUID, likely: float, share: float) -> Iterable[Related]:
    """Meaning and words must agree: what shares no word with the request is asked about at most, and so is what has all
    the words of a sure one, however unlikely it reads.
    """
    chance = likely * (WORDLESS + (1 - WORDLESS) * share)
    if share == 1 and sentence.meaning.is_sure("forget"):
        chance = max(chance, ASKED)
    if chance >= LEAST:
        yield Related(sentence.start, object_id, "forget", chance)


def _chance_of_memory(known: str, text: str) -> float:
    """That a memory is meant; what only a todo can be is left out of the sum. "My sister's number" is no brother's."""
    if names_other_kin(known, text) or is_beside_matter(known, text):
        return 0.0
    chances = relation(known, text)
    total = sum(chances.get(one, 0) for one in OF_MEMORIES)
    return chances.get("forget", 0) / total if total else 0.0


def _vector_of(tenant: Tenant | UUID, text: str) -> list[float] | None:
    """By a model of this process alone."""
    return embed_question(tenant=tenant, text=text) if get_serving_model().provider in OWN_PROCESS else None


def _list_memories(
    tenant: Tenant | UUID, person_id: UUID, persona_id: UUID | None, named: Iterable[str]
) -> _Candidates:
    shares = Q(pk=None)
    for word in named:
        part = word[:SEARCHED_CHARS]
        shares |= Q(value__icontains=part) | Q(key__icontains=part)
    rows = Memory.objects.for_tenant(tenant).filter(
        seen_by(listener_of(tenant, persona_id)),
        person_id=person_id,
        scope=Memory.Scope.USER,
        status=Memory.Status.ACTIVE,
    )
    worded = Case(When(shares, then=Value(True)), default=Value(False), output_field=BooleanField())
    first = rows.annotate(worded=worded).order_by("-worded", "-created_at")
    found = list(first.values_list("pk", "key", "value")[:LOOKED_THROUGH])
    return _Candidates(
        texts={pk: value for pk, _, value in found}, words={pk: f"{key} {value}" for pk, key, value in found}
    )


def _list_near(
    tenant: Tenant | UUID, person_id: UUID, persona_id: UUID | None, vector: list[float] | None
) -> list[UUID]:
    if vector is None:
        return []
    listener = listener_of(tenant, persona_id)
    nearest = list_nearest_memories(
        tenant=tenant, person_id=person_id, vector=vector, limit=NEAREST, persona_id=listener
    )
    return [one.memory_id for one in nearest]


def _list_todos(tenant: Tenant | UUID, person_id: UUID, persona_id: UUID | None) -> dict[UUID, str]:
    """Without those that ask what an earlier request meant."""
    asking = ForgetRequest.objects.for_tenant(tenant).filter(person_id=person_id, todo_id__isnull=False)
    open_todos = list_open_todos(tenant=tenant, person_id=person_id, persona_id=persona_id)
    rows = open_todos.exclude(pk__in=asking.values("todo_id"))
    return {todo.pk: todo.text for todo in rows[:LOOKED_THROUGH]}

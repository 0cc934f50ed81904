"""How a new memory relates to known ones: which it repeats, and which it replaces.

To be called outside a transaction, as the reader takes some 15 ms a pair: the lookup opens a scope of its own and
closes it before anything is read. The write's own transaction then acts on it (`superseding.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any
from uuid import UUID

from django.db.models import Q

from memories.entity_refs import find_ref, label_of
from memories.models import Memory
from memories.new_memory import NewMemory
from memories.normalize import normalize_key, storage_namespace
from memories.storing.matching import PROPOSALS
from memories.storing.styles import STYLE_NAMESPACE
from nebo.reading.meaning.reader import read_sentence
from nebo.reading.relations.judging import CLEAR
from nebo.reading.relations.restatement import stems
from nebo.reading.relations.slots import ONE_OF_OWN, Stated, Verdict, compare, slot_of
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import tenant_scope

NEWEST = 200  # memories that are looked through
MAX_CHARS = 400  # characters; a longer one is no single fact
SHORTLIST = 4  # of them that a new one is read beside
MARKED_SHORTLIST = 2  # and of those that a person marked as wrong, or never to be mentioned
SAME_SUBJECT, SAME_SLOT = 2.0, 1.5  # shared words that the same reference, the same slot count as
SURELY = 0.9  # of being over, from which a sentence that corrects or ends closes whatever it means
UNCOMPARED_NAMESPACES = (STYLE_NAMESPACE, "tacit/artifacts")
DECISION = "decision"
FIELDS = ("pk", "value", "key", "entity_refs", "entity_label", "metadata", "status")

Mark = tuple[str, str, str]  # tells a new memory from the others of its batch: namespace, key, value


@dataclass(frozen=True, slots=True)
class ComparedMemory:
    """What a new memory is to a known one, or to an earlier one of its batch (`of` is its mark)."""

    of: UUID | Mark
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Comparison:
    """The slot of a new memory, where one answer holds at a time, and what it is to those that were read beside it."""

    slot: str = ""
    answers: tuple[ComparedMemory, ...] = ()

    def those(self, *verdicts: Verdict) -> list[UUID]:
        """The known memories that it is this to."""
        return [one.of for one in self.answers if one.verdict in verdicts and isinstance(one.of, UUID)]

    def known_as(self, stored: Mapping[Mark, UUID]) -> Comparison:
        """The same, once the earlier ones of its batch are stored."""
        named = tuple(
            replace(one, of=stored.get(one.of, one.of)) if isinstance(one.of, tuple) else one
            for one in self.answers
        )
        return replace(self, answers=named)


NOT_COMPARED = Comparison()
NO_COMPARISONS: Mapping[Mark, Comparison] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class _KnownFact:
    """Something known, or earlier in the batch: what it says, and the question that it answers."""

    of: UUID | Mark
    stated: Stated
    slot: str
    key: str
    messages: frozenset[UUID] = frozenset()
    marked: bool = False


def same_as(ids: Iterable[UUID]) -> Comparison:
    """What is known already to say these again."""
    answers = tuple(ComparedMemory(one, "same") for one in ids)
    return Comparison(answers=answers) if answers else NOT_COMPARED


def mark_of(new: NewMemory) -> Mark:
    """What tells a new memory from the others of its batch."""
    return storage_namespace(new.layer, new.namespace), new.key, new.value


def compare_one(*, tenant: Tenant | UUID, person_id: UUID | None, new: NewMemory) -> Comparison:
    """The same for one memory; of somebody who is not known yet (None) only its slot is told."""
    compared = compare_batch(tenant=tenant, person_id=person_id, news=[new])
    return next(iter(compared.values()), NOT_COMPARED)


def compare_batch(
    *, tenant: Tenant | UUID, person_id: UUID | None, news: Sequence[NewMemory]
) -> dict[Mark, Comparison]:
    """Each new memory that is the person's own, beside what is known and what the batch said before it.

    Opens a scope of its own; call it with no transaction open.
    """
    wanted = [new for new in news if _is_compared(new)]
    if not wanted:
        return {}
    names, known = _look_up(tenant, person_id)
    compared: dict[Mark, Comparison] = {}
    for new in wanted:
        stated = _stated_of_new(new, names)
        slot = slot_of(stated)
        mine = _KnownFact(mark_of(new), stated, slot, normalize_key(new.key), _messages_of(new))
        near = _shortlist(mine, [one for one in known if not one.marked])
        near += _shortlist(mine, [one for one in known if one.marked])[:MARKED_SHORTLIST]
        kept = slot if slot in (*ONE_OF_OWN, DECISION) else ""
        compared[mine.of] = Comparison(kept, tuple(_answers(new, mine, near)))  # type: ignore[index]  # a mark
        known = [mine, *known]
    return compared


def _is_compared(new: NewMemory) -> bool:
    plain = new.scope == Memory.Scope.USER and new.expires_at is None and len(new.value) <= MAX_CHARS
    return plain and storage_namespace(new.layer, new.namespace) not in UNCOMPARED_NAMESPACES


def _answers(new: NewMemory, mine: _KnownFact, near: Iterable[_KnownFact]) -> Iterable[ComparedMemory]:
    """Where words see no difference and the reader isn't sure, nothing is said: how near the two are decides."""
    for one in near:
        verdict, chance = _compare(one, mine)
        if verdict == "same" and chance < CLEAR:
            continue
        over = verdict in ("changes", "ends")
        holds = chance >= CLEAR and (not over or _may_close(new, mine, one, chance))
        yield ComparedMemory(one.of, verdict if holds else "beside")


def _compare(known: _KnownFact, mine: _KnownFact) -> tuple[Verdict, float]:
    """As the facts read; what was settled under the same key on another day is settled anew."""
    verdict, chance = compare(known.stated, mine.stated)
    anew = _settles_anew(known, mine) and verdict != "same"
    return ("changes", 1.0) if anew else (verdict, chance)


def _settles_anew(known: _KnownFact, mine: _KnownFact) -> bool:
    return known.stated.settled and mine.stated.settled and known.key == mine.key


def _may_close(new: NewMemory, mine: _KnownFact, known: _KnownFact, chance: float) -> bool:
    """What was written on purpose closes only what answers one question of one answer, or is about the same thing."""
    if new.source in PROPOSALS or mine.stated.about & known.stated.about or _settles_anew(known, mine):
        return True
    if mine.slot in (*ONE_OF_OWN, DECISION) and mine.slot == (known.slot or slot_of(known.stated)):
        return True
    meaning = read_sentence(mine.stated.words)
    return chance >= SURELY and (meaning.may_be("correction") or meaning.may_be("ended"))


def _shortlist(mine: _KnownFact, known: Sequence[_KnownFact]) -> list[_KnownFact]:
    """Those that are about the same thing, answer the same question or share a word; the likeliest first."""
    words = stems(mine.stated.value)
    seen = [one for one in known if _may_meet(mine, one)]
    shared = {
        one.of: len(words & stems(one.stated.value))
        + SAME_SUBJECT * bool(mine.stated.about & one.stated.about)
        + SAME_SLOT * (one.slot == mine.slot != "")
        + SAME_SLOT * (one.stated.settled and mine.stated.settled)
        for one in seen
    }
    return sorted((one for one in seen if shared[one.of]), key=lambda one: -shared[one.of])[:SHORTLIST]


def _may_meet(mine: _KnownFact, known: _KnownFact) -> bool:
    """Whether they come from different messages: what one message says belongs together."""
    return not mine.messages & known.messages


def _look_up(tenant: Tenant | UUID, person_id: UUID | None) -> tuple[tuple[str, ...], list[_KnownFact]]:
    """The person's name, and what is known of them."""
    if person_id is None:
        return (), []
    with tenant_scope(tenant):
        people = UserProfile.objects.for_tenant(tenant).filter(pk=person_id)
        names = tuple(filter(None, people.values_list("display_name", flat=True)))
        return names, _list_known(tenant, person_id, names)


def _list_known(tenant: Tenant | UUID, person_id: UUID, names: tuple[str, ...]) -> list[_KnownFact]:
    rows = Memory.objects.for_tenant(tenant).filter(
        ~Q(namespace__in=UNCOMPARED_NAMESPACES),
        person_id=person_id,
        scope=Memory.Scope.USER,
        status__in=(Memory.Status.ACTIVE, *Memory.BLOCKED),
        expires_at=None,
    )
    found = rows.order_by("-updated_at").values(*FIELDS)[:NEWEST]
    return [_as_known(row, names) for row in found]


def _as_known(row: Mapping[str, Any], names: tuple[str, ...]) -> _KnownFact:
    slot = str(row["metadata"].get("slot", ""))
    stated = _stated(
        row["value"], row["entity_refs"], row["entity_label"], names, settled=_is_decision(row["key"], slot)
    )
    return _KnownFact(row["pk"], stated, slot, row["key"], marked=row["status"] in Memory.BLOCKED)


def _stated_of_new(new: NewMemory, names: tuple[str, ...]) -> Stated:
    settled = _is_decision(new.key, str(new.metadata.get("slot", "")))
    return _stated(new.value, new.entity_refs, new.entity_label, names, settled=settled)


def _stated(value: str, refs: Sequence[str], label: str, names: tuple[str, ...], *, settled: bool) -> Stated:
    about = [ref for text in refs if (ref := find_ref(text))]
    labels = tuple(filter(None, (label, *map(label_of, about)))) if about else ()
    return Stated(
        value=value,
        about=frozenset(map(str, about[:1])),
        names=labels or names,
        speaker=names,
        is_person=not about or about[0].type == "person",
        settled=settled,
    )


def _is_decision(key: str, slot: str) -> bool:
    return slot == DECISION or key.startswith(f"{DECISION}/")


def _messages_of(new: NewMemory) -> frozenset[UUID]:
    return frozenset(seen.message_id for seen in new.observations if seen.message_id)

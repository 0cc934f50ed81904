"""What a spine is put together from: live memories, open todos, and what the last conversations were about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from memories.models import Memory, Todo
from memories.selectors import list_lasting, list_todos
from nebo.reading.meaning.reader import read_sentence
from nebo.reading.relations.coverage import Coverage
from nebo.reading.words.content_words import split_sentences
from nebo.tenants.ids import default_persona_id
from nebo.tenants.models import Tenant
from sessions.models import SessionSummary
from sessions.spine import sections
from sessions.spine.lines import Composed, Remembered, compose

REMEMBERED = 300  # memories, the newest
TODOS = 100
SUMMARIES = 40  # of sessions, the newest
TALKS = 3  # earlier conversations that a persona's spine names; the last one is shown by itself
SLOTS_BY_KEY = {
    "name": "name", "display-name": "name", "location": "home", "occupation": "work", "timezone": "timezone",
    "birthday": "birthday", "employer": "work",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class KnownFacts:
    """By audience (`SHARED`, or a persona's id): memories, what is open, and a line for each of the last talks."""

    remembered: Mapping[str, Sequence[Remembered]]
    open_loops: Mapping[str, Sequence[str]]
    talks: Mapping[str, Sequence[str]]

    def seen_by(self, audience: str, *, alone: bool) -> list[Remembered]:
        """What a persona is shown besides its conversation: what all personas know, and what only it was told."""
        own = self.remembered.get(audience, ()) if alone else ()
        return [*own, *self.remembered.get(sections.SHARED, ())]


def read_known(*, tenant: Tenant, person_id: UUID) -> KnownFacts:
    """All of it, in four statements. What an earlier conversation was about is left out where it no longer holds."""
    over = _read_over(tenant, person_id)
    return KnownFacts(
        remembered=_read_memories(tenant, person_id),
        open_loops=_read_todos(tenant, person_id),
        talks={
            audience: [line for line in lines if not _says_some_of(line, over)]
            for audience, lines in _read_talks(tenant, person_id).items()
        },
    )


def compose_spine(known: KnownFacts, *, name: str) -> tuple[sections.Spine, sections.Cites]:
    """The whole spine by rule. Memories without a slot are read for one: with no transaction open."""
    spine: sections.Spine = {}
    cites: sections.Cites = {}
    for audience in dict.fromkeys([sections.SHARED, *known.remembered, *known.open_loops, *known.talks]):
        remembered = [_with_slot(one) for one in known.remembered.get(audience, ())]
        composed = compose(remembered, name=name, open_loops=known.open_loops.get(audience, ()))
        shared = known.remembered.get(sections.SHARED, ())
        coverage = Coverage((one.value for one in (*shared, *remembered)), own=name)
        _add_talks(
            composed, [line for line in known.talks.get(audience, ()) if not _says_some_of(line, coverage)]
        )
        spine[audience] = {
            heading: lines
            for heading, lines in composed.sections.items()
            if lines or (audience, heading) != (sections.SHARED, sections.OWN_SECTION)
        }
        cites |= {line: {"memories": ids} for line, ids in composed.cites.items() if ids}
    return spine, cites


def _add_talks(composed: Composed, talks: Sequence[str]) -> None:
    for line in talks:
        composed.add("PROJECTS", line)


def _with_slot(one: Remembered) -> Remembered:
    if one.slot:
        return one
    return Remembered(one.id, one.value, read_sentence(one.value).slot, one.type, one.label, one.importance)


def _read_memories(tenant: Tenant, person_id: UUID) -> dict[str, list[Remembered]]:
    rows = list_lasting(tenant=tenant, person_id=person_id).values_list(
        "pk", "value", "metadata__slot", "key", "type", "entity_label", "importance", "persona_id"
    )
    found: dict[str, list[Remembered]] = {}
    for pk, value, slot, key, kind, label, importance, persona_id in rows[:REMEMBERED]:
        one = Remembered(str(pk), value, slot or SLOTS_BY_KEY.get(key, ""), kind, label, importance)
        found.setdefault(str(persona_id) if persona_id else sections.SHARED, []).append(one)
    return found


def _read_over(tenant: Tenant, person_id: UUID) -> Coverage:
    """What was known, and is no longer so."""
    rows = Memory.objects.for_tenant(tenant).filter(person_id=person_id, status=Memory.Status.SUPERSEDED)
    return Coverage(rows.order_by("-updated_at").values_list("value", flat=True)[:REMEMBERED])


def _says_some_of(line: str, coverage: Coverage) -> bool:
    return any(coverage.has(sentence) for sentence in split_sentences(line.partition(": ")[2] or line))


def _read_todos(tenant: Tenant, person_id: UUID) -> dict[str, list[str]]:
    rows = list_todos(tenant=tenant, person_id=person_id, status=Todo.Status.OPEN)
    found: dict[str, list[str]] = {}
    for text, persona_id in rows.order_by("-created_at").values_list("text", "persona_id")[:TODOS]:
        found.setdefault(str(persona_id or default_persona_id(tenant.pk)), []).append(text)
    return found


def _read_talks(tenant: Tenant, person_id: UUID) -> dict[str, list[str]]:
    """Of each persona, what the conversations before the last one were about."""
    rows = SessionSummary.objects.for_tenant(tenant).filter(
        session__person_id=person_id, session__auto_extract=True
    )
    listed = rows.order_by("-created_at", "-id").values_list(
        "session_id", "one_liner", "said_to", "session__persona_id"
    )
    found: dict[str, dict[UUID, str]] = {}
    for session_id, line, said_to, persona_id in listed[:SUMMARIES]:
        month = f"{said_to:%B %Y}: " if said_to else ""
        own = found.setdefault(str(persona_id or default_persona_id(tenant.pk)), {})
        own.setdefault(session_id, f"{month}{line}")
    return {audience: list(own.values())[1 : TALKS + 1] for audience, own in found.items()}

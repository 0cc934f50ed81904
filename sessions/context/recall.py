"""What a context recalls for its query: the hits of a search, and what a prompt may say of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q

from memories.models import Memory
from memories.people.cards import RECALLED_CARDS, list_card_facts
from nebo.postgres.batched_reads import read_uuid
from nebo.postgres.sql_files import read_part
from nebo.tenants.models import Tenant
from nebo.tenants.reads import Queries, Rows, TenantReads
from search.answers.cache import search_cached
from search.answers.search import Hit, SearchQuery
from search.answers.turn_rendering import WORDS_BEFORE, BeforeTurns, before_of, places_of
from search.embeddings.serving import serving_model_of
from search.questions.speaker_roles import SPEAKERS
from search.relevance.floor import Floor, expect_open
from search.retrieval.candidates import Details, FoundChunk
from sessions.context.inputs import ContextInputs
from sessions.context.knowledge import list_promptable
from sessions.context.retelling import says_little

DETAILS = read_part("search", "details")

# The references of the first memories to name any. Places are kept in order as no queryset could.
FIRST_REFS = """
SELECT array_agg(ref) FROM (
    SELECT named.ref FROM unnest(%(memory_ids)s::uuid[]) WITH ORDINALITY AS hit(id, place)
    JOIN memories m ON m.id = hit.id CROSS JOIN LATERAL unnest(m.entity_refs) WITH ORDINALITY AS named(ref, place)
    GROUP BY named.ref ORDER BY min(hit.place * 1000 + named.place) LIMIT %(cards)s) first
"""


# Turns that are a mere mood or remark, by the one index that messages have.
PASSING = """
SELECT m.id FROM unnest(%(session_ids)s::uuid[], %(seqs)s::bigint[]) AS turn(session_id, seq)
CROSS JOIN LATERAL (
    SELECT id, passing FROM agent_sessions_message
    WHERE tenant_id = %(tenant_id)s AND session_id = turn.session_id AND seq = turn.seq OFFSET 0) m
WHERE m.passing
"""

# How many texts of the person there are to be found.
TEXTS = """
SELECT coalesce(sum(chunks), 0)::int AS chunks FROM search_corpus
WHERE tenant_id = %(tenant_id)s AND person_id IN (%(person_id)s, %(shared_id)s)
"""


@dataclass(frozen=True, slots=True)
class Recalled:
    """Hits, best first; those of their memories that may stand in a prompt; facts about the people and things these
    mention, best first; what was said right before each turn; the ids of messages that are mere small talk; and how
    many texts of the person there are to be found.
    """

    hits: Sequence[Hit] = ()
    memories: Mapping[UUID, Memory] = field(default_factory=dict)
    facts: Sequence[Mapping[str, str]] = ()
    before: BeforeTurns = field(default_factory=dict)
    passing: frozenset[str] = frozenset()
    texts: int = 0

    def is_passing(self, hit: Hit) -> bool:
        """Whether it is a turn that says nothing but a mood or a remark, or in which the assistant only asks."""
        passes = bool(hit.messages) and all(str(one.id) in self.passing for one in hit.messages)
        return passes or (hit.speaker == SPEAKERS["assistant"] and says_little(hit.text))

    def list_people(self, memories: Iterable[Memory]) -> list[tuple[str, list[str]]]:
        """The references of these memories in their order, each with its best facts."""
        values: dict[str, list[str]] = {}
        for fact in self.facts:
            values.setdefault(fact["ref"], []).append(fact["value"])
        refs = dict.fromkeys(ref for memory in memories for ref in memory.entity_refs)
        return [(ref, values[ref]) for ref in refs if ref in values]


def recall_for(
    *, tenant: Tenant | UUID, inputs: ContextInputs, query: SearchQuery, vector: list[float] | None
) -> Recalled:
    """The search's two statements, the second of which reads the rest too; one where the answer is kept."""
    beside = _RecallReads(tenant, inputs, query.text, vector)
    retrieval = search_cached(
        tenant=tenant,
        query=query,
        versions=inputs.versions,
        vector=vector,
        read_details=beside.read_details,
    )
    hits = retrieval.answer.results
    if retrieval.kept:
        beside.read([hit.memory_id for hit in hits if hit.memory_id], places_of(hits))
    return beside.recalled(hits)


class _RecallReads:
    """Reads what a hit shows together with what is said of it."""

    def __init__(
        self, tenant: Tenant | UUID, inputs: ContextInputs, question: str, vector: list[float] | None
    ) -> None:
        self._tenant = tenant
        self._ground = inputs
        self._question = question
        self._vector = vector
        self._found: Rows = {"memories": [], "facts": [], "before": [], "passing": [], "texts": []}

    def read_details(self, chunks: Sequence[FoundChunk]) -> dict[int, Details]:
        """As a search wants them; what they leave open is read again, beginning now."""
        expect_open(
            self._question,
            chunks,
            model=serving_model_of(self._vector),
            floor=Floor.at(self._ground.tenant.relevance_floor),
        )
        found = self.read(
            [chunk.memory_id for chunk in chunks if chunk.memory_id],
            [(chunk.session_id, chunk.seq_from) for chunk in chunks if chunk.session_id and chunk.seq_from],
            [chunk.id for chunk in chunks],
        )
        return {row["id"]: _details(row) for row in found["details"]}

    def read(
        self,
        memory_ids: Sequence[UUID],
        turns: Sequence[tuple[UUID, int]],
        chunk_ids: Sequence[int] = (),
    ) -> Rows:
        """One statement."""
        self._found = RESULT_READS.read(
            tenant=self._tenant,
            cards=RECALLED_CARDS,
            ids=list(chunk_ids),
            memory_ids=list(dict.fromkeys(memory_ids)),
            session_ids=[session_id for session_id, _ in turns],
            seqs=[seq for _, seq in turns],
            person_id=self._ground.person.pk,
            shared_id=self._ground.shared.pk,
            persona_id=self._ground.persona.pk,
            session_id=self._ground.session.pk,
        )
        return self._found

    def recalled(self, hits: Sequence[Hit]) -> Recalled:
        """What was read, of these hits."""
        found = {memory.pk: memory for memory in self._found["memories"]}
        memories = {id: found[id] for id in _memory_ids(hits) if id in found}
        before = dict(map(before_of, self._found["before"]))
        passing = frozenset(str(row["id"]) for row in self._found["passing"])
        texts = sum(row["chunks"] for row in self._found["texts"])
        return Recalled(hits, memories, self._found["facts"], before, passing, texts)


def _memory_ids(hits: Iterable[Hit]) -> Iterable[UUID]:
    return dict.fromkeys(hit.memory_id for hit in hits if hit.memory_id)


def _details(row: Mapping[str, Any]) -> Details:
    columns = {
        "created_at": datetime.fromisoformat(row["created_at"]),
        "message_ids": [read_uuid(id) for id in row["message_ids"] or ()],
    }
    return Details(**{**row, **columns})


def _list_beside(tenant: UUID, *, memory_ids: Sequence[UUID], refs: Sequence[str], **who: Any) -> Queries:
    people, persona_id = (who["person_id"], who["shared_id"]), who["persona_id"]
    whose = Q(person_id__in=people)
    memories = list_promptable(
        tenant=tenant, whose=whose, persona_id=persona_id, session_id=who["session_id"]
    )
    return {
        "memories": memories.filter(pk__in=memory_ids).only(
            "value", "created_at", "entity_refs", "entity_label"
        ),
        "refs": FIRST_REFS,
        "before": WORDS_BEFORE,
        "passing": PASSING,
        "texts": TEXTS,
        "details": DETAILS,
        "facts": list_card_facts(tenant=tenant, person_ids=people, refs=refs, persona_id=persona_id),
    }


RESULT_READS = TenantReads(
    _list_beside,
    given={
        "cards": "int",
        "ids": "bigint[]",
        "memory_ids": "uuid[]",
        "person_id": "uuid",
        "shared_id": "uuid",
        "persona_id": "uuid",
        "session_id": "uuid",
        "session_ids": "uuid[]",
        "seqs": "bigint[]",
    },
    found={"refs": "text[]"},
)

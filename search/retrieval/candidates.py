"""What may answer a question: found by words, by vector, and what stands next to it; one statement."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

from pgvector import HalfVector

from nebo.postgres.prepared import Statement, fetch_rows
from nebo.postgres.sql_files import read_statement
from search.questions.dates import TIME_WORDS
from search.questions.names import letters_of

BM25_K1 = 0.9  # for passages; Lin et al., Anserini, 2021
BM25_B = 0.4  # the same; 0.75, for whole documents, puts “Thanks!” before an answer
NEIGHBOUR_GAP = 2  # messages to either side that are drawn in
LEG = 40  # candidates each leg brings at least; 150 found no more (LoCoMo, recall at 10 and 50)
NEAR = 20  # the best of each leg, to which neighbours are drawn in; all forty found no more at ten (LoCoMo)
NEAR_SHARE = 0.7  # of the results asked for, the same where they are many; all found no more at fifty
STRANGE_NAMES = 3  # of a question, for which others are tried; some five hundred probes each
NAME_LETTERS = 24  # at most, of such a name
FIND_CANDIDATES = read_statement("search", "candidates")
FIND_MEMORIES = read_statement("search", "candidates_of_memories")
FIND_BY_WORDS = read_statement("search", "candidates_by_words")
FIND_DETAILS = read_statement("search", "details")
NOBODY = UUID(int=0)  # stands for “no persona” and “no session”: equal to none there is


@dataclass(frozen=True, slots=True)
class CandidateQuery:
    """What is asked, of whom, and what the caller may see.

    Words and vectors bring `leg` candidates each, and the neighbours of the first `near`.
    """

    tenant_id: UUID
    person_id: UUID
    text: str
    languages: Sequence[str]
    model_id: int
    vector: list[float] | None
    sources: frozenset[str]
    namespace: str = ""
    layer: str = ""
    types: Sequence[str] = ()
    within: Sequence[UUID] | None = None
    persona_id: UUID | None = None
    session_id: UUID | None = None
    leg: int = LEG
    near: int = NEAR
    names: Sequence[str] = ()
    forms: Sequence[str] = ()
    asks_when: bool = False

    @property
    def is_filtered(self) -> bool:
        """Whether it asks for memories of some kind."""
        return bool(self.namespace or self.layer or self.types)

    @property
    def asks_for_memories_alone(self) -> bool:
        """Only memories have a layer, a namespace and a type: whoever names one asks for nothing else."""
        return self.is_filtered or self.sources == {"memory"}

    @property
    def statement(self) -> Statement:
        """What finds its candidates."""
        if self.asks_for_memories_alone:
            return FIND_MEMORIES
        return FIND_BY_WORDS if self.vector is None else FIND_CANDIDATES

    @property
    def parameters(self) -> dict[str, Any]:
        """The values for the statements that find candidates."""
        return {
            "tenant_id": self.tenant_id,
            "person_id": self.person_id,
            "text": self.text,
            "forms": list(self.forms),
            "languages": list(self.languages),
            "memories_alone": self.asks_for_memories_alone,
            "turns_alone": not self.asks_for_memories_alone and "memory" not in self.sources,
            "filtered": self.is_filtered,
            "model_id": self.model_id,
            "vector": HalfVector(self.vector) if self.vector is not None else None,
            "namespace": self.namespace,
            "layer": self.layer,
            "types": list(self.types),
            "within": None if self.within is None else list(self.within),
            "persona_id": self.persona_id or NOBODY,
            "session_id": self.session_id or NOBODY,
            "leg": self.leg,
            "gap": NEIGHBOUR_GAP,
            "near": self.near,
            "k1": BM25_K1,
            "b": BM25_B,
            "names": list(self.names),
            "letters": letters_of(self.names),
            "name_letters": NAME_LETTERS,
            "strange_names": STRANGE_NAMES,
            "times": TIME_WORDS if self.asks_when else "",
        }


class FoundChunk(NamedTuple):
    """A chunk with its raw scores; `lexical` and `vector` are None where a leg has nothing for it.

    `about` is who speaks in a turn, and the entities of a memory, a line each. `age_days` counts from when
    a turn was said, a memory last confirmed. `length` is a turn's number of words; `asks` is whether it ends in
    a question, `by_agent` whether the agent said it. `terms` are numbers of the question's words, `points` what
    each adds to `lexical`. `names_time` is known only where the question asks when. `day` counts from 1970-01-01;
    `kind` is a memory's namespace, type, kind of fact and tags.
    """

    id: int
    memory_id: UUID | None
    session_id: UUID | None
    seq_from: int | None
    seq_to: int | None
    about: str
    age_days: float
    importance: int
    length: int | None
    asks: bool
    lexical: float | None
    vector: float | None
    terms: list[int] | None = None
    points: list[float] | None = None
    names_time: bool = False
    day: int = 0
    kind: str = ""
    by_agent: bool = False


class Details(NamedTuple):
    """What a result shows of a chunk; `start` and `end` are characters of the text it was cut from."""

    id: int
    text: str
    start: int
    end: int
    namespace: str
    key: str
    created_at: datetime
    message_ids: list[UUID] | None
    external_ids: list[str | None] | None


def find_candidates(query: CandidateQuery) -> list[FoundChunk]:
    """Run it in the open scope. No row of another person is read to find this one's."""
    return [FoundChunk._make(row) for row in fetch_rows(query.statement, query.parameters)]


DetailsReader: TypeAlias = Callable[[Sequence[FoundChunk]], Mapping[int, Details]]


def find_details(tenant_id: UUID, chunks: Sequence[FoundChunk]) -> dict[int, Details]:
    """What is shown of each chunk, by its id."""
    ids = [chunk.id for chunk in chunks]
    rows = fetch_rows(FIND_DETAILS, {"tenant_id": tenant_id, "ids": ids}) if ids else []
    return {row[0]: Details._make(row) for row in rows}

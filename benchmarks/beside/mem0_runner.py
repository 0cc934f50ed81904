"""mem0's library on the same Postgres with Nebo's own embedder; nothing is inferred, its defaults otherwise.

python -m benchmarks.beside.mem0_runner < task.json      (in an environment with mem0-requirements.txt)
"""

from __future__ import annotations

import os
import time

os.environ["MEM0_TELEMETRY"] = "False"  # read at the import

from mem0 import Memory

from benchmarks.beside.task import Measured, Person, Task, own_memory_mb, read_task, write_measured
from search.embeddings.local import DIMENSIONS, LocalEmbedder


class SameEmbedder:
    """Nebo's embedder behind the two calls that mem0 makes."""

    def __init__(self) -> None:
        self._embedder = LocalEmbedder()

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """One vector; mem0 doesn't treat questions and texts apart, nor does this model."""
        return self._embedder.embed([text])[0]

    def embed_batch(self, texts: list[str], memory_action: str | None = None) -> list[list[float]]:
        """A vector a text, in their order."""
        return self._embedder.embed(texts)


def main() -> None:
    """Store every turn, ask every question."""
    task = read_task()
    memory = _open(task)
    began = time.perf_counter()
    for person in task.people:
        _store(memory, person)
    ingest_s = time.perf_counter() - began
    answers = [
        _ask(memory, person.id, text, task.limit) for person in task.people for text in person.questions
    ]
    write_measured(
        Measured(
            ingest_s=ingest_s,
            turns=sum(len(person.turns) for person in task.people),
            found=tuple(found for found, _ in answers),
            search_ms=tuple(ms for _, ms in answers),
            memory_mb=own_memory_mb(),
        )
    )


def _open(task: Task) -> Memory:
    """The model and the key named here are never called: they only satisfy the constructor."""
    memory = Memory.from_config(
        {
            "vector_store": {
                "provider": "pgvector",
                "config": {"connection_string": task.dsn, "embedding_model_dims": DIMENSIONS},
            },
            "embedder": {"provider": "openai", "config": {"api_key": "unused", "embedding_dims": DIMENSIONS}},
            "llm": {"provider": "openai", "config": {"api_key": "unused"}},
            "history_db_path": f"{task.folder}/history.db",
        }
    )
    memory.embedding_model = SameEmbedder()
    return memory


def _store(memory: Memory, person: Person) -> None:
    """A call a turn, as a conversation comes."""
    for turn in person.turns:
        message = [{"role": "user", "content": turn.text}]
        memory.add(message, user_id=person.id, metadata={"turn": turn.id}, infer=False)


def _ask(memory: Memory, user: str, question: str, limit: int) -> tuple[tuple[str, ...], float]:
    """With no threshold, so that all the results asked for come."""
    began = time.perf_counter()
    answer = memory.search(question, filters={"user_id": user}, top_k=limit, threshold=0.0)
    ms = (time.perf_counter() - began) * 1000
    return tuple(row["metadata"]["turn"] for row in answer["results"]), ms


if __name__ == "__main__":
    main()

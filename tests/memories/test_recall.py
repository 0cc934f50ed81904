"""The block a prompt takes as it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memories.models import Memory
from memories.new_memory import embedding_text
from memories.recall import MIN_SIMILARITY, Recall, RecallQuery, plan_recall, recall
from memories.storing.edit import confirm_memory
from search.answers.search import SearchQuery, search
from search.embeddings.hashing import HashingEmbedder
from search.embeddings.registry import get_embedder
from tests.conftest import Team
from tests.memories.conftest import AGENT, Call, remember
from tests.sessions.conftest import caller

pytestmark = pytest.mark.django_db

NOTHING_LACKS = {"pending": {"vectors": 0, "learning": False}, "degraded": None}


class CountingEmbedder(HashingEmbedder):
    """The hashing embedder, which notes what it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.asked += texts
        return super().embed(texts)


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> CountingEmbedder:
    embedder = CountingEmbedder()
    monkeypatch.setattr("search.embeddings.serving.get_embedder", lambda: embedder)
    return embedder


def vector_of(text: str) -> list[float]:
    return get_embedder("hashing/384").embed([text])[0]


def learn(team: Team, value: str, key: str, **fields: object) -> Memory:
    vector = vector_of(embedding_text(key, value))
    return remember(team, value, key=key, vector=vector, **fields).memory


def ask(team: Team, text: str, *, by_vector: bool = True, **fields: Any) -> Recall:
    """The two steps of a recall, as an endpoint takes them."""
    plan = plan_recall(tenant=team.tenant, person=team.person, query=RecallQuery(text, **fields))
    vectors = {search.text: vector_of(search.text) if by_vector else None for search in plan.searches}
    return recall(tenant=team.tenant, plan=plan, vectors=vectors)


def test_the_block_is_a_heading_and_a_line_a_memory(scope: Team) -> None:
    memory = learn(scope, "Loves sailing\n- and rowing", "sailing-lake")

    found = ask(scope, "sailing lake", min_similarity=0.05)

    assert found.block == "## User Memory\n- Loves sailing - and rowing"
    assert [m.pk for m in found.memories] == [memory.pk]
    memory.refresh_from_db()
    assert memory.access_count == 1


def test_what_is_not_near_enough_stays_out(scope: Team) -> None:
    learn(scope, "Loves sailing", "sailing")

    found = ask(scope, "tax law")

    assert (found.block, found.memories) == ("", ())


def test_at_most_as_many_as_asked_and_five_unasked(scope: Team) -> None:
    for number in range(8):
        learn(scope, f"Sailing trip number {number}", f"sailing-{number}", deduplicate=False)

    three = ask(scope, "sailing trip", limit=3, min_similarity=0.0)
    unasked = ask(scope, "sailing trip", min_similarity=0.0)

    assert (len(three.memories), len(unasked.memories)) == (3, 5)


def test_what_is_only_inferred_enters_once_a_person_confirms_it(scope: Team) -> None:
    memory = learn(scope, "Loves sailing", "sailing", confidence=0.6)
    assert ask(scope, "sailing", by_vector=False).block == ""

    confirm_memory(tenant=scope.tenant, memory=memory, actor=AGENT, seen_version=1)

    assert ask(scope, "sailing", by_vector=False).block == "## User Memory\n- Loves sailing"


def test_without_anything_to_recall_the_index_is_not_asked(scope: Team) -> None:
    with CaptureQueriesContext(connection) as captured:
        found = ask(scope, "sailing", by_vector=False)

    assert found.block == ""
    assert not any("search_" in query["sql"] for query in captured.captured_queries)


def test_without_anything_to_recall_no_vector_is_made(call: Call, counting: CountingEmbedder) -> None:
    call("POST", "users/alice/memories/", {"value": "Loves sailing on the lake", "key": "sailing"})
    call("POST", "sessions/", {"user": "bob", "key": "first"})
    counting.asked.clear()

    empty = call("POST", "users/bob/recall/", {"query": "Which lake was it?"})
    asked_for_nobody = list(counting.asked)
    call("POST", "users/alice/recall/", {"query": "Which lake was it?"})

    assert empty.json() == {"block": "", "memories": [], **NOTHING_LACKS}
    assert (asked_for_nobody, counting.asked) == ([], ["Which lake was it?"])


def test_what_everyone_knows_is_recalled_for_a_person_without_memories(scope: Team) -> None:
    learn(scope, "The office closes at six", "office-hours", scope="global")

    assert "The office closes at six" in ask(scope, "office hours", min_similarity=0.05).block


def test_a_long_question_is_also_asked_by_its_keyphrases(scope: Team) -> None:
    learn(scope, "Ingrid plays the cello", "ingrid-cello")
    question = (
        "Good morning, I hope you slept well and that the weather is finally better where you are. "
        "Yesterday was long: meetings until late, then the train stood still outside Hanover for two hours, and "
        "dinner was cold. Anyway, Ingrid came home. Nobody else in the whole building could rest, since walls are "
        "thin and neighbours complain quickly about anything. Ingrid with her cello: who teaches?"
    )

    found = ask(scope, question)
    alone = search(
        tenant=scope.tenant,
        query=SearchQuery(question, scope.person.pk, sources=("memory",)),
        vector=vector_of(question),
    )

    assert alone.results[0].vector_score is not None and alone.results[0].vector_score < MIN_SIMILARITY
    assert found.block == "## User Memory\n- Ingrid plays the cello"


def test_recall_over_http(call: Call) -> None:
    call("POST", "users/alice/memories/", {"value": "Loves sailing on the lake", "key": "sailing"})

    near = call("POST", "users/alice/recall/", {"query": "sailing on the lake", "min_similarity": 0.2}).json()
    far = call("POST", "users/alice/recall/", {"query": "quantum chromodynamics"}).json()

    assert near["block"].startswith("## User Memory\n- Loves sailing")
    assert near["memories"][0]["key"] == "sailing"
    assert far == {"block": "", "memories": [], **NOTHING_LACKS}


def test_of_somebody_unknown_nothing_is_recalled_and_nobody_is_made(call: Call) -> None:
    answer = call("POST", "users/nobody-yet/recall/", {"query": "sailing"})

    assert (answer.status_code, answer.json()) == (200, {"block": "", "memories": [], **NOTHING_LACKS})
    assert call("GET", "users/nobody-yet/").status_code == 404


def test_a_key_of_one_person_learns_nothing_of_whom_there_is(acme: Team, db: None) -> None:
    bound = caller(acme, person=acme.person)
    caller(acme)("POST", "users/bob/memories/", {"value": "Loves sailing"})

    known, unknown = (bound("POST", f"users/{name}/recall/", {"query": "sailing"}) for name in ("bob", "zed"))

    assert (known.status_code, unknown.status_code) == (404, 404)

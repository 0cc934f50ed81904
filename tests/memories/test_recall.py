"""The block a prompt takes as it is."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memories.models import Memory
from memories.recall import recall
from memories.services import confirm_memory, embedding_text
from search.embeddings.registry import get_embedder
from tests.conftest import Team
from tests.memories.conftest import AGENT, Call, remember

pytestmark = pytest.mark.django_db


def vector_of(text: str) -> list[float]:
    return get_embedder("hashing/384").embed([text])[0]


def learn(team: Team, value: str, key: str, **fields: object) -> Memory:
    vector = vector_of(embedding_text(key, value))
    return remember(team, value, key=key, vector=vector, **fields).memory


def test_the_block_is_a_heading_and_a_line_a_memory(scope: Team) -> None:
    memory = learn(scope, "Loves sailing\n- and rowing", "sailing-lake")

    found = recall(
        tenant=scope.tenant, profile=scope.person, query="sailing lake", vector=vector_of("sailing lake"),
        min_similarity=0.05,
    )  # fmt: skip

    assert found.block == "## User Memory\n- Loves sailing - and rowing"
    assert [m.pk for m in found.memories] == [memory.pk]
    memory.refresh_from_db()
    assert memory.access_count == 1


def test_what_is_not_near_enough_stays_out(scope: Team) -> None:
    learn(scope, "Loves sailing", "sailing")

    found = recall(
        tenant=scope.tenant, profile=scope.person, query="tax law", vector=vector_of("tax law"), min_similarity=0.35
    )  # fmt: skip

    assert (found.block, found.memories) == ("", ())


def test_at_most_as_many_as_asked(scope: Team) -> None:
    for number in range(8):
        learn(scope, f"Sailing trip number {number}", f"sailing-{number}", deduplicate=False)

    found = recall(
        tenant=scope.tenant, profile=scope.person, query="sailing trip", vector=vector_of("sailing trip"),
        limit=3, min_similarity=0.0,
    )  # fmt: skip

    assert len(found.memories) == 3


def test_what_is_only_inferred_enters_once_a_person_confirms_it(scope: Team) -> None:
    memory = learn(scope, "Loves sailing", "sailing", confidence=0.6)
    asked = {"tenant": scope.tenant, "profile": scope.person, "query": "sailing", "vector": None}
    assert recall(**asked).block == ""

    confirm_memory(tenant=scope.tenant, memory=memory, actor=AGENT, seen_version=1)

    assert recall(**asked).block == "## User Memory\n- Loves sailing"


def test_without_anything_to_recall_the_index_is_not_asked(scope: Team) -> None:
    with CaptureQueriesContext(connection) as captured:
        found = recall(tenant=scope.tenant, profile=scope.person, query="sailing", vector=None)

    assert found.block == ""
    assert not any("search_" in query["sql"] for query in captured.captured_queries)


def test_recall_over_http(call: Call) -> None:
    call("POST", "users/alice/memories/", {"value": "Loves sailing on the lake", "key": "sailing"})

    near = call("POST", "users/alice/recall/", {"query": "sailing on the lake", "min_similarity": 0.2}).json()
    far = call("POST", "users/alice/recall/", {"query": "quantum chromodynamics"}).json()

    assert near["block"].startswith("## User Memory\n- Loves sailing")
    assert near["memories"][0]["key"] == "sailing"
    assert far == {"block": "", "memories": []}

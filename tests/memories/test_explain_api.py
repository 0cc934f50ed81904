"""`users/{user}/memories/{id}/explain/`: a search's body in, where one memory stands in it out."""

from __future__ import annotations

from uuid import uuid4

from memories.models import AuditEntry
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import Speaks
from personality.models import Persona
from tests.conftest import Team
from tests.memories.conftest import Call, caller

EXPLAIN = "users/alice/memories/{}/explain/"


def learn(call: Call, value: str, **fields: object) -> str:
    return str(call("POST", "users/alice/memories/", {"value": value, **fields}).json()["id"])


def test_a_memory_that_is_found_says_its_rank_and_parts(call: Call) -> None:
    tea, _ = learn(call, "Likes green tea"), learn(call, "Lives in Bergen")

    answer = call("POST", EXPLAIN.format(tea), {"query": "green tea"}).json()

    hit = call("POST", "users/alice/search/", {"query": "green tea"}).json()["results"][0]
    assert (answer["memory_id"], answer["rank"], answer["found"]) == (tea, 1, True)
    assert answer["kept_out_by"] == []
    assert answer["score"] == hit["score"]
    assert {"lexical", "vector", "coverage"} <= set(answer["parts"])


def test_what_keeps_a_memory_out_is_named(call: Call) -> None:
    tea = learn(call, "Likes green tea", type="profile")

    answer = call("POST", EXPLAIN.format(tea), {"query": "green tea", "types": ["people"]}).json()

    assert (answer["found"], answer["rank"], answer["kept_out_by"]) == (False, None, ["type"])


def test_a_read_is_on_record(call: Call, acme: Team) -> None:
    tea = learn(call, "Likes green tea")

    call("POST", EXPLAIN.format(tea), {"query": "tea"})

    with tenant_scope(acme.tenant):
        entry = AuditEntry.objects.for_tenant(acme.tenant).get(action="memory.searched")
    assert entry.detail["memories"] == [tea]


def test_an_unknown_memory_and_a_body_that_is_none_are_refused(call: Call) -> None:
    tea = learn(call, "Likes green tea")

    assert call("POST", EXPLAIN.format(uuid4()), {"query": "tea"}).status_code == 404
    assert call("POST", EXPLAIN.format(tea), {}).status_code == 400
    assert call("POST", f"users/bob/memories/{tea}/explain/", {"query": "tea"}).status_code == 404


def test_a_key_of_one_persona_learns_nothing_of_anothers_memory(call: Call, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        coach, friend = (
            Persona.objects.for_tenant(acme.tenant).create(slug=slug, name=slug)
            for slug in ("coach", "friend")
        )
    secret = learn(call, "Fears the dentist", persona="coach")

    answers = [
        caller(acme, speaks=Speaks(persona.pk))("POST", EXPLAIN.format(secret), {"query": "dentist"})
        for persona in (coach, friend)
    ]

    assert [answer.status_code for answer in answers] == [200, 404]

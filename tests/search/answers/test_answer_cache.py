"""Answers kept for twenty seconds: for exactly this question, and for nobody else."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test import TestCase
from django.test.utils import CaptureQueriesContext

from memories.new_memory import NewMemory
from memories.storing.edit import delete_memory
from memories.storing.store import store_memory
from nebo.tenants.actor import Actor
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from personality.models import Persona
from search.answer_versions import FIND_VERSIONS, get_versions, invalidate_all_answers
from search.answers import cache
from search.answers.cache import CACHE_S, Retrieval, search_cached
from search.answers.search import SearchAnswer, SearchQuery
from search.embeddings.registry import get_embedder
from sessions.models import Session
from sessions.turns.append import NewMessage, append_turn, understand
from tests.conftest import Team

AGENT = Actor("key", "test")


@pytest.fixture(autouse=True)
def _nothing_kept() -> None:
    cache._kept.clear()


@pytest.fixture
def scope(db: None, acme: Team) -> Iterator[Team]:
    with tenant_scope(acme.tenant):
        yield acme


def remember(team: Team, value: str, person: UserProfile | None = None, **fields: Any) -> Any:
    new = NewMemory(value=value, **fields)
    owner = person or team.person
    return store_memory(tenant=team.tenant, person=owner, new=new, actor=AGENT).memory


def read(session: Session, *said: NewMessage) -> list[NewMessage]:
    """Messages as an endpoint tells them: what nobody has read yet, one persona alone finds."""
    return understand(session.tenant_id, session.pk, said)


def asking(team: Team, text: str = "lake", **fields: Any) -> SearchQuery:
    return SearchQuery(**{"text": text, "person_id": team.person.pk, **fields})


def ask(team: Team, query: SearchQuery) -> tuple[SearchAnswer, bool]:
    """The answer, and whether it was kept from before; committed, as far as keeping goes."""
    found = ask_by(team, query, vector=get_embedder("hashing/384").embed([query.text])[0])
    return found.answer, found.kept


def ask_by(team: Team, query: SearchQuery, *, vector: list[float] | None) -> Retrieval:
    versions = get_versions(tenant=team.tenant, person_id=query.person_id)
    with TestCase.captureOnCommitCallbacks(execute=True):
        return search_cached(tenant=team.tenant, query=query, versions=versions, vector=vector)


def is_kept(team: Team, query: SearchQuery) -> bool:
    """Without a vector, nothing new is kept by asking."""
    return ask_by(team, query, vector=None).kept


def test_the_second_asking_gives_the_same_answer_from_one_statement(scope: Team) -> None:
    remember(scope, "Loves sailing on the lake", entity_refs=("place:lake",))
    session = Session.objects.for_tenant(scope.tenant).create(person=scope.person, key="chat")
    said = NewMessage("user", "The lake was cold.", external_id="m-1")
    append_turn(tenant=scope.tenant, session_id=session.pk, messages=read(session, said), actor=AGENT)
    query = asking(scope, explain=True)

    first, was_kept = ask(scope, query)
    with CaptureQueriesContext(connection) as captured:
        again, is_kept = ask(scope, query)

    assert (was_kept, is_kept) == (False, True)
    assert len(first.results) == 2
    assert again.results == first.results
    asked = [query["sql"] for query in captured.captured_queries]
    assert [sql for sql in asked if "search_embeddingmodel" not in sql] == [FIND_VERSIONS.sql]


OTHERS: list[dict[str, Any]] = [
    {"text": "lakes"},
    {"limit": 3},
    {"sources": ("memory",)},
    {"namespace": "tacit"},
    {"layer": "tacit"},
    {"types": ("people",)},
    {"persona_id": UUID(int=1)},
    {"session_id": UUID(int=1)},
    {"min_score": 0.5},
    {"explain": True},
    {"ranking": "lexical"},
    {"within": (UUID(int=1),)},
]


@pytest.mark.parametrize("other", OTHERS, ids=[next(iter(other)) for other in OTHERS])
def test_an_answer_serves_no_other_question(scope: Team, other: dict[str, Any]) -> None:
    remember(scope, "Loves sailing on the lake")
    ask(scope, asking(scope))

    assert is_kept(scope, asking(scope))
    assert not is_kept(scope, replace(asking(scope), **other))


def test_every_field_of_a_question_is_in_its_key(scope: Team) -> None:
    tested = {name for other in OTHERS for name in other}

    assert tested | {"person_id"} == set(SearchQuery.__dataclass_fields__)


def test_an_answer_serves_no_other_person_and_no_other_tenant(rival: Team, scope: Team) -> None:
    bob = UserProfile.objects.for_tenant(scope.tenant).create(external_id="bob")
    ask(scope, asking(scope))

    assert not is_kept(scope, asking(scope, person_id=bob.pk))
    assert not is_kept(scope, asking(scope, person_id=rival.person.pk))


def test_what_one_persona_was_told_is_in_no_others_kept_answer(scope: Team) -> None:
    one, other = (
        Persona.objects.for_tenant(scope.tenant).create(slug=slug, name=slug) for slug in ("uno", "duo")
    )
    remember(scope, "Fears the lake", persona_id=one.pk)

    told, _ = ask(scope, asking(scope, persona_id=one.pk))
    not_told, was_kept = ask(scope, asking(scope, persona_id=other.pk))

    assert (len(told.results), len(not_told.results), was_kept) == (1, 0, False)


def test_what_one_session_was_told_is_in_no_others_kept_answer(scope: Team) -> None:
    rows = Session.objects.for_tenant(scope.tenant)
    one, other = (rows.create(person=scope.person, key=key) for key in ("one", "other"))
    remember(scope, "The code word is lake", scope="session", session_id=one.pk)

    told, _ = ask(scope, asking(scope, session_id=one.pk))
    not_told, was_kept = ask(scope, asking(scope, session_id=other.pk))

    assert (len(told.results), len(not_told.results), was_kept) == (1, 0, False)


def test_any_write_about_the_person_drops_what_is_kept(scope: Team) -> None:
    memory = remember(scope, "Loves sailing on the lake")
    assert len(ask(scope, asking(scope))[0].results) == 1

    remember(scope, "Swims in the lake")
    after_a_store, was_kept = ask(scope, asking(scope))
    delete_memory(tenant=scope.tenant, memory=memory, actor=AGENT)
    after_a_delete, was_kept_then = ask(scope, asking(scope))

    assert (len(after_a_store.results), was_kept) == (2, False)
    assert (len(after_a_delete.results), was_kept_then) == (1, False)


def test_a_write_for_everyone_drops_what_is_kept_of_each(scope: Team) -> None:
    ask(scope, asking(scope))

    remember(scope, "The lake house is closed", scope="global")
    found, was_kept = ask(scope, asking(scope))

    assert (len(found.results), was_kept) == (1, False)


def test_a_write_about_somebody_else_drops_nothing(scope: Team) -> None:
    bob = UserProfile.objects.for_tenant(scope.tenant).create(external_id="bob")
    ask(scope, asking(scope))

    remember(scope, "Swims in the lake", bob)

    assert is_kept(scope, asking(scope))


def test_a_new_turn_drops_what_is_kept(scope: Team) -> None:
    session = Session.objects.for_tenant(scope.tenant).create(
        person=scope.person, key="chat", auto_extract=False
    )
    ask(scope, asking(scope))

    turn = read(session, NewMessage("user", "The lake was cold."))
    append_turn(tenant=scope.tenant, session_id=session.pk, messages=turn, actor=AGENT)
    found, was_kept = ask(scope, asking(scope))

    assert ([hit.text for hit in found.results], was_kept) == (["The lake was cold."], False)


def test_an_answer_made_without_a_vector_is_not_kept(scope: Team) -> None:
    ask_by(scope, asking(scope), vector=None)

    assert not is_kept(scope, asking(scope))


def test_what_is_taken_out_of_many_conversations_drops_the_answers_of_all(scope: Team) -> None:
    ask(scope, asking(scope))

    invalidate_all_answers(tenant=scope.tenant)

    assert not is_kept(scope, asking(scope))


def test_an_answer_ends_after_twenty_seconds(scope: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    ask(scope, asking(scope))
    now = time.monotonic()

    monkeypatch.setattr("search.answers.cache.time.monotonic", lambda: now + CACHE_S - 1)
    shortly_before = is_kept(scope, asking(scope))
    monkeypatch.setattr("search.answers.cache.time.monotonic", lambda: now + CACHE_S + 1)
    after = is_kept(scope, asking(scope))

    assert (CACHE_S, shortly_before, after) == (20, True, False)


def test_a_process_keeps_only_so_many_answers(scope: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("search.answers.cache.CACHE_SIZE", 2)

    for text in ("one", "two", "three"):
        ask(scope, asking(scope, text))

    assert [is_kept(scope, asking(scope, text)) for text in ("one", "two", "three")] == [False, True, True]


def test_what_a_rolled_back_write_was_asked_is_not_kept(committed_db: None, acme: Team) -> None:
    """The next write gets the same version, but is another."""
    vector = get_embedder("hashing/384").embed(["lake"])[0]
    query = asking(acme)
    with contextlib.suppress(InterruptedError), tenant_scope(acme.tenant):
        remember(acme, "Loves sailing on the lake")
        versions = get_versions(tenant=acme.tenant, person_id=acme.person.pk)
        seen = search_cached(tenant=acme.tenant, query=query, versions=versions, vector=vector)
        raise InterruptedError

    with tenant_scope(acme.tenant):
        remember(acme, "Swims in the lake")
        again = get_versions(tenant=acme.tenant, person_id=acme.person.pk)
        found = search_cached(tenant=acme.tenant, query=query, versions=again, vector=vector)

    assert versions == again
    assert [hit.text for hit in seen.answer.results] != [hit.text for hit in found.answer.results]
    assert not found.kept


WRITER = """
import django
django.setup()
from django.db import connections
from nebo.env import env
for alias in connections:
    connections[alias].settings_dict["NAME"] = env.test_database
from memories.new_memory import NewMemory
from memories.storing.store import store_memory
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import tenant_scope
tenant = Tenant.objects.get(slug="acme")
with tenant_scope(tenant):
    person = UserProfile.objects.for_tenant(tenant).get(kind="person")
    store_memory(tenant=tenant, person=person, new=NewMemory(value="Swims in the lake"), actor=Actor("key", "other"))
"""


def test_a_write_of_another_process_drops_what_is_kept(committed_db: None, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        ask(acme, asking(acme))

    subprocess.run([sys.executable, "-c", WRITER], check=True)

    with tenant_scope(acme.tenant):
        found, was_kept = ask(acme, asking(acme))
    assert ([hit.text for hit in found.results], was_kept) == (["Swims in the lake"], False)

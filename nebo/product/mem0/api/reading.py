"""Lists and searches of mem0's three versions and of its own server, and reading one memory."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.noting import note_memories
from memories.api.speaking import get_speaker
from memories.models import Memory
from memories.selectors import list_versions
from memories.storing.vectors import embed_question
from nebo.product.mem0.api.answers import Mem0Change, Mem0Memory, memory_json, version_json
from nebo.product.mem0.api.asked import Asked, read_asked
from nebo.product.mem0.api.base import Mem0View, counted, only_these, user_of
from nebo.product.mem0.api.inputs import MAX_PAGE, PAGE_NAMES, ListInput, SearchInput
from nebo.product.mem0.filters.conditions import matching, names_more_than_people
from nebo.product.mem0.keeping import list_held, of_person
from nebo.product.mem0.said import NOTHING_SAID, list_said
from nebo.tenants.models import UserProfile
from search.answer_versions import Versions
from search.answers.cache import search_cached
from search.answers.search import SearchQuery, search

USUALLY_FOUND = 10  # memories that a search gives where it names no number
CHUNKS = 2  # of a memory at most, each a result
STEPS = 100  # of a history, the newest


@dataclass(frozen=True, slots=True)
class Question:
    """A search as it was asked for."""

    asked: Asked
    user: str
    vector: list[float] | None


class PageView(Mem0View):
    """A page of what is kept. `is_server` is mem0's own server, which answers with results alone."""

    is_server = False

    def asked_of(self, request: Request) -> tuple[Asked, str]:
        """What is listed, and of whom."""
        in_query = request.method == "GET"
        asked = read_asked(ListInput, request, any_name=self.is_server, in_query=in_query)
        return asked, self.name_person(asked.ids)

    def page(self, request: Request, asked: Asked, user: str) -> dict[str, Any]:
        """The answer."""
        person = self.find_named(user)
        if person is None:
            return {"count": 0, "next": None, "previous": None, "results": []}
        fields = asked.fields
        rows = matching(
            list_held(caller=self.caller, person_id=person.pk, expired=bool(fields["show_expired"])),
            tenant=self.caller.tenant_id,
            filters=asked.filters,
            user_id=user_of(user, person),
        )
        size = min(fields["page_size"], fields.get("limit") or fields.get("top_k") or MAX_PAGE)
        number = fields["page"]
        count = rows.count()
        page = list(rows.order_by("-first_observed", "-pk")[(number - 1) * size : number * size])
        note_memories(self, "memory.listed", person.pk, [memory.pk for memory in page])
        return {
            "count": count,
            "next": _page_link(request, number + 1) if number * size < count else None,
            "previous": _page_link(request, number - 1) if number > 1 else None,
            "results": only_these(told(self, page), fields["fields"] or []),
        }


def _page_link(request: Request, number: int) -> str:
    query = urlencode({**request._request.GET.dict(), "page": number})
    return str(request.build_absolute_uri(f"{request.path}?{query}"))


class ListView(PageView):
    """`POST v2/memories/` and `v3/memories/`."""

    scopes = {"POST": "read"}
    operations = counted(POST="list memories")
    parameters = {"POST": PAGE_NAMES}

    def prepare(self, request: Request, **kwargs: Any) -> Any:
        return self.asked_of(request)

    def post(self, request: Request, prepared: tuple[Asked, str]) -> Response:
        return Response(self.page(request, *prepared))


class SearchView(Mem0View):
    """The same search as everywhere, of memories alone, and of those that the filters let through."""

    scopes = {"POST": "read"}
    operations = counted(POST="search")
    is_server = False

    def prepare(self, request: Request, **kwargs: Any) -> Question:
        asked = read_asked(SearchInput, request, any_name=self.is_server)
        user = self.name_person(asked.ids)
        vector = embed_question(tenant=self.caller.tenant_id, text=asked.fields["query"])
        return Question(asked, user, vector)

    def post(self, request: Request, prepared: Question) -> Response:
        asked = prepared.asked
        person = self.find_named(prepared.user)
        found = [] if person is None else self._found(prepared, person)
        rows = only_these(found, asked.fields["fields"] or [])
        bare = asked.fields.get("output_format") == "v1.0"
        return Response(rows if bare else {"results": rows})

    def _found(self, question: Question, person: UserProfile) -> list[Any]:
        version = self.get_person_version(person.external_id)
        if not version.remembers:
            return []
        fields = question.asked.fields
        wanted = min(fields.get("limit") or fields.get("top_k") or USUALLY_FOUND, MAX_PAGE)
        rows = matching(
            list_held(caller=self.caller).filter(of_person(person)),
            tenant=self.caller.tenant_id,
            filters=question.asked.filters,
            user_id=user_of(question.user, person),
        )
        query = self._query(question, version.person_id, wanted * CHUNKS)
        if names_more_than_people(question.asked.filters):
            query = replace(query, within=tuple(rows.values_list("pk", flat=True)))
        scores = self._scores(query, question, Versions(version.version, version.everyone_version))
        held = rows.filter(pk__in=list(scores))
        best = sorted(held, key=lambda memory: -scores[memory.pk])[:wanted]
        note_memories(self, "memory.searched", person.pk, [memory.pk for memory in best])
        return told(self, best, scores)

    def _query(self, question: Question, person_id: UUID, limit: int) -> SearchQuery:
        return SearchQuery(
            text=question.asked.fields["query"],
            person_id=person_id,
            limit=limit,
            sources=("memory",),
            persona_id=get_speaker(self, None).persona_id,
            min_score=question.asked.fields["threshold"],
        )

    def _scores(self, query: SearchQuery, question: Question, versions: Versions) -> dict[UUID, float]:
        """The best results, the highest score of each memory. What is searched within is no key of a kept answer."""
        tenant, vector = self.caller.tenant_id, question.vector
        if query.within is None:
            answer = search_cached(tenant=tenant, query=query, versions=versions, vector=vector).answer
        else:
            answer = search(tenant=tenant, query=query, vector=vector)
        scores: dict[UUID, float] = {}
        for hit in answer.results:
            if hit.memory_id is not None:
                scores[hit.memory_id] = max(hit.score, scores.get(hit.memory_id, 0.0))
        return scores


class MemoryReadView(Mem0View):
    """`v1/memories/{id}/`, as far as it reads."""

    scopes = {"GET": "read"}
    operations = counted(GET="read a memory")

    def get(self, request: Request, prepared: Any, memory_id: str) -> Response:
        (memory,) = self.get_held(memory_id)
        note_memories(self, "memory.read", memory.person_id, [memory.pk])
        return Response(told(self, [memory])[0])


class HistoryView(Mem0View):
    """`v1/memories/{id}/history/`: how its words came about, the oldest first."""

    scopes = {"GET": "read"}
    operations = counted(GET="read a history")

    def get(self, request: Request, prepared: None, memory_id: str) -> Response:
        (memory,) = self.get_held(memory_id)
        note_memories(self, "memory.history_read", memory.person_id, [memory.pk])
        said = list_said(tenant=self.caller.tenant_id, memories=[memory])[memory.pk]
        versions = list(list_versions(tenant=self.caller.tenant_id, memory=memory)[:STEPS])
        steps: list[Mem0Change] = []
        for version in reversed(versions):
            if "value" in version.after:
                steps.append(version_json(version, memory, said))
        return Response(steps)


def told(view: Mem0View, memories: list[Memory], scores: dict[UUID, float] | None = None) -> list[Any]:
    """Memories in mem0's shape, with what was said of them."""
    said = list_said(tenant=view.caller.tenant_id, memories=memories)
    shown: list[Mem0Memory] = [
        memory_json(one, said.get(one.pk, NOTHING_SAID), score=scores[one.pk] if scores else None)
        for one in memories
    ]
    return shown

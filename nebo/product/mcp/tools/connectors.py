"""`search` and `fetch`, under the names and in the shapes that some clients look for."""

from __future__ import annotations

import json
from uuid import UUID

from django.urls import reverse

from memories.api.answers import MemoryFields
from memories.api.memories import MemoryDetailView, ProvenanceView
from memories.api.search import HitFields, SearchView
from nebo.api.agent import Agent
from nebo.errors import NotFound
from nebo.product.mcp.api.inputs import FetchInput, SearchInput
from nebo.product.mcp.protocol import Json
from nebo.product.mcp.tools.shapes import Fetched, SearchResult, SearchResults
from nebo.product.mcp.tools.tool import Done, Tool, one_line

RESULTS = 10
TITLE_CHARS = 80


def search(agent: Agent, arguments: Json) -> Done:
    """Memories alone, each with the address of its page."""
    asked = {"query": arguments["query"], "limit": RESULTS, "sources": ["memory"]}
    hits = agent.ask(SearchView, "POST", body=asked, user=agent.user)["results"]
    slug = agent.find_slug() if hits else ""
    data: SearchResults = {"results": [_result(agent, slug, hit) for hit in hits]}
    return Done(json.dumps(data, ensure_ascii=False), data)


def _result(agent: Agent, slug: str, hit: HitFields) -> SearchResult:
    title = one_line(hit["text"], TITLE_CHARS)
    return {"id": hit["memory_id"], "title": title, "url": _page_of(agent, slug, hit["memory_id"])}


def fetch(agent: Agent, arguments: Json) -> Done:
    """A memory, and the words that it comes from."""
    memory_id = _read_id(agent, arguments["id"])
    memory: MemoryFields = agent.ask(MemoryDetailView, "GET", memory_id=memory_id)
    sources = agent.ask(ProvenanceView, "GET", memory_id=memory_id)["results"]
    quotes = [
        f"- “{one_line(seen['quote'])}” ({seen['observed_at'][:10]})" for seen in sources if seen["quote"]
    ]
    data: Fetched = {
        "id": memory["id"],
        "title": one_line(memory["value"], TITLE_CHARS),
        "text": "\n".join([memory["value"], *(["", "Because it was said:", *quotes] if quotes else [])]),
        "url": _page_of(agent, agent.find_slug(), memory["id"]),
        "metadata": {
            "namespace": memory["namespace"],
            "status": memory["status"],
            "updated_at": memory["updated_at"],
        },
    }
    return Done(json.dumps(data, ensure_ascii=False), data)


def _read_id(agent: Agent, text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as error:
        raise agent.refuse(NotFound()) from error


def _page_of(agent: Agent, slug: str, memory_id: str) -> str:
    page = reverse("memories:detail", kwargs={"tenant": slug, "memory_id": memory_id})
    return agent.request.build_absolute_uri(page)


TOOLS = (
    Tool(
        "search",
        "Search",
        "Find memories for a question; gives ids and titles. Read one whole with fetch.",
        SearchInput,
        SearchResults,
        "read",
        search,
    ),
    Tool(
        "fetch",
        "Fetch",
        "Read one memory whole, with the words it comes from. Takes an id from search.",
        FetchInput,
        Fetched,
        "read",
        fetch,
    ),
)

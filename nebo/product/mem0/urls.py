"""Addresses as mem0's client and its own server have them; a slash at the end may be missing."""

from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, re_path

from nebo.product.mem0.api.account import (
    EntityListView,
    EntityView,
    EventListView,
    EventView,
    PingView,
    UnsupportedView,
)
from nebo.product.mem0.api.adding import AddView
from nebo.product.mem0.api.changing import BatchView, MemoryView
from nebo.product.mem0.api.memories import MemoriesView
from nebo.product.mem0.api.project import ProjectView
from nebo.product.mem0.api.reading import HistoryView, ListView, SearchView

MEMORY = r"memories/(?P<memory_id>[^/]+)"
TEAM = r"(?P<org_id>[^/]+)/projects/(?P<project_id>[^/]+)"
ENTITY = r"entities/(?P<entity_type>[^/]+)/(?P<entity_id>[^/]+)"
UNSUPPORTED = {
    "exports": r"v1/exports(?:/get)?",
    "summary": r"v1/summary",
    "feedback": r"v1/feedback",
    "profiles": r"v2/(?:profiles/[a-z]+(?:/[^/]+)?|entities/[^/]+/[^/]+/profile)",
    "webhooks": r"api/v1/webhooks/projects/[^/]+",
    "projects": r"api/v1/orgs/.+",
    "reset": r"reset",
    "configure": r"configure(?:/.+)?",
}


def at(path: str, view: Any, name: str) -> URLPattern:
    """With and without a slash at the end."""
    pattern: URLPattern = re_path(rf"^{path}/?$", view, name=f"mem0-{name}")
    return pattern


def unsupported() -> Iterator[URLPattern]:
    """What is answered with where to find it."""
    for what, path in UNSUPPORTED.items():
        yield at(path, UnsupportedView.as_view(what=what), what)


urlpatterns = [
    at("v1/ping", PingView.as_view(), "ping"),
    at("v3/memories/add", AddView.as_view(), "add-v3"),
    at("v1/memories/search", SearchView.as_view(), "search-v1"),
    at("v2/memories/search", SearchView.as_view(), "search-v2"),
    at("v3/memories/search", SearchView.as_view(), "search-v3"),
    at("v1/memories", MemoriesView.as_view(), "memories-v1"),
    at("v2/memories", ListView.as_view(), "memories-v2"),
    at("v3/memories", ListView.as_view(), "memories-v3"),
    at(f"v1/{MEMORY}", MemoryView.as_view(), "memory"),
    at(f"v1/{MEMORY}/history", HistoryView.as_view(), "history"),
    at("v1/batch", BatchView.as_view(), "batch"),
    at("v1/entities", EntityListView.as_view(), "entities"),
    at(f"v2/{ENTITY}", EntityView.as_view(), "entity"),
    at("v1/events", EventListView.as_view(), "events"),
    at(rf"api/v1/orgs/organizations/{TEAM}", ProjectView.as_view(), "project"),
    at(r"v1/event/(?P<event_id>[^/]+)", EventView.as_view(), "event"),
    # mem0's own server
    at("memories", MemoriesView.as_view(is_server=True), "server-memories"),
    at("search", SearchView.as_view(is_server=True), "server-search"),
    at(MEMORY, MemoryView.as_view(), "server-memory"),
    at(f"{MEMORY}/history", HistoryView.as_view(), "server-history"),
    at("entities", EntityListView.as_view(), "server-entities"),
    at(ENTITY, EntityView.as_view(), "server-entity"),
    *unsupported(),
]

"""The page to try searches on: what a question finds among somebody's memories and conversations, and by what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.template.response import TemplateResponse

from memories.models import Memory
from memories.normalize import effective_namespace
from memories.selectors import get_reader_id
from memories.storing.vectors import embed_question
from nebo.tenants.ids import default_persona_id
from nebo.tenants.pages import PageRequest, TenantPage, is_refetch
from personality.personas.selectors import list_all_personas
from search.answers.search import SOURCES, Hit, SearchQuery, search

QUESTION_CHARS = 500
LIMITS = (10, 20, 50)
LEASTS = ("25", "50", "75")  # percent of a whole score
LEAST = 0.005  # share of a score from which a part is shown
NAMED = 2  # parts that the sentence about a result names
LAYERS = tuple((str(one.value), one.label) for one in Memory.Layer)
TYPES = tuple((str(one.value), one.label) for one in Memory.Type)


@dataclass(frozen=True, slots=True)
class Part:
    """A share of a score: points, of which all parts together make the score, and what was measured."""

    feature: str
    points: float
    raw: float
    weight: float

    @property
    def width(self) -> float:
        """Of a bar that is 100 wide for a whole score."""
        return round(abs(self.points) * 100, 1)


@dataclass(frozen=True, slots=True)
class Result:
    """A hit with the parts of its score, the greatest first; `mainly` are the features that told most."""

    hit: Hit
    parts: Sequence[Part]

    @property
    def mainly(self) -> list[str]:
        passed_on = () if self.hit.session_id else ("neighbour",)  # a memory has none: its own counts again
        told = [part.feature for part in self.parts if part.points > 0 and part.feature not in passed_on]
        return told[:NAMED]


def read_parts(parts: Mapping[str, Mapping[str, float]]) -> list[Part]:
    """Those worth showing; what lowers a score stands last."""
    read = [
        Part(name, numbers["points"], numbers["raw"], numbers["weight"]) for name, numbers in parts.items()
    ]
    return sorted((one for one in read if abs(one.points) >= LEAST), key=lambda one: -one.points)


class PlaygroundPage(TenantPage):
    """`?q=`, and the filters that the API has: `source`, `layer`, `type`, `persona`, `limit`, `least`."""

    vector: list[float] | None = None

    def prepare(self, request: PageRequest) -> None:
        self.chosen = {name: value.strip()[:QUESTION_CHARS] for name, value in request.GET.dict().items()}
        self.question = self.chosen.get("q", "")
        if self.question:
            self.vector = embed_question(tenant=self.membership.tenant_id, text=self.question)

    def get(self, request: PageRequest) -> HttpResponse:
        shown: dict[str, Any] = {"chosen": self.chosen, "results": None}
        if self.question:
            answer = search(tenant=self.access.tenant, query=self.query(), vector=self.vector)
            shown["results"] = [Result(hit, read_parts(hit.parts)) for hit in answer.results]
            shown |= {"took_ms": answer.took_ms, "by_words": self.vector is None}
        if is_refetch(request, "results"):
            return TemplateResponse(request, "sessions/_playground_results.html", shown)
        shown |= {
            "layers": LAYERS,
            "types": TYPES,
            "limits": LIMITS,
            "leasts": LEASTS,
            "personas": self.personas(),
        }
        return TemplateResponse(request, "sessions/playground.html", shown)

    def query(self) -> SearchQuery:
        """The search as the API would make it, with its parts. Raises NotFound for a persona there is none of."""
        chosen = self.chosen
        source, limit = chosen.get("source", ""), chosen.get("limit", "")
        layer, kind = chosen.get("layer", ""), chosen.get("type", "")
        return SearchQuery(
            text=self.question,
            person_id=self.person.pk,
            limit=int(limit) if limit in map(str, LIMITS) else LIMITS[0],
            sources=(source,) if source in SOURCES else SOURCES,
            namespace=effective_namespace(layer if layer in dict(LAYERS) else "", ""),
            types=(kind,) if kind in dict(TYPES) else (),
            persona_id=self.persona_id(),
            min_score=_share(chosen.get("least", "")),
            explain=True,
        )

    def persona_id(self) -> UUID:
        """The persona to look through, the default one unless another is named."""
        tenant, slug = self.access.tenant, self.chosen.get("persona", "")
        return get_reader_id(tenant=tenant, slug=slug) if slug else default_persona_id(tenant.pk)

    def personas(self) -> list[Any]:
        return list(list_all_personas(tenant=self.access.tenant).order_by("name"))


def _share(text: str) -> float | None:
    """Percent as a share; None for what is none."""
    return min(int(text), 100) / 100 if text.isdecimal() and len(text) < 4 else None

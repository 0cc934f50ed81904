"""The page of what was believed when: a drawing by question, or the list of one day, in the words of that day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.template.response import TemplateResponse

from memories.beliefs.selectors import (
    TOLD,
    find_first_moment,
    find_heads,
    list_answers,
    list_believed,
    list_spans,
)
from memories.beliefs.spans import Span, began_at, find_wording
from memories.models import Memory
from memories.pages.timeline_chart import draw
from memories.pages.timeline_filters import TimelineFilters, list_years, read_filters
from nebo.tenants.pages import PageRequest, TenantPage, get_page, is_refetch

PAGE_SIZE = 25  # questions, or memories of a day


@dataclass(frozen=True, slots=True)
class Belief:
    """A memory as it stood on a day, and what it was replaced by, where that may be told."""

    memory: Memory
    value: str
    since: datetime
    until: datetime | None
    replaced_by: Memory | None

    @property
    def reworded(self) -> bool:
        """Whether it says something else by now."""
        return self.value != self.memory.value


class TimelinePage(TenantPage):
    """Both, and the part of the page that its filters fetch again."""

    def get(self, request: PageRequest) -> HttpResponse:
        filters = read_filters(request.GET.dict())
        shown = self.list_day(request, filters) if filters.on else self.draw_years(request, filters)
        shown |= {"filters": filters, "selects": filters.selects(shown.get("years", ()))}
        part = is_refetch(request, "results")
        return TemplateResponse(
            request, "memories/_timeline.html" if part else "memories/timeline.html", shown
        )

    def draw_years(self, request: PageRequest, filters: TimelineFilters) -> dict[str, Any]:
        """What the drawing shows."""
        tenant, person_id = self.access.tenant, self.person.pk
        first = find_first_moment(tenant=tenant, person_id=person_id)
        years = {"years": list_years(first)}
        if first is None:
            return years
        start, end = filters.window(first)
        rows = list_answers(tenant=tenant, person_id=person_id, start=start, end=end, changed=filters.changed)
        page = get_page(rows.filter(filters.condition), request, size=PAGE_SIZE)
        memories = list(page.object_list)
        heads = find_heads(tenant=tenant, memories=memories)
        spans = list_spans(tenant=tenant, memory_ids=heads)
        return years | {"page": page, "drawing": draw(memories, spans, heads, (start, end))}

    def list_day(self, request: PageRequest, filters: TimelineFilters) -> dict[str, Any]:
        """What the list of a day shows."""
        tenant, moment = self.access.tenant, filters.moment
        rows = list_believed(tenant=tenant, person_id=self.person.pk, moment=moment)
        page = get_page(rows.filter(filters.condition), request, size=PAGE_SIZE)
        spans = list_spans(tenant=tenant, memory_ids=[memory.pk for memory in page.object_list])
        return {
            "page": page,
            "beliefs": [_belief(one, spans.get(one.pk, ()), moment) for one in page.object_list],
        }


def _belief(memory: Memory, spans: Sequence[Span], moment: datetime) -> Belief:
    """In the words of that moment; where they aren't known, in those of now."""
    span = find_wording(spans, moment) or Span(memory.pk, memory.value, began_at(memory))
    after = memory.superseded_by
    told = after if after is not None and after.status in TOLD else None
    return Belief(memory, span.value, span.since, span.until, told)

"""The page of one memory: what it says, why it is known, what became of it, and going back to an earlier wording."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from memories.models import Memory
from memories.pages.evidence import (
    draw_curve,
    find_brought_by,
    find_corrected_by,
    lay_out,
    list_evidence,
    list_uses,
)
from memories.pages.memories import MemoryPage
from memories.pages.memory_reads import HISTORY, read_history
from memories.storing.versions import bring_back_version
from nebo.errors import Conflict, InvalidInput
from nebo.tenants.pages import PageRequest, is_refetch, way_back


class MemoryDetailPage(MemoryPage):
    """One memory: why it is known, and what became of it."""

    def get(self, request: PageRequest, memory_id: UUID) -> HttpResponse:
        memory = self.get_memory(memory_id)
        if request.GET.get("view") == "row" and is_refetch(request):
            return self.row(request, memory)
        return TemplateResponse(request, "memories/detail.html", self.context(request, memory))

    def context(self, request: PageRequest, memory: Memory) -> dict[str, Any]:
        """What detail.html shows."""
        tenant, person = self.access.tenant, self.person
        observations = list(list_evidence(tenant=tenant, memory=memory, person=person)[:HISTORY])
        lay_out(observations)
        history = read_history(tenant=tenant, memory=memory)
        uses = list(list_uses(tenant=tenant, memory=memory, person=person))
        versions = history.versions
        named: list[Any] = [*observations, *versions, *uses]
        return {
            "memory": memory,
            "back": self.back(request),
            "observations": observations,
            "versions": versions,
            "curve": draw_curve(versions),
            "brought": find_brought_by(versions),
            "corrected": find_corrected_by(versions),
            "uses": uses,
            "replaced": history.replaced,
            "against": history.against,
            "fold": history.fold,
            "key_names": {one.actor: one.key_name for one in named if one.key_name},
        }

    def back(self, request: PageRequest) -> str:
        """The list as it was left, where one came from it."""
        default = resolve_url("memories:list", self.access.place)
        came_from = way_back(request, default=default)
        return came_from if came_from.partition("?")[0].endswith(default) else default


class BringBackPage(MemoryPage):
    """The button beside a version."""

    http_method_names = ["post"]

    def post(self, request: PageRequest, memory_id: UUID, number: int) -> HttpResponseBase:
        memory = self.get_memory(memory_id, write=True)
        seen = request.POST.get("version", "")
        try:
            with transaction.atomic():
                bring_back_version(
                    tenant=self.access.tenant,
                    memory=memory,
                    number=number,
                    seen_version=int(seen) if seen.isdecimal() else 0,
                    actor=self.access.actor,
                )
        except (Conflict, InvalidInput) as error:
            messages.error(request, error.detail)
        else:
            messages.success(request, _("Version %(number)s is what it says again.") % {"number": number})
        return redirect(self.address("detail", memory))

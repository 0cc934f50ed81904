"""The pages of whom a team's memories are about, for its owners and admins. To everyone else they don't exist."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.template.response import TemplateResponse

from nebo.product.governance.everyone import count_for, list_people, look_at
from nebo.tenants.pages import PageRequest, TenantPage, get_page
from nebo.tenants.selectors import EXTERNAL_ID_LENGTH

PAGE_SIZE = 50  # people, or memories of one


class EveryonePage(TenantPage):
    """Counts of everybody."""

    needs_person = False
    needs_manager = True

    def get(self, request: PageRequest) -> HttpResponse:
        name = request.GET.get("q", "").replace("\x00", "")[:EXTERNAL_ID_LENGTH]
        page = get_page(list_people(tenant=self.access.tenant, name=name), request, size=PAGE_SIZE)
        people = count_for(tenant=self.access.tenant, people=list(page.object_list))
        return TemplateResponse(
            request, "governance/everyone.html", {"page": page, "people": people, "q": name}
        )


class LookPage(TenantPage):
    """One person's memories, where the policy lets admins look."""

    reads = False  # it leaves a line
    needs_person = False
    needs_manager = True

    def get(self, request: PageRequest, person_id: UUID) -> HttpResponse:
        look = look_at(tenant=self.access.tenant, person_id=person_id, actor=self.access.actor)
        page = get_page(look.memories, request, size=PAGE_SIZE, count=look.count)
        return TemplateResponse(request, "governance/look.html", {"looked_at": look.person, "page": page})

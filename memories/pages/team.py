"""The pages of what is shared with the team: the list, and the buttons that share a memory and take it back."""

from __future__ import annotations

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.template.response import TemplateResponse
from django.utils.translation import gettext_noop as _

from memories.models import Memory
from memories.pages.memories import MemoryActionPage
from memories.team.listing import list_shared
from memories.team.sharing import share_memory, take_back
from nebo.tenants.pages import PageRequest, TenantPage, get_page

PAGE_SIZE = 50  # memories
FROM_LIST = "team"  # the value of `view` where a button of the list was pressed


class TeamPage(TenantPage):
    """What this person shared, and what others did, as their agents are given it."""

    def get(self, request: PageRequest) -> HttpResponse:
        rows = list_shared(tenant=self.access.tenant, person_id=self.person.pk)
        return TemplateResponse(
            request, "memories/team.html", {"page": get_page(rows, request, size=PAGE_SIZE)}
        )


class SharePage(MemoryActionPage):
    """Share exactly the version that was read."""

    notice = _("Shared. The agents of your team may recall it, with your name.")

    def change(self, request: PageRequest, memory: Memory) -> None:
        version = request.POST.get("version", "")
        share_memory(
            tenant=self.access.tenant,
            memory=memory,
            actor=self.access.actor,
            seen_version=int(version) if version.isdecimal() else 0,
        )


class TakeBackPage(MemoryActionPage):
    """From now on no agent but one's own recalls it."""

    act = staticmethod(take_back)
    notice = _("Taken back. Only your own agents recall it now.")

    def answer(self, request: PageRequest, memory: Memory) -> HttpResponseBase:
        if request.POST.get("view") == FROM_LIST:
            return redirect(resolve_url("memories:team", self.access.place))
        return super().answer(request, memory)

"""Doing one thing to many memories of the list, and undoing it."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl

from django.contrib import messages
from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.template.response import TemplateResponse
from django.utils.http import urlencode

from memories.models import Memory
from memories.pages.filters import read_filters
from memories.pages.finder import find_memories, list_seen
from memories.pages.ids import read_ids
from memories.storing.many import ACTS, UNDONE_BY, change_many, undo_many
from memories.storing.vectors import embed_question
from nebo.errors import InvalidInput, NotFound
from nebo.tenants.pages import PageRequest, TenantPage, is_refetch, way_back

MOST = 500  # memories that one press changes: it takes seconds, and other writers of the person wait
CHANGED = "memories-changed"  # the list on the page fetches itself again
DONE: Mapping[str, str] = {
    "pin": "Pinned {}.",
    "unpin": "Unpinned {}.",
    "archive": "Archived {}: kept, and out of agents’ sight.",
    "delete": "Moved {} to the trash.",
    "restore": "Restored {}.",
}


class BulkPage(TenantPage):
    """What the buttons above the list do: to the memories ticked, or to all that match the filters."""

    http_method_names = ["post"]

    def prepare(self, request: PageRequest) -> None:
        self.filters = read_filters(dict(parse_qsl(request.POST.get("filters", ""))))
        self.all = request.POST.get("all") == "true"
        asks = self.all and self.filters.is_question
        self.vector = embed_question(tenant=self.membership.tenant_id, text=self.filters.q) if asks else None

    def post(self, request: PageRequest) -> HttpResponseBase:
        act = request.POST.get("act", "")
        if act not in ACTS:
            raise NotFound
        try:
            self.change(request, act)
        except InvalidInput as error:
            messages.error(request, error.detail)
        return answer(request, self.access.place)

    def change(self, request: PageRequest, act: str) -> None:
        """Do it, and say how many, and how to take it back."""
        chosen = list(self.chosen(request)[: MOST + 1])
        if not chosen:
            raise InvalidInput("Tick the memories that are meant.")
        access = self.access
        done = change_many(tenant=access.tenant, memories=chosen[:MOST], act=act, actor=access.actor)
        undo = ""
        if done and act in UNDONE_BY:
            what = urlencode({"act": act, "batch": access.actor.request_id})
            undo = f"{resolve_url('memories:undo', access.place)}?{what}"
        more = " More match; press again for the rest." if len(chosen) > MOST else ""
        messages.success(request, DONE[act].format(count(done)) + more, extra_tags=undo)

    def chosen(self, request: PageRequest) -> QuerySet[Memory]:
        """Those that are meant, as far as this login may change them."""
        tenant, person = self.access.tenant, self.person
        if self.all:
            rows = find_memories(tenant=tenant, person_id=person.pk, filters=self.filters, vector=self.vector)
        else:
            ids = read_ids(request.POST.getlist("memory"))
            rows = list_seen(tenant=tenant, person_ids=[person.pk]).filter(pk__in=ids)
        rows = rows.select_related("person")
        return rows if self.access.manages else rows.exclude(scope=Memory.Scope.GLOBAL)


class UndoPage(TenantPage):
    """The way back from the toast."""

    http_method_names = ["post"]

    def post(self, request: PageRequest) -> HttpResponseBase:
        act, batch = request.GET.get("act", ""), request.GET.get("batch", "")
        if act not in UNDONE_BY or not batch:
            raise NotFound
        done = undo_many(
            tenant=self.access.tenant,
            person_id=self.person.pk,
            act=act,
            actor=self.access.actor,
            request_id=batch,
        )
        if done:
            messages.success(request, f"Taken back for {count(done)}.")
        else:
            messages.error(request, "There is nothing left to take back.")
        return answer(request, self.access.place)


def answer(request: PageRequest, place: str) -> HttpResponseBase:
    """The toast, and the list looks again; without scripts the page where the button stands."""
    if is_refetch(request):
        return TemplateResponse(request, "memories/_deleted_row.html", headers={"HX-Trigger": CHANGED})
    return redirect(way_back(request, default=resolve_url("memories:list", place)))


def count(number: int) -> str:
    """`1 memory`, `12 memories`."""
    return "1 memory" if number == 1 else f"{number:,} memories"

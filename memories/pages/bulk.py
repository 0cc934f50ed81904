"""Doing one thing to many memories of the list, and undoing it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import parse_qsl

from django.contrib import messages
from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.template.response import TemplateResponse
from django.utils.formats import number_format
from django.utils.http import urlencode
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_noop as _

from memories.models import Memory
from memories.pages.filters import read_filters
from memories.pages.finder import find_memories, list_seen
from memories.pages.ids import read_ids
from memories.pages.reasons import tell_reason
from memories.storing.edit import (
    archive_memory,
    delete_memory,
    pin_memory,
    restore_memory,
    unpin_memory,
)
from memories.storing.many import Act, Changed, Undo, change_many, undo_many
from memories.storing.vectors import embed_question
from memories.team.rules import read_shared_ahead
from memories.team.sharing import NOT_SHARED, share_memory, take_back
from nebo.errors import InvalidInput, NotFound
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from nebo.tenants.pages import PageRequest, TenantPage, is_refetch, way_back
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.selectors import is_id, list_linked_people

MOST = 500  # memories that one press changes: it takes seconds, and other writers of the person wait
VERSION_DIGITS = 10
CHANGED = "memories-changed"  # the list on the page fetches itself again
SHARE = "share"
ACTS: Mapping[str, Act] = {
    "pin": pin_memory,
    "unpin": unpin_memory,
    "archive": archive_memory,
    "delete": delete_memory,
    "restore": restore_memory,
}
UNDONE_BY: Mapping[str, Undo] = {
    "pin": Undo(unpin_memory, "memory.pinned"),
    "unpin": Undo(pin_memory, "memory.unpinned"),
    "archive": Undo(restore_memory, "memory.archived"),
    "delete": Undo(restore_memory, "memory.deleted"),
    SHARE: Undo(take_back, "memory.shared"),
}
DONE: Mapping[str, str] = {
    SHARE: _("Shared {} with the team, under your name."),
    "pin": _("Pinned {}."),
    "unpin": _("Unpinned {}."),
    "archive": _("Archived {}: kept, and out of agents’ sight."),
    "delete": _("Moved {} to the trash."),
    "restore": _("Restored {}."),
}


class BulkPage(TenantPage):
    """What the buttons above the list do: to the memories ticked, or to all that match the filters."""

    http_method_names = ["post"]

    def prepare(self, request: PageRequest) -> None:
        self.filters = read_filters(dict(parse_qsl(request.POST.get("filters", ""))))
        self.all = request.POST.get("all") == "true"
        asks = self.all and self.filters.is_question
        self.vector = embed_question(tenant=self.membership.tenant_id, text=self.filters.q) if asks else None
        if request.POST.get("act") == SHARE:
            self.read_ahead(request)

    def read_ahead(self, request: PageRequest) -> None:
        """What is to be shared is read for what nobody may share, while no transaction is open."""
        tenant_id = self.membership.tenant_id
        ids = [text for text in request.POST.getlist("memory")[:MOST] if is_id(text)]
        with tenant_scope(tenant_id):
            people = list_linked_people(tenant=tenant_id, user=request.user)
            rows = Memory.objects.for_tenant(tenant_id).filter(pk__in=ids, person__in=people.order_by())
            values = list(rows.values_list("value", flat=True))
        for value in values:
            read_shared_ahead(value)

    def post(self, request: PageRequest) -> HttpResponseBase:
        act = request.POST.get("act", "")
        if act not in DONE:
            raise NotFound
        try:
            self.change(request, act)
        except InvalidInput as error:
            messages.error(request, error.detail)
        return answer(request, self.access.place)

    def change(self, request: PageRequest, act: str) -> None:
        """Do it, and say how many, and how to take it back."""
        do = ACTS.get(act) or self.sharing(request)
        chosen = list(self.chosen(request)[: MOST + 1])
        if not chosen:
            raise InvalidInput(gettext("Tick the memories that are meant."))
        access = self.access
        done = change_many(tenant=access.tenant, memories=chosen[:MOST], act=do, actor=access.actor)
        undo = ""
        if done.count and act in UNDONE_BY:
            what = urlencode({"act": act, "batch": access.actor.request_id})
            undo = f"{resolve_url('memories:undo', access.place)}?{what}"
        more = " " + gettext("More match; press again for the rest.") if len(chosen) > MOST else ""
        left = why_not(done) if act == SHARE else ""
        messages.success(request, gettext(DONE[act]).format(count(done.count)) + left + more, extra_tags=undo)

    def sharing(self, request: PageRequest) -> Act:
        """What shares a memory. Raises InvalidInput where it would share what nobody has before them."""
        if self.all:
            raise InvalidInput(
                gettext("Only what you have before you is shared: tick the memories on this page.")
            )
        return share_as_shown(request.POST.getlist("seen"))

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
            undo=UNDONE_BY[act],
            actor=self.access.actor,
            request_id=batch,
        )
        if done:
            messages.success(request, gettext("Taken back for %(memories)s.") % {"memories": count(done)})
        else:
            messages.error(request, gettext("There is nothing left to take back."))
        return answer(request, self.access.place)


def share_as_shown(seen: Sequence[str]) -> Act:
    """Shares a memory if it still is the version that was shown: `seen` has `<id>.<version>` of each row."""
    versions = dict(text.partition(".")[::2] for text in seen)

    def share(*, tenant: Tenant, memory: Memory, actor: Actor) -> Memory:
        shown = versions.get(str(memory.pk), "")
        version = int(shown) if shown.isdecimal() and len(shown) < VERSION_DIGITS else 0
        return share_memory(tenant=tenant, memory=memory, actor=actor, seen_version=version)

    return share


def why_not(done: Changed) -> str:
    """How many can't be shared, and each reason once; empty where all are."""
    reasons = dict.fromkeys(tell_reason(reason.removeprefix(gettext(NOT_SHARED))) for reason in done.refused)
    if not reasons:
        return ""
    told = gettext("Not shared: %(memories)s.") % {"memories": count(len(done.refused))}
    return " ".join(("", told, *reasons))


def answer(request: PageRequest, place: str) -> HttpResponseBase:
    """The toast, and the list looks again; without scripts the page where the button stands."""
    if is_refetch(request):
        return TemplateResponse(request, "memories/_deleted_row.html", headers={"HX-Trigger": CHANGED})
    return redirect(way_back(request, default=resolve_url("memories:list", place)))


def count(number: int) -> str:
    """`1 memory`, `12 memories`."""
    shown = number_format(number, force_grouping=True)
    return ngettext("%(number)s memory", "%(number)s memories", number) % {"number": shown}

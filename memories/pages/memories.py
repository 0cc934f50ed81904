"""The pages of what is remembered: the list, one memory, and what a person can do with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from memories.models import Memory
from memories.pages.filters import read_filters
from memories.pages.finder import find_memories, get_visible, list_facets
from memories.pages.forms import MemoryForm
from memories.pages.reasons import tell_reason
from memories.storing.edit import (
    confirm_memory,
    delete_memory,
    pin_memory,
    restore_memory,
    unpin_memory,
    update_memory,
)
from memories.storing.marking import mark_wrong, never_mention
from memories.storing.vectors import embed_question
from nebo.errors import Conflict, InvalidInput, NotFound
from nebo.tenants.pages import PageRequest, TenantPage, get_page, is_refetch, way_back

PAGE_SIZE, COMPACT_SIZE = 25, 50  # memories
DENSITY, COMPACT = "nebo.density", "compact"  # in the browser's session: how tall the rows are
CHANGED = "memories-changed"  # the list on the page fetches itself again
REASON_CHARS = 300  # as versions keep it
INBOX = "inbox"  # the view of an edit that comes from there, and goes back
SHORT = 60  # characters of a memory quoted in a message


class MemoryListPage(TenantPage):
    """The list, and the part of it that is fetched again while one types."""

    def prepare(self, request: PageRequest) -> None:
        self.filters = read_filters(request.GET.dict())
        asks = self.filters.is_question
        self.vector = embed_question(tenant=self.membership.tenant_id, text=self.filters.q) if asks else None

    def get(self, request: PageRequest) -> HttpResponseBase:
        if density := request.GET.get("density"):
            return self.remember(request, density)
        compact = request.session.get(DENSITY) == COMPACT
        rows = find_memories(
            tenant=self.access.tenant,
            person_id=self.person.pk,
            filters=self.filters,
            vector=self.vector,
        )
        facets = list_facets(tenant=self.access.tenant, person_id=self.person.pk)
        shown: dict[str, Any] = {
            "page": get_page(rows, request, size=COMPACT_SIZE if compact else PAGE_SIZE),
            "filters": self.filters,
            "chips": self.filters.chips(facets),
            "compact": compact,
        }
        if is_refetch(request, "results"):
            return self.with_address(request, TemplateResponse(request, "memories/_results.html", shown))
        more = self.filters.more_selects(facets)
        shown |= {
            "asked_to_forget": facets.asked_to_forget,
            "more": more,
            "more_open": any(one.chosen for one in more),
        }
        return TemplateResponse(request, "memories/list.html", shown)

    def with_address(self, request: PageRequest, response: HttpResponse) -> HttpResponse:
        """Each choice is a step that Back goes back; the letters of one question are one step."""
        if request.htmx.trigger_name == "q" and "q=" in (request.htmx.current_url or ""):
            address = resolve_url("memories:list", self.access.place)
            response["HX-Replace-Url"] = f"{address}?{self.filters.address}".rstrip("?")
        return response

    def remember(self, request: PageRequest, density: str) -> HttpResponseBase:
        """Rows of one line or of two, from now on."""
        request.session[DENSITY] = COMPACT if density == COMPACT else ""
        address = resolve_url("memories:list", self.access.place)
        return redirect(f"{address}?{self.filters.address}".rstrip("?"))


class MemoryPage(TenantPage):
    """A page of one memory, which must be within the login's view."""

    def get_memory(self, memory_id: UUID, *, write: bool = False) -> Memory:
        """The memory; NotFound for any other, and to change what is everyone's for those who don't manage."""
        memory = get_visible(tenant=self.access.tenant, person_ids=[self.person.pk], memory_id=memory_id)
        if write and memory.scope == Memory.Scope.GLOBAL and not self.access.manages:
            raise NotFound
        return memory

    def address(self, name: str, memory: Memory) -> str:
        """Where `memories:<name>` of this memory is."""
        return resolve_url(f"memories:{name}", self.access.place, memory.pk)

    def row(self, request: PageRequest, memory: Memory) -> HttpResponse:
        """The memory as it now stands in the list, with what there is to say."""
        here = (request.htmx.current_url_abs_path or "").partition("?")[0]
        in_list = here == resolve_url("memories:list", self.access.place)
        shown = {"memory": memory, "toasts": True, "pickable": in_list}
        return TemplateResponse(request, "memories/_memory_row.html", shown)


class MemoryEditPage(MemoryPage):
    """Correcting a memory, in its row or on a page of its own."""

    def get(self, request: PageRequest, memory_id: UUID) -> HttpResponse:
        memory = self.get_memory(memory_id, write=True)
        return self.form(request, memory, MemoryForm(memory=memory), view=request.GET.get("view", ""))

    def post(self, request: PageRequest, memory_id: UUID) -> HttpResponseBase:
        memory = self.get_memory(memory_id, write=True)
        form = MemoryForm(request.POST, memory=memory)
        view = request.POST.get("view", "")
        if not (form.is_valid() and self.save(form)):
            return self.form(request, memory, form, view=view, status=422)
        _tell_saved(request, memory)
        if view == "row" and is_refetch(request):
            return self.row(request, memory)
        if view == INBOX:
            return redirect("inbox:list", self.access.place)
        return redirect(self.address("detail", memory))

    def save(self, form: MemoryForm) -> bool:
        """Whether it could be kept; the form says why not."""
        try:
            with transaction.atomic():
                update_memory(
                    tenant=self.access.tenant,
                    memory=form.memory,
                    changes=form.changes,
                    actor=self.access.actor,
                    reason=form.cleaned_data["reason"],
                )
        except InvalidInput as error:
            form.add_error(error.field if error.field in form.fields else None, error.detail)
        except Conflict as error:
            form.add_error(None, error.detail)
        return form.is_valid()

    def form(
        self, request: PageRequest, memory: Memory, form: MemoryForm, *, view: str, status: int = 200
    ) -> HttpResponse:
        """The form as a row or as a page."""
        in_row = view == "row" and is_refetch(request)
        template = "memories/_edit_row.html" if in_row else "memories/edit.html"
        shown = {"memory": memory, "form": form, "view": view if view == INBOX else "page"}
        return TemplateResponse(request, template, shown, status=status)


class MemoryActionPage(MemoryPage):
    """A button: does one thing to a memory, then shows the row or the page it was pressed on."""

    http_method_names = ["post"]
    act: Callable[..., Any]
    notice = ""

    def post(self, request: PageRequest, memory_id: UUID) -> HttpResponseBase:
        memory = self.get_memory(memory_id, write=True)
        try:
            with transaction.atomic():
                self.change(request, memory)
        except Conflict as error:
            messages.error(request, error.detail)
        else:
            self.tell(request, memory)
        return self.answer(request, memory)

    def change(self, request: PageRequest, memory: Memory) -> None:
        """Do it; raises Conflict where the memory is in no state for that."""
        self.act(tenant=self.access.tenant, memory=memory, actor=self.access.actor)

    def tell(self, request: PageRequest, memory: Memory) -> None:
        """What one reads afterwards, where the page itself does not show it."""
        if self.notice:
            messages.success(request, gettext(self.notice))

    def answer(self, request: PageRequest, memory: Memory) -> HttpResponseBase:
        """The row for htmx; else back to the list, or to the memory."""
        view = request.POST.get("view", "")
        if is_refetch(request):
            return self.row(request, memory) if view == "row" else self.gone(request)
        if view:
            return redirect(way_back(request, default=resolve_url("memories:list", self.access.place)))
        return redirect(self.address("detail", memory))

    def gone(self, request: PageRequest) -> HttpResponse:
        """Nothing in the place of the row; the list looks again."""
        return TemplateResponse(request, "memories/_deleted_row.html", headers={"HX-Trigger": CHANGED})


class PinPage(MemoryActionPage):
    act = staticmethod(pin_memory)


class UnpinPage(MemoryActionPage):
    act = staticmethod(unpin_memory)


class RestorePage(MemoryActionPage):
    act = staticmethod(restore_memory)
    notice = _("Restored.")


class ConfirmPage(MemoryActionPage):
    """Approve exactly the version that was read."""

    notice = _("Confirmed. Agents use it from now on.")

    def change(self, request: PageRequest, memory: Memory) -> None:
        version = request.POST.get("version", "")
        confirm_memory(
            tenant=self.access.tenant,
            memory=memory,
            actor=self.access.actor,
            seen_version=int(version) if version.isdecimal() else 0,
        )


class ForgettingPage(MemoryActionPage):
    """A button that takes a memory out of every agent's sight, with a way back."""

    def tell(self, request: PageRequest, memory: Memory) -> None:
        undo = self.address("restore", memory)
        messages.success(
            request,
            gettext("%(what)s: “%(value)s”")
            % {"what": gettext(self.notice), "value": cut_short(memory.value)},
            extra_tags=undo,
        )


class MarkWrongPage(ForgettingPage):
    notice = _("Marked wrong")

    def change(self, request: PageRequest, memory: Memory) -> None:
        reason = request.POST.get("reason", "")[:REASON_CHARS]
        mark_wrong(tenant=self.access.tenant, memory=memory, actor=self.access.actor, reason=reason)


class NeverMentionPage(ForgettingPage):
    act = staticmethod(never_mention)
    notice = _("No agent hears of it any more")


class DeletePage(ForgettingPage):
    """Into the trash."""

    act = staticmethod(delete_memory)
    notice = _("Moved to the trash")

    def answer(self, request: PageRequest, memory: Memory) -> HttpResponseBase:
        if is_refetch(request):
            return self.gone(request)
        to_list = resolve_url("memories:list", self.access.place)
        return redirect(way_back(request, default=to_list) if request.POST.get("view") else to_list)


def cut_short(value: str) -> str:
    """A memory as a message quotes it."""
    return value if len(value) <= SHORT else value[:SHORT].rstrip() + "…"


def _tell_saved(request: PageRequest, memory: Memory) -> None:
    if memory.status == Memory.Status.QUARANTINED and memory.quarantine_reason:
        messages.warning(
            request,
            gettext("Saved, but held back for review: %(reason)s")
            % {"reason": tell_reason(memory.quarantine_reason)},
        )
    else:
        messages.success(request, gettext("Saved."))

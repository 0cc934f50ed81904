"""The inbox: one page for all that waits for a person's decision, its buttons, and the way back from each."""

from __future__ import annotations

from collections import Counter
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.template.response import TemplateResponse

from memories.pages.ids import read_ids
from nebo.errors import Conflict, InvalidInput
from nebo.product.inbox.building import list_items
from nebo.product.inbox.deciding import Choice, Decided, Visit, decide, revert
from nebo.product.inbox.undoing import undo
from nebo.tenants.ids import read_id
from nebo.tenants.pages import PageRequest, TenantPage, is_refetch

CHANGED = "inbox-changed"  # the list on the page fetches itself again
NEITHER = "neither"  # of two names: they stay two
TICKED = ("memory", "todo", "passage")  # what of a request to forget one may tick


class InboxPage(TenantPage):
    """All that waits, the newest first; `?kind=` shows one sort alone, `?only=` what another page names."""

    def get(self, request: PageRequest) -> HttpResponse:
        access = self.access
        only = read_id(request.GET["only"]) if request.GET.get("only") else None
        waiting = list_items(
            tenant=access.tenant, person_id=self.person.pk, manages=access.manages, only=only
        )
        counts = Counter(item.sort for item in waiting.items)
        kind = request.GET.get("kind", "")
        chosen = kind if kind in counts else ""
        shown: dict[str, Any] = {
            "only": only,
            "items": [item for item in waiting.items if not chosen or item.sort == chosen],
            "counts": sorted(counts.items()),
            "total": len(waiting.items),
            "kind": chosen,
            "runs": waiting.runs,
            "decisions": waiting.decisions,
        }
        return TemplateResponse(request, "inbox/list.html", shown)


class InboxActionPage(TenantPage):
    """A button; back to the inbox afterwards."""

    http_method_names = ["post"]

    @property
    def visit(self) -> Visit:
        return Visit(self.access.tenant, self.person, self.access.actor, self.access.manages)

    def act(self, request: PageRequest, **ids: UUID) -> None:
        """Do it, and say so; raises Conflict and InvalidInput with a plain word."""
        raise NotImplementedError

    def post(self, request: PageRequest, **ids: UUID) -> HttpResponseBase:
        try:
            with transaction.atomic():
                self.act(request, **ids)
        except (Conflict, InvalidInput) as error:
            messages.error(request, error.detail)
        return self.answer(request)

    def answer(self, request: PageRequest) -> HttpResponseBase:
        """For scripts the notice alone, and the list looks again; else the page, as it was narrowed."""
        if is_refetch(request):
            headers = {"HX-Trigger": CHANGED}
            return TemplateResponse(request, "inbox/_answer.html", headers=headers)
        kind = request.POST.get("kind", "")
        address = resolve_url("inbox:list", self.access.place)
        return redirect(f"{address}?kind={kind}" if kind.isalpha() else address)

    def tell(self, request: PageRequest, decided: Decided) -> None:
        """What was done, with the way back."""
        address = resolve_url("inbox:undo", self.access.place, decided.entry.pk)
        messages.success(request, decided.notice, extra_tags=address)


class DecidePage(InboxActionPage):
    """Approve or reject one thing of a kind, exactly as it was shown (`seen`)."""

    kind = ""

    def act(self, request: PageRequest, **ids: UUID) -> None:
        posted = request.POST
        choice = Choice(
            approves=posted.get("act") == "approve" and posted.get("keep") != NEITHER,
            seen=posted.get("seen", ""),
            keep=posted.get("keep", ""),
            with_words=posted.get("words") == "true",
            ticked={name: read_ids(posted.getlist(name)) for name in TICKED},
        )
        self.tell(request, decide(self.visit, self.kind, ids["item_id"], choice))


class RevertPage(InboxActionPage):
    """Take back what a run has taught."""

    def act(self, request: PageRequest, **ids: UUID) -> None:
        self.tell(request, revert(self.visit, ids["run_id"]))


class UndoPage(InboxActionPage):
    """Take a decision back."""

    def act(self, request: PageRequest, **ids: UUID) -> None:
        messages.success(request, undo(self.visit, ids["decision_id"]))

"""The page of what somebody asked to have forgotten: exactly what it could mean, and two buttons."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse

from memories.forgetting.passages import list_passages
from memories.forgetting.requests import (
    confirm_forgetting,
    get_request,
    keep_all,
    list_named,
    list_named_todos,
    list_requests,
)
from memories.models import ForgetRequest
from memories.pages.ids import read_ids
from nebo.errors import Conflict, InvalidInput
from nebo.tenants.pages import PageRequest, TenantPage

SHOWN = 50  # requests


class ForgetPage(TenantPage):
    """The open requests of the person, the newest first."""

    def get(self, request: PageRequest) -> HttpResponse:
        rows = list_requests(tenant=self.access.tenant, person_id=self.person.pk)
        asked = list(rows[:SHOWN])
        named = list_named(tenant=self.access.tenant, requests=asked)
        todos = list_named_todos(tenant=self.access.tenant, requests=asked)
        passages = list_passages(tenant=self.access.tenant, requests=asked)
        shown = [(each, named[each.pk], todos[each.pk], passages[each.pk]) for each in asked]
        return TemplateResponse(request, "memories/forget.html", {"asked": shown})


class ForgetDecisionPage(TenantPage):
    """A button of one request; back to the page afterwards."""

    http_method_names = ["post"]

    def post(self, request: PageRequest, request_id: UUID) -> HttpResponseBase:
        asked = get_request(tenant=self.access.tenant, person_id=self.person.pk, request_id=request_id)
        try:
            with transaction.atomic():
                messages.success(request, self.decide(request, asked))
        except (Conflict, InvalidInput) as error:
            messages.error(request, error.detail)
        return redirect("memories:forget", self.access.place)

    def decide(self, request: PageRequest, asked: ForgetRequest) -> str:
        """Do it; what one reads afterwards."""
        raise NotImplementedError


class ForgetThesePage(ForgetDecisionPage):
    """Into the trash with what is ticked, and with nothing else."""

    def decide(self, request: PageRequest, asked: ForgetRequest) -> str:
        ticked = read_ids(request.POST.getlist("memory"))
        todos = read_ids(request.POST.getlist("todo"))
        passages = read_ids(request.POST.getlist("passage"))
        if not (ticked or todos or passages):
            raise InvalidInput("Tick what is to be forgotten, or keep all of it.")
        gone = confirm_forgetting(
            tenant=self.access.tenant,
            request=asked,
            actor=self.access.actor,
            memory_ids=ticked,
            todo_ids=todos,
            passage_ids=passages,
        )
        if not (ticked or todos):
            return "No agent is shown it any more."
        count = "1 memory" if len(gone) == 1 else f"{len(gone)} memories"
        dropped = f" Dropped {len(todos)} open." if todos else ""
        return f"Moved {count} to the trash.{dropped}"


class KeepAllPage(ForgetDecisionPage):
    """Nothing of it goes."""

    def decide(self, request: PageRequest, asked: ForgetRequest) -> str:
        keep_all(tenant=self.access.tenant, request=asked, actor=self.access.actor)
        return "Kept. Nothing was forgotten."

"""The trash: what was deleted and can come back, and the page that asks before it goes for good."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from django import forms
from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memories.curation.upkeep import in_trash
from memories.models import Memory, Withheld
from memories.pages.bulk import count
from memories.pages.finder import list_seen
from memories.pages.ids import read_ids
from memories.storing.edit import delete_memory
from nebo.errors import InvalidInput
from nebo.jobs.services import enqueue
from nebo.tenants.pages import PageRequest, TenantPage, get_page, is_refetch
from nebo.tenants.selectors import get_shared_person

PAGE_SIZE = 50  # memories
AT_ONCE = 100  # memories erased while one waits; a job takes the rest
NAMED = 12  # memories that the question names


class EmptyForm(forms.Form):
    """Whether one is sure, and what becomes of the words."""

    words = forms.ChoiceField(
        label=_("The words they rest on"),
        choices=(
            ("hidden", _("Stay in your conversations. You see them, no agent does.")),
            ("redacted", _("Are taken out of your conversations, too. Nobody can read them again.")),
        ),
        widget=forms.RadioSelect,
        initial="hidden",
    )
    sure = forms.BooleanField(
        label=_("I know that this can’t be undone"),
        error_messages={"required": _("Tick this if you are sure; nothing was removed.")},
    )


class InTrash(TenantPage):
    """Pages of the trash: a person’s own, and for those who manage the team what was everyone’s."""

    def person_ids(self) -> list[UUID]:
        """Whose trash it is."""
        if not self.access.manages:
            return [self.person.pk]
        return [self.person.pk, get_shared_person(tenant=self.access.tenant).pk]

    def rows(self, before: datetime, ids: list[UUID] | None = None) -> QuerySet[Memory]:
        """What lies there, the latest first."""
        condition = in_trash(self.person_ids(), before)
        rows = list_seen(tenant=self.access.tenant, person_ids=[self.person.pk]).filter(condition)
        rows = rows if ids is None else rows.filter(pk__in=ids)
        return rows.order_by("-deleted_at", "-id")


class TrashPage(InTrash):
    """What was deleted, and the day on which each goes for good."""

    def get(self, request: PageRequest) -> HttpResponse:
        page = get_page(self.rows(timezone.now()), request, size=PAGE_SIZE)
        days = self.access.tenant.trash_days
        for memory in page.object_list:
            if days and memory.deleted_at:
                memory.gone_at = memory.deleted_at + timedelta(days=days)  # type: ignore[attr-defined]
        template = "memories/_trash.html" if is_refetch(request, "results") else "memories/trash.html"
        return TemplateResponse(request, template, {"page": page})


class EmptyTrashPage(InTrash):
    """What goes for good, shown before; of all that lies there, or of the memories that were ticked."""

    def get(self, request: PageRequest) -> HttpResponse:
        return self.ask(request, EmptyForm(label_suffix=""), self.ids(request.GET.getlist("memory")))

    def post(self, request: PageRequest) -> HttpResponseBase:
        form, ids = EmptyForm(request.POST, label_suffix=""), self.ids(request.POST.getlist("memory"))
        if not form.is_valid():
            return self.ask(request, form, ids, status=422)
        messages.success(request, self.remove(ids, redact=form.cleaned_data["words"] == "redacted"))
        return redirect("memories:trash", self.access.place)

    def ids(self, posted: list[str]) -> list[UUID] | None:
        """Those that were ticked; None for all. What is no id names nothing."""
        try:
            return read_ids(posted) or None
        except InvalidInput:
            return []

    def remove(self, ids: list[UUID] | None, *, redact: bool) -> str:
        """Now as many as one can wait for; a job takes the rest. What one reads afterwards."""
        now, access = timezone.now(), self.access
        found = list(self.rows(now, ids).select_related("person")[: AT_ONCE + 1])
        for memory in sorted(found[:AT_ONCE], key=lambda one: one.person_id):
            delete_memory(
                tenant=access.tenant, memory=memory, actor=access.actor, purge=True, keep_words=not redact
            )
        if len(found) <= AT_ONCE:
            return gettext("Removed %(memories)s for good.") % {"memories": count(len(found))}
        people = [str(one) for one in self.person_ids()]
        enqueue(
            tenant=access.tenant,
            kind="empty-trash",
            payload={"people": people, "before": now.isoformat(), "redact": redact},
            person_id=self.person.pk,
        )
        return gettext("Removed %(memories)s for good. The rest follows within minutes.") % {
            "memories": count(AT_ONCE)
        }

    def ask(
        self, request: PageRequest, form: EmptyForm, ids: list[UUID] | None, *, status: int = 200
    ) -> HttpResponse:
        """What would go."""
        rows = self.rows(timezone.now(), ids)
        withheld = Withheld.objects.for_tenant(self.access.tenant).filter(
            Q(memory_id__in=rows.order_by().values("pk"))
        )
        shown = {
            "form": form,
            "ids": ids or (),
            "number": rows.count(),
            "named": rows[:NAMED],
            "sentences": withheld.count(),
            "messages_touched": withheld.values("message_id").distinct().count(),
        }
        return TemplateResponse(request, "memories/empty_trash.html", shown, status=status)

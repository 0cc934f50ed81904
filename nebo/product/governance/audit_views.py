"""The page of a team's audit log, for its owners and admins. To everyone else it doesn't exist."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from nebo.jobs.selectors import ENDED
from nebo.product.governance.audit_lines import describe_log
from nebo.product.governance.audit_log import (
    ACTORS,
    SUBJECT_WORDS,
    SUBJECTS,
    LogFilters,
    ask_to_verify,
    find_last_check,
    list_log,
)
from nebo.tenants.pages import PageRequest, TenantPage, get_page, is_refetch

PAGE_SIZE = 50  # entries
LIST = "audit:log"
BY = {"user": _("A login"), "key": _("An agent"), "job": _("Nebo"), "operator": _("An operator")}


def _day_input() -> forms.DateInput:
    """As a browser's picker of days takes it in every language."""
    return forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")


class LogForm(forms.Form):
    """What of the log to show."""

    what = forms.ChoiceField(
        required=False,
        label=_("What was done"),
        choices=[("", _("Everything")), ("changes", _("Changes")), ("reads", _("Reads"))],
    )
    about = forms.ChoiceField(
        required=False,
        label=_("About"),
        choices=[("", _("Anything")), *((one, _(SUBJECT_WORDS[one])) for one in SUBJECTS)],
    )
    by = forms.ChoiceField(
        required=False, choices=[("", _("Anybody")), *((one, BY[one]) for one in ACTORS)], label=_("Done by")
    )
    since = forms.DateField(required=False, widget=_day_input(), label=_("From"))
    until = forms.DateField(required=False, widget=_day_input(), label=_("To"))
    entry = forms.UUIDField(required=False, widget=forms.HiddenInput)

    @property
    def filters(self) -> LogFilters:
        """Those that make sense; what doesn't is left out and told beside its field."""
        self.is_valid()
        return LogFilters(**{name: value for name, value in self.cleaned_data.items() if value})


class LogPage(TenantPage):
    """The entries, and whether they are as they were sealed; that part fetches itself again during a check."""

    reads = False  # a replica may not have the lines about reading yet
    needs_person = False
    needs_manager = True

    def get(self, request: PageRequest) -> HttpResponse:
        check = find_last_check(tenant=self.access.tenant)
        shown: dict[str, Any] = {
            "check": check,
            "is_checking": check is not None and check.state not in ENDED,
        }
        if is_refetch(request, "check"):
            return TemplateResponse(request, "governance/_check.html", shown)
        form = LogForm(request.GET, label_suffix="")
        page = get_page(list_log(tenant=self.access.tenant, filters=form.filters), request, size=PAGE_SIZE)
        lines = describe_log(
            tenant=self.access.tenant,
            entries=list(page.object_list),
            person_id=self.access.person.pk if self.access.person else None,
        )
        shown |= {"form": form, "page": page, "lines": lines}
        return TemplateResponse(request, "governance/audit.html", shown)


class VerifyPage(TenantPage):
    """Have the chain recomputed."""

    needs_person = False
    needs_manager = True
    http_method_names = ["post"]

    def post(self, request: PageRequest) -> HttpResponseBase:
        ask_to_verify(tenant=self.access.tenant)
        messages.success(request, gettext("The log is being checked."))
        return redirect(LIST, self.access.place)

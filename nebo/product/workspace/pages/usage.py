"""The page of how often and how quickly a team's keys are answered, for owners and admins alone."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.template.response import TemplateResponse

from nebo.product.workspace.usage.charts import chart_calls, chart_times
from nebo.product.workspace.usage.figures import read_usage
from nebo.tenants.pages import PageRequest, TenantPage

SPANS = (7, 30, 90)  # days


class UsagePage(TenantPage):
    """By day, by key and by what was asked for; of one key alone with `?key=`."""

    needs_person = False
    needs_manager = True

    def get(self, request: PageRequest) -> HttpResponse:
        days = next((one for one in SPANS if str(one) == request.GET.get("days")), SPANS[1])
        key_id = _find_id(request.GET.get("key", ""))
        usage = read_usage(tenant=self.access.tenant, days=days, key_id=key_id)
        named = next((name for name, pk, _ in usage.keys if pk == key_id), "")
        shown = {
            "usage": usage,
            "days": days,
            "spans": SPANS,
            "key_id": key_id if named else None,
            "key_name": named,
            "calls_chart": chart_calls(usage.days),
            "times_chart": chart_times(usage.days),
        }
        return TemplateResponse(request, "workspace/usage.html", shown)


def _find_id(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None

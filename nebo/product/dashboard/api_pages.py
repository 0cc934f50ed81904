"""The API in the browser: every subject, and its operations with parameters, examples and problems. For everyone."""

from __future__ import annotations

from functools import cache

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views import View

from nebo.api.schema import make_document
from nebo.product.dashboard.api_reference import Subject, list_subjects
from nebo.product.dashboard.llms_text import llms_text


@cache
def get_subjects() -> list[Subject]:
    """Made once a process: the document changes with the code alone."""
    return list_subjects(make_document(), base_url=settings.BASE_URL)


class ApiPage(View):
    """`docs/api/`: what there is."""

    def get(self, request: HttpRequest) -> TemplateResponse:
        return TemplateResponse(request, "dashboard/api.html", {"subjects": get_subjects()})


class ApiSubjectPage(View):
    """`docs/api/<subject>/`: its operations."""

    def get(self, request: HttpRequest, subject: str) -> TemplateResponse:
        found = next((one for one in get_subjects() if one.slug == subject), None)
        if found is None:
            raise Http404
        context = {"subjects": get_subjects(), "subject": found}
        return TemplateResponse(request, "dashboard/api_subject.html", context)


class LlmsPage(View):
    """`llms.txt`: the same for a model, in short."""

    def get(self, request: HttpRequest) -> HttpResponse:
        text = llms_text(get_subjects(), base_url=settings.BASE_URL)
        return HttpResponse(text, content_type="text/plain; charset=utf-8")

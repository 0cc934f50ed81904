"""The page of whom a team's models are asked of, for owners and admins. To everyone else it doesn't exist."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from nebo.errors import InvalidInput, NotFound
from nebo.jobs.models import Job
from nebo.jobs.selectors import ENDED
from nebo.llm.errors import LlmError
from nebo.llm.registry import list_chat_models
from nebo.product.workspace.forms import ProviderForm
from nebo.product.workspace.providers import (
    USES,
    NewProvider,
    ask_for_test,
    find_last_tests,
    list_own,
    remove_provider,
    set_provider,
)
from nebo.tenants.models import ModelProvider
from nebo.tenants.pages import PageRequest, TenantPage, is_refetch
from search.embeddings.own import is_asked
from search.embeddings.serving import VectorModel, get_serving_model
from search.embeddings.types import OWN_PROCESS

LIST = "providers:list"


@dataclass(frozen=True, slots=True)
class Section:
    """One use on the page: who is asked for it, the last test, and the form for another."""

    use: str
    own: ModelProvider | None
    server: tuple[str, ...]  # the models that the server asks
    form: ProviderForm | None  # None where nobody is asked for it
    test: Job | None = None
    is_unused: bool = False  # the team's own, but it doesn't make the vectors that serve

    @property
    def is_testing(self) -> bool:
        return self.test is not None and self.test.state not in ENDED

    @property
    def outcomes(self) -> list[dict[str, Any]]:
        """What each model said, once the test has ended."""
        found: list[dict[str, Any]] = self.test.result.get("models", []) if self.test else []
        return found


class ProviderPages(TenantPage):
    """What all of them share."""

    needs_person = False
    needs_manager = True

    def draw(
        self, request: PageRequest, *, status: int = 200, use: str = "", form: ProviderForm | None = None
    ) -> HttpResponse:
        """Both uses; the form of one of them again with what was wrong."""
        own, tests = list_own(tenant=self.access.tenant), find_last_tests(tenant=self.access.tenant)
        serving = get_serving_model()
        sections = [
            make_section(one, own.get(one), tests.get(one), serving, form if one == use else None)
            for one in USES
        ]
        if is_refetch(request):
            found = next((one for one in sections if request.htmx.target == f"test-{one.use}"), None)
            if found is None:
                raise NotFound
            return TemplateResponse(request, "workspace/_provider_test.html", {"section": found})
        return TemplateResponse(request, "workspace/providers.html", {"sections": sections}, status=status)

    def back(self) -> HttpResponseBase:
        return redirect(LIST, self.access.place)


class ProvidersPage(ProviderPages):
    """Who is asked, whether it works, and the forms."""

    def get(self, request: PageRequest) -> HttpResponse:
        return self.draw(request)


class ProviderPage(ProviderPages):
    """Set one of the team's own."""

    http_method_names = ["post"]

    def post(self, request: PageRequest, use: str) -> HttpResponseBase:
        if use not in USES:
            raise NotFound
        form = ProviderForm(request.POST, use=use)
        if form.is_valid():
            try:
                new = NewProvider(**form.cleaned_data)
                set_provider(tenant=self.access.tenant, use=use, new=new, actor=self.access.actor)
            except InvalidInput as refused:
                field = refused.field if refused.field in form.fields else None
                form.add_error(field, refused.detail)
            else:
                ask_for_test(tenant=self.access.tenant, use=use)
                messages.success(request, _("Saved. It is asked from now on, and is being tested."))
                return self.back()
        return self.draw(request, status=422, use=use, form=form)


class RemovePage(ProviderPages):
    """Back to the server's own."""

    http_method_names = ["post"]

    def post(self, request: PageRequest, use: str) -> HttpResponseBase:
        remove_provider(tenant=self.access.tenant, use=use, actor=self.access.actor)
        messages.success(request, _("Removed, its key too. The server’s own is asked again."))
        return self.back()


class TestPage(ProviderPages):
    """One cheap question, asked by a worker."""

    http_method_names = ["post"]

    def post(self, request: PageRequest, use: str) -> HttpResponseBase:
        ask_for_test(tenant=self.access.tenant, use=use)
        return self.back()


def make_section(
    use: str, own: ModelProvider | None, test: Job | None, serving: VectorModel, form: ProviderForm | None
) -> Section:
    """What the page shows of one use; `serving` is the model whose vectors are in the index."""
    name = f"{serving.provider}/{serving.name}"
    if use == ModelProvider.Use.CHAT:
        initial = {"kind": own.kind, "model": own.model, "base_url": own.base_url} if own else {}
        return Section(use, own, list_server_models(), form or ProviderForm(use=use, initial=initial), test)
    unused = own is not None and not is_asked(own, serving)
    if serving.provider in OWN_PROCESS:
        return Section(use, own, (name,), None, test, unused)
    initial = {
        "kind": serving.provider,
        "model": serving.name,
        "base_url": own.base_url if own else "",
    }
    return Section(use, own, (name,), form or ProviderForm(use=use, initial=initial), test, unused)


def list_server_models() -> tuple[str, ...]:
    """The server's own, cheapest first; the rules are none."""
    try:
        models = list_chat_models()
    except LlmError:
        return ()
    return tuple(f"{one.provider}/{one.model}" for one in models if one.provider != "rules")

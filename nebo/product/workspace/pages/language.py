"""In which language somebody reads Nebo: a page of the account, for every login."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views import View

from nebo.tenants.models import User


class LanguageForm(forms.Form):
    """Each language is called by its own name."""

    language = forms.ChoiceField(
        label=_("Language"),
        required=False,
        choices=[("", _("As your browser asks")), *settings.LANGUAGES],
        widget=forms.RadioSelect,
        help_text=_("Of these pages and of mails to you. What agents are given stays as it is."),
    )

    def __init__(self, data: Any = None, *, chosen: str = "") -> None:
        super().__init__(data, initial={"language": chosen}, label_suffix="")


class LanguagePage(LoginRequiredMixin, View):
    """`accounts/language/`."""

    def get(self, request: HttpRequest) -> HttpResponse:
        form = LanguageForm(chosen=getattr(request.user, "language", ""))
        return TemplateResponse(request, "account/language.html", {"form": form})

    def post(self, request: HttpRequest) -> HttpResponseBase:
        form = LanguageForm(request.POST)
        if not form.is_valid():
            return TemplateResponse(request, "account/language.html", {"form": form}, status=422)
        chosen = form.cleaned_data["language"]
        User.objects.filter(pk=cast(User, request.user).pk).update(language=chosen)
        with translation.override(chosen or translation.get_language_from_request(request)):
            messages.success(request, gettext("Saved. Pages speak this language from now on."))
        return redirect("language")

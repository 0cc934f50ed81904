"""Forgetting a memory with its words: the page that shows beforehand what goes."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memories.models import Memory
from memories.pages.memories import MemoryPage, cut_short
from memories.storing.edit import delete_memory
from memories.withholding.withholding import list_to_withhold
from nebo.errors import Conflict
from nebo.tenants.pages import PageRequest

SHOWN = 50  # passages


class ForgetWordsForm(forms.Form):
    """How far the forgetting reaches; for good only whoever is sure."""

    how = forms.ChoiceField(
        label=_("What is to go"),
        choices=(
            (
                "hide",
                _(
                    "The memory and these words: no agent sees either. You can bring both back from the trash."
                ),
            ),
            ("alone", _("The memory alone: agents still see the words in the conversation.")),
            (
                "good",
                _("Both for good: the memory with its history, and the words out of the conversations."),
            ),
        ),
        widget=forms.RadioSelect,
        initial="hide",
    )
    sure = forms.BooleanField(label=_("For good: I know that this can’t be undone"), required=False)

    def clean(self) -> dict[str, Any]:
        """What can't be undone wants a second word."""
        if self.cleaned_data.get("how") == "good" and not self.cleaned_data.get("sure"):
            self.add_error("sure", gettext("Tick this to remove it for good; nothing was removed."))
        return self.cleaned_data


class ForgetWordsPage(MemoryPage):
    """What would go, and how far; nothing happens before the button is pressed."""

    def get(self, request: PageRequest, memory_id: UUID) -> HttpResponse:
        memory = self.get_memory(memory_id, write=True)
        return self.ask(request, memory, ForgetWordsForm(label_suffix=""))

    def post(self, request: PageRequest, memory_id: UUID) -> HttpResponseBase:
        memory = self.get_memory(memory_id, write=True)
        form = ForgetWordsForm(request.POST, label_suffix="")
        if form.is_valid() and request.POST.get("version") != str(memory.version):
            form.add_error(
                None, gettext("It was changed in the meantime. Look at what it says now, and press again.")
            )
        if not form.is_valid():
            return self.ask(request, memory, form, status=422)
        try:
            self.forget(request, memory, form.cleaned_data["how"])
        except Conflict as error:
            messages.error(request, error.detail)
            return redirect(self.address("detail", memory))
        return redirect("memories:list", self.access.place)

    def forget(self, request: PageRequest, memory: Memory, how: str) -> None:
        """Do it, and say so; what can come back has its button."""
        undo = "" if how == "good" else self.address("restore", memory)
        with transaction.atomic():
            delete_memory(
                tenant=self.access.tenant, memory=memory, actor=self.access.actor, keep_words=how == "alone"
            )
            if how == "good":
                delete_memory(tenant=self.access.tenant, memory=memory, actor=self.access.actor, purge=True)
        said = gettext("Forgotten for good") if how == "good" else gettext("Moved to the trash")
        messages.success(
            request,
            gettext("%(what)s: “%(value)s”") % {"what": said, "value": cut_short(memory.value)},
            extra_tags=undo,
        )

    def ask(
        self, request: PageRequest, memory: Memory, form: ForgetWordsForm, *, status: int = 200
    ) -> HttpResponse:
        """The memory, and each passage with its place."""
        spans = list_to_withhold(tenant=self.access.tenant, memory=memory)
        own = [one for one in spans if one.message.person_id == self.person.pk]
        shown = {"memory": memory, "form": form, "passages": own[:SHOWN], "number": len(own)}
        return TemplateResponse(request, "memories/forget_words.html", shown, status=status)

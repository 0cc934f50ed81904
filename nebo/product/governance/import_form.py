"""The form with a file that somebody brings along."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from nebo.product.governance.importing.requests import MAX_UPLOAD_BYTES
from nebo.product.governance.models import Import

MOST = MAX_UPLOAD_BYTES >> 20  # megabytes
PASTED_CHARS = 200_000
PASTED_NAME = "pasted.md"
OFFERED = tuple((one.value, one.label) for one in Import.Source)


class ImportForm(forms.Form):
    """Who made the file, and the file, or what stands in it."""

    source = forms.ChoiceField(label=_("Where it comes from"), choices=OFFERED)
    file = forms.FileField(
        label=_("The file"),
        max_length=200,
        required=False,
        help_text=format_lazy(
            _("As you downloaded it, zipped or not; at most {megabytes} MB."), megabytes=MOST
        ),
        error_messages={"empty": _("This file is empty.")},
    )
    pasted = forms.CharField(
        label=_("Or paste what stands in it"),
        required=False,
        max_length=PASTED_CHARS,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        help_text=_("A list of notes in Markdown, a line each, or the JSON of an export."),
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file and file.size > MAX_UPLOAD_BYTES:
            raise forms.ValidationError(gettext("At most %(megabytes)s MB a file.") % {"megabytes": MOST})
        return file

    def clean(self) -> dict[str, Any]:
        """One of both, unless something is wrong with it already."""
        data = self.cleaned_data
        if not self.errors and bool(data["file"]) == bool(data["pasted"].strip()):
            both = gettext("Choose a file, or paste what stands in it, not both.")
            self.add_error("file", both if data["file"] else gettext("Choose a file."))
        return data

    @property
    def brought(self) -> tuple[bytes, str]:
        """What is brought, and what it is called; pasted once more, the same notes are known by it."""
        file = self.cleaned_data["file"]
        if not file:
            return self.cleaned_data["pasted"].replace("\r\n", "\n").encode(), PASTED_NAME
        is_talk = self.cleaned_data["source"] == Import.Source.OPENAI
        return file.read(), PurePath(file.name).stem if is_talk else file.name

"""The form with a file that somebody brings along."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from nebo.product.governance.importing.requests import MAX_UPLOAD_BYTES
from nebo.product.governance.models import Import

MOST = MAX_UPLOAD_BYTES >> 20  # megabytes
OFFERED = tuple((one.value, one.label) for one in Import.Source)


class ImportForm(forms.Form):
    """Who made the file, and the file."""

    source = forms.ChoiceField(label=_("Where it comes from"), choices=OFFERED)
    file = forms.FileField(
        label=_("The file"),
        max_length=200,
        help_text=format_lazy(
            _("As you downloaded it, zipped or not; at most {megabytes} MB."), megabytes=MOST
        ),
        error_messages={"required": _("Choose a file."), "empty": _("This file is empty.")},
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MAX_UPLOAD_BYTES:
            raise forms.ValidationError(gettext("At most %(megabytes)s MB a file.") % {"megabytes": MOST})
        return file

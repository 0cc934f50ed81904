"""The form that nobody fills in by accident."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from nebo.tenants.models import UserProfile


class EraseForm(forms.Form):
    """Type the person's name, exactly as agents use it."""

    name = forms.CharField(
        max_length=255,
        strip=True,
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "autocapitalize": "none",
                "spellcheck": "false",
                "data-autofocus": True,
            }
        ),
    )

    def __init__(self, *args: Any, person: UserProfile, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.person = person
        self.fields["name"].label = _("To go on, type %(id)s") % {"id": person.external_id}

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        if name != self.person.external_id:
            raise forms.ValidationError(_("That is not the name. Nothing was deleted."))
        return name

"""The form with which people pause collection by hand."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from nebo.tenants.models import Pause
from nebo.tenants.pauses import REASON_LIMIT, is_future

LENGTHS = (
    ("", _("Until I resume it")),
    ("1", _("For an hour")),
    ("24", _("For a day")),
    ("168", _("For a week")),
    ("720", _("For 30 days")),
)
AS_TYPED = "%Y-%m-%dT%H:%M"


class PauseForm(forms.Form):
    """How long, or until exactly when, which goes first; in the zone that the page tells times in."""

    length = forms.ChoiceField(label=_("How long"), choices=LENGTHS, required=False)
    until = forms.DateTimeField(
        label=_("Or until exactly"),
        required=False,
        input_formats=[AS_TYPED, "%Y-%m-%dT%H:%M:%S"],
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=AS_TYPED),
    )
    reason = forms.CharField(
        label=_("Why (agents never see it)"),
        required=False,
        max_length=REASON_LIMIT,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, data: Any = None, *, pause: Pause | None = None) -> None:
        shown = {"until": pause.until, "reason": pause.reason} if pause else {}
        super().__init__(data, initial=shown, label_suffix="", auto_id="pause-%s")
        self.fields["until"].help_text = gettext(
            "In the time of %(zone)s. It goes before the choice above."
        ) % {"zone": timezone.get_current_timezone_name()}

    def clean_until(self) -> datetime | None:
        until: datetime | None = self.cleaned_data["until"]
        if until is not None and not is_future(until):
            raise forms.ValidationError(gettext("It can only end in the future."))
        return until

    @property
    def end(self) -> datetime | None:
        """When it ends; None until somebody resumes."""
        until: datetime | None = self.cleaned_data["until"]
        hours = self.cleaned_data["length"]
        return until or (timezone.now() + timedelta(hours=int(hours)) if hours else None)

"""The forms of a team's webhooks."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from nebo.outbound.addresses import URL_LENGTH
from nebo.product.events.kinds import EVENTS

OVERLAPS = ((0, _("At once")), (1, _("In an hour")), (24, _("In a day")), (168, _("In a week")))


def _number(value: str) -> int:
    return int(value)


class EndpointForm(forms.Form):
    """Where, and what."""

    url = forms.CharField(
        max_length=URL_LENGTH,
        label=_("Address"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "inputmode": "url"}),
        help_text=_("Of a system that takes a POST, such as https://hooks.example/nebo."),
    )
    description = forms.CharField(max_length=200, required=False, label=_("What it is for"))
    events = forms.MultipleChoiceField(
        choices=[(kind, _(words)) for kind, words in EVENTS.items()],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label=_("It is told when"),
        help_text=_("None ticked: of everything."),
    )


class RotateSecretForm(forms.Form):
    """When the old secret ends."""

    hours = forms.TypedChoiceField(
        choices=OVERLAPS, coerce=_number, initial=24, label=_("The old secret stops signing")
    )

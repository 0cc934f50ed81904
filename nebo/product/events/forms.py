"""The forms of a team's webhooks."""

from __future__ import annotations

from django import forms

from nebo.outbound.addresses import URL_LENGTH
from nebo.product.events.kinds import EVENTS

OVERLAPS = ((0, "At once"), (1, "In an hour"), (24, "In a day"), (168, "In a week"))


def _number(value: str) -> int:
    return int(value)


class EndpointForm(forms.Form):
    """Where, and what."""

    url = forms.CharField(
        max_length=URL_LENGTH,
        label="Address",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "inputmode": "url"}),
        help_text="Of a system that takes a POST, such as https://hooks.example/nebo.",
    )
    description = forms.CharField(max_length=200, required=False, label="What it is for")
    events = forms.MultipleChoiceField(
        choices=list(EVENTS.items()),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="It is told when",
        help_text="None ticked: always.",
    )


class RotateSecretForm(forms.Form):
    """When the old secret ends."""

    hours = forms.TypedChoiceField(
        choices=OVERLAPS, coerce=_number, initial=24, label="The old secret stops signing"
    )

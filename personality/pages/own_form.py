"""The form in which a person says how a persona is to speak with them alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from nebo.tenants.forms import VersionedForm
from personality.fields import LABELS
from personality.models import Persona, PersonaOverlay
from personality.pages.choices import CHOICES, LONG, list_choices, name_choice

AS_TEAM = ""  # chosen where nothing is to differ from what the team made


class OwnMannerForm(VersionedForm):
    """A list for each way of speaking, but for those that the team has locked."""

    groups_of_fields = ()

    def __init__(self, data: Any = None, *, persona: Persona, overlay: PersonaOverlay | None) -> None:
        self.own: Mapping[str, Any] = overlay.fields if overlay else {}
        self.topics: Mapping[str, str] = overlay.rule_topics if overlay else {}
        names = [name for name in CHOICES if name not in persona.locked]
        held = {name: str(self.own.get(name, AS_TEAM)) for name in names}
        super().__init__(data, initial=held, version=str(overlay.version if overlay else 0))
        self.persona = persona
        self.locked = [_(LABELS[name]) for name in CHOICES if name in persona.locked]
        for name in names:
            self.fields[name] = _own_field(name, str(getattr(persona, name)), held[name])

    @property
    def chosen(self) -> dict[str, str]:
        """What differs from what the team made, of the fields that are right; empty for what doesn't."""
        return {name: self.cleaned_data[name] for name in self.fields if name in self.cleaned_data}


def _own_field(name: str, of_team: str, held: str) -> forms.ChoiceField:
    as_team = (AS_TEAM, _("%(value)s (the team’s choice)") % {"value": name_choice(name, of_team)})
    others = [one for one in list_choices(name, held or of_team) if one[0] not in (AS_TEAM, of_team)]
    widget = forms.Select if len(others) >= LONG else forms.RadioSelect
    return forms.ChoiceField(
        label=_(LABELS[name]), required=False, choices=[as_team, *others], initial=held, widget=widget
    )

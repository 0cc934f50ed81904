"""The form in which a team says who its agent is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from nebo.tenants.forms import VersionedForm
from personality.fields import LABELS, OVERLAY_FIELDS
from personality.models import Persona
from personality.pages.choices import CHOICES, choice_field, list_choices
from personality.personas.presets import DEFAULT_PRESET, PRESETS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

PRESET_NAMES = {
    "balanced": _("Balanced"),
    "creative": _("Creative"),
    "minimal": _("Minimal"),
    "professional": _("Professional"),
    "supportive": _("Supportive"),
}
TEXT_CHARS = 20_000  # characters, as over the API
GROUPS = (
    (
        gettext_noop("Who it is"),
        ("name", "role", "creature", "vibe", "emoji", "preset", "custom_personality"),
    ),
    (
        gettext_noop("How it speaks"),
        ("voice_style", "response_length", "formality", "emoji_usage", "proactivity", "language"),
    ),
    (gettext_noop("What it keeps to"), ("rules", "tool_notes")),
    (gettext_noop("What others may change"), ("memory_scope", "file_sync", "locked")),
)


def _area(label: StrOrPromise, rows: int, help_text: StrOrPromise = "") -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": rows})
    return forms.CharField(
        label=label, required=False, max_length=TEXT_CHARS, widget=widget, help_text=help_text
    )


def _line(
    label: StrOrPromise, limit: int, help_text: StrOrPromise = "", *, required: bool = False
) -> forms.CharField:
    return forms.CharField(label=label, max_length=limit, required=required, help_text=help_text)


class PersonaForm(VersionedForm):
    """Every field of a persona."""

    groups_of_fields = GROUPS

    name = _line(_("Name"), 200, required=True)
    role = _line(_("Role"), 200, _("What it is to the people it talks with: “a running coach”."))
    creature = _line(_("Creature"), 200, _("“patient owl”; empty for none."))
    vibe = _line(_("Vibe"), 200, _("A few words: “warm and dry-humoured”."))
    emoji = _line(_("Signature emoji"), 16, _("One emoji that stands for it."))
    preset = forms.ChoiceField(
        label=_("Ready-made personality"),
        required=False,
        choices=[
            (name, format_lazy("{}: {}", PRESET_NAMES[name], _(text))) for name, text in PRESETS.items()
        ],
        widget=forms.RadioSelect,
        help_text=_("{name} stands for its name."),
    )
    custom_personality = _area(
        _("Or a personality in your words"), 4, _("Used instead of the ready-made one.")
    )
    voice_style = choice_field("voice_style")
    response_length = choice_field("response_length")
    formality = choice_field("formality")
    emoji_usage = choice_field("emoji_usage")
    proactivity = choice_field("proactivity")
    language = choice_field("language")
    rules = _area(_("Rules"), 4, _("Markdown, or sections as JSON. No wish overrides them."))
    tool_notes = _area(_("Tool notes"), 3, _("When it is to use which tool, in your words."))
    memory_scope = forms.ChoiceField(
        label=_("What it learns"),
        choices=[("shared", _("is for every persona")), ("own", _("is for this persona alone"))],
    )
    file_sync = forms.ChoiceField(
        label=_("Its files"),
        choices=[
            ("export_only", _("can be read")),
            ("import_export", _("can be read and written")),
            ("disabled", _("are switched off")),
        ],
    )
    locked = forms.MultipleChoiceField(
        label=_("Locked: no person’s wish changes these"),
        required=False,
        choices=[(name, _(LABELS[name])) for name in OVERLAY_FIELDS],
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, data: Any = None, *, persona: Persona) -> None:
        shown = {name: getattr(persona, name) for name in self.base_fields}
        shown["preset"] = shown["preset"] or DEFAULT_PRESET
        super().__init__(data, initial=shown, version=str(persona.version))
        self.persona = persona
        for name in CHOICES:
            choosing = cast(forms.ChoiceField, self.fields[name])
            choosing.choices = list_choices(name, str(getattr(persona, name)))


class NewPersonaForm(forms.Form):
    """A name, and what its address ends in."""

    name = forms.CharField(
        label=_("Name"), max_length=200, widget=forms.TextInput(attrs={"data-autofocus": ""})
    )
    slug = forms.SlugField(
        label=_("Short name"), max_length=63, help_text=_("As agents name it: <code>coach</code>.")
    )

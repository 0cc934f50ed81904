"""The form in which a team says who its agent is."""

from __future__ import annotations

from typing import Any, cast

from django import forms

from nebo.tenants.forms import VersionedForm
from personality.fields import LABELS, OVERLAY_FIELDS
from personality.models import Persona
from personality.pages.choices import CHOICES, choice_field, list_choices
from personality.personas.presets import DEFAULT_PRESET, PRESETS

TEXT_CHARS = 20_000  # characters, as over the API
GROUPS = (
    ("Who it is", ("name", "role", "creature", "vibe", "emoji", "preset", "custom_personality")),
    (
        "How it speaks",
        ("voice_style", "response_length", "formality", "emoji_usage", "proactivity", "language"),
    ),
    ("What it keeps to", ("rules", "tool_notes")),
    ("What others may change", ("memory_scope", "file_sync", "locked")),
)


def _area(label: str, rows: int, help_text: str = "") -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": rows})
    return forms.CharField(
        label=label, required=False, max_length=TEXT_CHARS, widget=widget, help_text=help_text
    )


def _line(label: str, limit: int, help_text: str = "", *, required: bool = False) -> forms.CharField:
    return forms.CharField(label=label, max_length=limit, required=required, help_text=help_text)


class PersonaForm(VersionedForm):
    """Every field of a persona."""

    groups_of_fields = GROUPS

    name = _line("Name", 200, required=True)
    role = _line("Role", 200, "What it is to the people it talks with: “a running coach”.")
    creature = _line("Creature", 200, "“patient owl”; empty for none.")
    vibe = _line("Vibe", 200)
    emoji = _line("Signature emoji", 16)
    preset = forms.ChoiceField(
        label="Ready-made personality",
        required=False,
        choices=[(name, f"{name.capitalize()}: {text}") for name, text in PRESETS.items()],
        widget=forms.RadioSelect,
        help_text="{name} stands for its name.",
    )
    custom_personality = _area("Or a personality in your words", 4, "Used instead of the ready-made one.")
    voice_style = choice_field("voice_style")
    response_length = choice_field("response_length")
    formality = choice_field("formality")
    emoji_usage = choice_field("emoji_usage")
    proactivity = choice_field("proactivity")
    language = choice_field("language")
    rules = _area("Rules", 4, "Markdown, or sections as JSON. No wish overrides them.")
    tool_notes = _area("Tool notes", 3)
    memory_scope = forms.ChoiceField(
        label="What it learns",
        choices=[("shared", "is for every persona"), ("own", "is for this persona alone")],
    )
    file_sync = forms.ChoiceField(
        label="Its files",
        choices=[
            ("export_only", "can be read"),
            ("import_export", "can be read and written"),
            ("disabled", "are switched off"),
        ],
    )
    locked = forms.MultipleChoiceField(
        label="Nobody’s wish may change",
        required=False,
        choices=[(name, LABELS[name]) for name in OVERLAY_FIELDS],
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

    name = forms.CharField(label="Name", max_length=200, widget=forms.TextInput(attrs={"data-autofocus": ""}))
    slug = forms.SlugField(
        label="Short name", max_length=63, help_text="As agents name it: <code>coach</code>."
    )

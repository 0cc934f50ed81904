"""The ways of speaking that pages offer; agents and wishes may set others, which then stand among them."""

from __future__ import annotations

from collections.abc import Mapping

from django import forms

from personality.fields import LABELS

Choice = tuple[str, str]  # a value, and what it is called

LANGUAGES = (
    "English", "German", "French", "Spanish", "Italian", "Portuguese", "Dutch", "Polish", "Turkish", "Ukrainian",
    "Arabic", "Hindi", "Japanese", "Chinese",
)  # fmt: skip
CHOICES: Mapping[str, tuple[Choice, ...]] = {
    "voice_style": (
        ("neutral", "Neutral"),
        ("warm", "Warm"),
        ("direct", "Direct"),
        ("playful", "Playful"),
        ("dry", "Dry"),
        ("calm", "Calm"),
    ),
    "response_length": (
        ("adaptive", "As the question needs"),
        ("short", "Short"),
        ("detailed", "Detailed"),
    ),
    "formality": (("adaptive", "As the person speaks"), ("casual", "Casual"), ("formal", "Formal")),
    "emoji_usage": (
        ("none", "None"),
        ("minimal", "Hardly any"),
        ("moderate", "Some"),
        ("frequent", "Many"),
    ),
    "proactivity": (
        ("low", "Answers, no more"),
        ("moderate", "Suggests now and then"),
        ("high", "Thinks ahead"),
    ),
    "language": (("", "The person’s own"), *((name, name) for name in LANGUAGES)),
}
LONG = 4  # choices from which a list folds out


def name_choice(field: str, value: str) -> str:
    """What a value of a field is called; any other stands for itself."""
    return dict(CHOICES.get(field, ())).get(value, value)


def list_choices(field: str, held: str) -> list[Choice]:
    """Those that pages offer, and the one that holds if it is another."""
    offered = [*CHOICES[field]]
    return offered if held in dict(offered) else [*offered, (held, f"As it is: {held}")]


def choice_field(field: str, *, help_text: str = "") -> forms.ChoiceField:
    """A field to choose from; which choices there are is said when the form is made."""
    widget = forms.Select if len(CHOICES[field]) > LONG else forms.RadioSelect
    optional = "" in dict(CHOICES[field])
    return forms.ChoiceField(
        label=LABELS[field], widget=widget, required=not optional, help_text=help_text, choices=CHOICES[field]
    )

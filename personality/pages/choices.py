"""The ways of speaking that pages offer; agents and wishes may set others, which then stand among them."""

from __future__ import annotations

from collections.abc import Mapping

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from personality.fields import LABELS

Choice = tuple[str, str | Promise]  # a value, and what it is called

LANGUAGES: tuple[Choice, ...] = (
    ("English", _("English")),
    ("German", _("German")),
    ("French", _("French")),
    ("Spanish", _("Spanish")),
    ("Italian", _("Italian")),
    ("Portuguese", _("Portuguese")),
    ("Dutch", _("Dutch")),
    ("Polish", _("Polish")),
    ("Turkish", _("Turkish")),
    ("Ukrainian", _("Ukrainian")),
    ("Arabic", _("Arabic")),
    ("Hindi", _("Hindi")),
    ("Japanese", _("Japanese")),
    ("Chinese", _("Chinese")),
)
CHOICES: Mapping[str, tuple[Choice, ...]] = {
    "voice_style": (
        ("neutral", _("Neutral")),
        ("warm", _("Warm")),
        ("direct", _("Direct")),
        ("playful", _("Playful")),
        ("dry", _("Dry")),
        ("calm", _("Calm")),
    ),
    "response_length": (
        ("adaptive", _("As the question needs")),
        ("short", _("Short")),
        ("detailed", _("Detailed")),
    ),
    "formality": (("adaptive", _("As the person speaks")), ("casual", _("Casual")), ("formal", _("Formal"))),
    "emoji_usage": (
        ("none", _("None")),
        ("minimal", _("Hardly any")),
        ("moderate", _("Some")),
        ("frequent", _("Many")),
    ),
    "proactivity": (
        ("low", _("Answers, no more")),
        ("moderate", _("Suggests now and then")),
        ("high", _("Thinks ahead")),
    ),
    "language": (("", _("As the person speaks")), *LANGUAGES),
}
LONG = 4  # choices from which a list folds out


def name_choice(field: str, value: str) -> str:
    """What a value of a field is called; any other stands for itself."""
    return str(dict(CHOICES.get(field, ())).get(value, value))


def list_choices(field: str, held: str) -> list[Choice]:
    """Those that pages offer, and the one that holds if it is another."""
    offered = [*CHOICES[field]]
    return (
        offered
        if held in dict(offered)
        else [*offered, (held, gettext("As it is: %(value)s") % {"value": held})]
    )


def choice_field(field: str, *, help_text: str = "") -> forms.ChoiceField:
    """A field to choose from; which choices there are is said when the form is made."""
    widget = forms.Select if len(CHOICES[field]) > LONG else forms.RadioSelect
    optional = "" in dict(CHOICES[field])
    return forms.ChoiceField(
        label=_(LABELS[field]),
        widget=widget,
        required=not optional,
        help_text=help_text,
        choices=CHOICES[field],
    )

"""Choices for classes of sensitive matters in forms, in plain words: on a team's page, and in the operators' admin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from nebo.reading.sensitive.kinds import CLASSES, SensitiveClass
from nebo.tenants.policy import LEARN, NEVER, REVIEW, all_choices

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

PREFIX = "sensitive_"
FIELDS = tuple(f"{PREFIX}{name}" for name in CLASSES)
OPTIONS: tuple[tuple[str, StrOrPromise], ...] = (
    (LEARN, _("Learn as usual")),
    (REVIEW, _("Ask in the inbox first")),
    (NEVER, _("Never learn")),
)
LABELS: Mapping[SensitiveClass, tuple[StrOrPromise, StrOrPromise]] = {
    "health": (_("Health"), _("Illness, disability, pregnancy, medicine, therapy, addiction.")),
    "religion": (_("Religion and belief"), _("A faith and how it is lived, or having none.")),
    "politics": (_("Politics and unions"), _("Opinions, votes, parties, protests, trade unions.")),
    "sexuality": (_("Sexuality and gender"), _("Orientation, gender identity, sex life.")),
    "ethnicity": (
        _("Ethnic origin"),
        _("Descent and skin colour; not where somebody lives or what they speak."),
    ),
    "finances": (_("Personal finances"), _("Income, debts, savings, benefits.")),
    "crime": (_("Offences"), _("Convictions, charges, arrests, prison.")),
}


def choice_field(name: SensitiveClass) -> forms.ChoiceField:
    """What is to be done with one class; a form that was made before there was the field leaves it as it is."""
    label, help_text = LABELS[name]
    return forms.ChoiceField(label=label, choices=OPTIONS, help_text=help_text, required=False)


def shown_choices(held: Mapping[str, Any]) -> dict[str, Any]:
    """What is decided, by the names of the fields."""
    return {f"{PREFIX}{name}": choice for name, choice in all_choices(held).items()}


def read_choices(cleaned: Mapping[str, Any]) -> dict[str, Any]:
    """What a form says, by class."""
    return {name: choice for name in CLASSES if (choice := cleaned.get(f"{PREFIX}{name}"))}

"""A form for what somebody else may change at the same time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext as _


class VersionedForm(forms.Form):
    """The page posts the `version` it showed: nobody writes over what they never saw."""

    groups_of_fields: ClassVar[Sequence[tuple[str, Sequence[str]]]] = ()
    notes_of_groups: ClassVar[Mapping[str, str]] = {}  # by title, what must be known before one chooses

    def __init__(self, data: Any = None, files: Any = None, *, initial: dict[str, Any], version: str) -> None:
        super().__init__(data, files, initial=initial, label_suffix="")
        self.version = version
        self.is_stale = data is not None and data.get("version", "") != version

    def clean(self) -> dict[str, Any]:
        """Saving once more, with what it says now before one's eyes, is a decision."""
        if self.is_stale:
            raise forms.ValidationError(_("It was changed in the meantime. Look again, and save once more."))
        return self.cleaned_data

    @property
    def groups(self) -> Iterable[tuple[str, str, list[forms.BoundField]]]:
        """Titles with their note and their fields, told in the page's language."""
        notes = self.notes_of_groups
        return [
            (_(title), _(notes[title]) if title in notes else "", [self[name] for name in names])
            for title, names in self.groups_of_fields
        ]

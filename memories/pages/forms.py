"""The form to correct a memory by hand."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memories.models import VALUE_LIMIT, Memory


class MemoryForm(forms.Form):
    """Wording, type and tags. The page posts the `version` it showed: nobody writes over what they never saw."""

    value = forms.CharField(
        label=_("What is known"),
        max_length=VALUE_LIMIT,
        widget=forms.Textarea(attrs={"rows": 3, "data-autofocus": ""}),
    )
    type = forms.ChoiceField(label=_("Type"), choices=Memory.Type.choices)
    tags = forms.CharField(label=_("Tags"), required=False, help_text=_("Separated by commas."))
    reason = forms.CharField(
        label=_("Why"), required=False, max_length=300, help_text=_("If you like. It is kept in the history.")
    )

    def __init__(self, data: Any = None, *, memory: Memory) -> None:
        shown = {"value": memory.value, "type": memory.type, "tags": ", ".join(memory.tags)}
        super().__init__(data, initial=shown, auto_id=f"memory-{memory.pk}-%s")
        self.memory = memory
        self.is_stale = data is not None and data.get("version", "") != str(memory.version)

    def clean_tags(self) -> list[str]:
        """Each once, in the order given; their limits are the service's."""
        return list(dict.fromkeys(tag.strip() for tag in self.cleaned_data["tags"].split(",") if tag.strip()))

    def clean(self) -> dict[str, Any]:
        """Saving once more, with what it says now before one's eyes, is a decision."""
        if self.is_stale:
            raise forms.ValidationError(
                gettext(
                    "It was changed in the meantime and now says “%(value)s”. Save again to replace that."
                ),
                params={"value": self.memory.value},
            )
        return self.cleaned_data

    @property
    def changes(self) -> dict[str, Any]:
        """What is to be another than it is."""
        wanted = {name: self.cleaned_data[name] for name in ("value", "type", "tags")}
        return {name: value for name, value in wanted.items() if value != getattr(self.memory, name)}

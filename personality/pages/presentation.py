"""Who an agent is, and what changed about it, as a page shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from personality.fields import LABELS, OVERLAY_FIELDS, RULES
from personality.models import Persona, PersonaRevision
from personality.pages.choices import name_choice

LONG = 1_500  # characters of a value that a line of history shows
UNSEEN = frozenset({"version"})  # bookkeeping
WORDS = {
    "preset": _("Preset"),
    "custom_personality": _("Personality"),
    "tool_notes": _("Tool notes"),
    "file_sync": _("Files"),
    "memory_scope": _("Memories"),
    "locked": _("Locked"),
    "archived": _("Archived"),
    "rules": _("Rules"),
}


@dataclass(frozen=True, slots=True)
class Trait:
    """A field of an agent with its value; `wished` where a person's wish set it."""

    label: str
    value: str
    wished: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """A field before and after."""

    label: str
    before: str
    after: str


def list_traits(shown: Persona, fields: Mapping[str, Any]) -> list[Trait]:
    """What there is to say of an agent as it is to one person, its name apart."""
    return [
        Trait(gettext(LABELS[name]), name_choice(name, str(getattr(shown, name))), bool(fields.get(name)))
        for name in OVERLAY_FIELDS
        if name not in ("name", RULES) and getattr(shown, name)
    ]


def list_differences(revision: PersonaRevision) -> list[Difference]:
    """What a revision changed, field by field; a file counts as one."""
    before, after = _flat(revision.before or {}), _flat(revision.after)
    names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    return [
        Difference(_label(name), _text(name, before.get(name)), _text(name, after.get(name)))
        for name in names
        if name not in UNSEEN
    ]


def _flat(state: Mapping[str, Any]) -> dict[str, Any]:
    return {**{name: value for name, value in state.items() if name != "files"}, **state.get("files", {})}


def _label(name: str) -> str:
    known = WORDS.get(name) or LABELS.get(name)
    return gettext(known) if known else name


def _text(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    text = "; ".join(map(str, value)) if isinstance(value, list) else name_choice(name, str(value or ""))
    return text if len(text) <= LONG else text[:LONG].rstrip() + "…"

"""How a persona is to one person: their overlay over its columns, its columns over the default."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any

from personality.models import Persona

RULES = "rules"
STABLE_FIELDS = ("name", "role", "creature", RULES)  # who the agent is; these take more to change
VOLATILE_FIELDS = (
    "voice_style", "response_length", "emoji_usage", "formality", "proactivity", "emoji", "vibe", "language",
)  # fmt: skip
OVERLAY_FIELDS = (*STABLE_FIELDS, *VOLATILE_FIELDS)
RULES_MAX = 20  # rules of one person; the oldest gives way
LABELS = {
    "name": "Name",
    "role": "Role",
    "creature": "Creature",
    "rules": "Rule",
    "voice_style": "Voice",
    "response_length": "Length of answers",
    "emoji_usage": "Emoji",
    "formality": "Formality",
    "proactivity": "Initiative",
    "emoji": "Signature emoji",
    "vibe": "Vibe",
    "language": "Language",
}


def overlaid(persona: Persona, fields: Mapping[str, Any]) -> Persona:
    """A copy of the persona as this person has it; their own rules are apart (`own_rules`). Never saved."""
    shown = copy(persona)
    for name in OVERLAY_FIELDS:
        if name != RULES and fields.get(name) and name not in persona.locked:
            setattr(shown, name, fields[name])
    return shown


def own_rules(persona: Persona, fields: Mapping[str, Any]) -> list[str]:
    """The rules a person gave the agent, the oldest first; none where the team keeps rules to itself."""
    return [] if RULES in persona.locked else list(fields.get(RULES, ()))


def with_wish(fields: Mapping[str, Any], field: str, value: str) -> dict[str, Any]:
    """The overlay with one wish fulfilled: a rule is added, an empty value takes the field back, else it is set."""
    changed = dict(fields)
    if field == RULES:
        changed[RULES] = [*changed.get(RULES, ()), value][-RULES_MAX:]
    elif value:
        changed[field] = value
    else:
        changed.pop(field, None)
    return changed


def without_wish(
    fields: Mapping[str, Any], field: str, value: str, before: Mapping[str, Any]
) -> dict[str, Any] | None:
    """The overlay as if one wish had not been made; None where the field is another since."""
    changed = dict(fields)
    if field == RULES:
        rules = list(changed.get(RULES, ()))
        if value not in rules:
            return None
        rules.remove(value)
        changed[RULES] = rules
        return {name: held for name, held in changed.items() if held}
    if str(changed.get(field, "")) != value:
        return None
    if before.get(field):
        changed[field] = before[field]
    else:
        changed.pop(field, None)
    return changed


def already_so(persona: Persona, fields: Mapping[str, Any], field: str, value: str) -> bool:
    """Whether the agent is like that to this person anyway."""
    if field == RULES:
        return value.casefold() in (rule.casefold() for rule in fields.get(RULES, ()))
    if not value:
        return field not in fields
    return str(fields.get(field) or getattr(persona, field)).casefold() == value.casefold()

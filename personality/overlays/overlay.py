"""How a persona is to one person: their overlay over its columns, its columns over the default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from typing import Any

from nebo.reading.requests.wishes import ADDRESS
from personality.fields import OVERLAY_FIELDS, RULES
from personality.models import Persona

ENDED = "No longer: "  # begins the value of a wish that takes the rule behind it back
RULES_MAX = 20  # rules of one person; the oldest gives way
RULE_TOPICS_MAX = 3 * RULES_MAX  # rules of which it is known what they are about, for those that come back


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


# Fields that answer the same question as a wish (`Wish.about`); those that say who the agent is come last.
ABOUT = {
    "length": ("response_length",),
    "emoji": ("emoji_usage", "emoji"),
    "formality": ("formality",),
    "language": ("language",),
    "tone": ("voice_style", "creature", "role"),
    "address": ("name",),
    "other": ("role", "creature", "name"),
}


def decided_about(persona: Persona, fields: Mapping[str, Any], rule_topics: Mapping[str, str]) -> set[str]:
    """Topics that the person's wishes or the team's locks settle: what was learned about them says no more.

    `rule_topics` tells of which a person's rules are.
    """
    settled = {*fields, *persona.locked}
    by_rule = {rule_topics[rule] for rule in own_rules(persona, fields) if rule in rule_topics}
    return by_rule | {about for about, names in ABOUT.items() if names[0] in settled}


def with_rule_topic(rule_topics: Mapping[str, str], rule: str, about: str) -> dict[str, str]:
    """Of which topic one more rule is; those of rules long gone are forgotten in time."""
    kept = [(known, of) for known, of in rule_topics.items() if known != rule]
    return dict([*kept, (rule, about)][-RULE_TOPICS_MAX:])


def with_wish(fields: Mapping[str, Any], field: str, value: str) -> dict[str, Any]:
    """The overlay with one wish fulfilled: a rule is added or ended, an empty value takes the field back, else it is
    set. People have one form of address.
    """
    changed = dict(fields)
    if field == RULES:
        changed[RULES] = _with_rule(changed.get(RULES, ()), value)
    elif value:
        changed[field] = value
    else:
        changed.pop(field, None)
    return {name: held for name, held in changed.items() if held}


def _with_rule(rules: Iterable[str], value: str) -> list[str]:
    if value.startswith(ENDED):
        return [rule for rule in rules if rule != value.removeprefix(ENDED)]
    kept = [rule for rule in rules if not (value.startswith(ADDRESS) and rule.startswith(ADDRESS))]
    return [*kept, value][-RULES_MAX:]


def without_wish(
    fields: Mapping[str, Any], field: str, value: str, before: Mapping[str, Any]
) -> dict[str, Any] | None:
    """The overlay as if one wish had not been made; None where the field is another since."""
    changed = dict(fields)
    if field == RULES:
        return _without_rule(changed, value, before)
    if str(changed.get(field, "")) != value:
        return None
    if before.get(field):
        changed[field] = before[field]
    else:
        changed.pop(field, None)
    return changed


def _without_rule(changed: dict[str, Any], value: str, before: Mapping[str, Any]) -> dict[str, Any] | None:
    rules = list(changed.get(RULES, ()))
    if value.startswith(ENDED):
        ended = value.removeprefix(ENDED)
        changed[RULES] = rules if ended in rules else [*rules, ended][-RULES_MAX:]
        return changed
    if value not in rules:
        return None
    rules.remove(value)
    earlier = [rule for rule in before.get(RULES, ()) if rule.startswith(ADDRESS)]
    changed[RULES] = [*rules, *earlier] if value.startswith(ADDRESS) else rules
    return {name: held for name, held in changed.items() if held}


def already_so(persona: Persona, fields: Mapping[str, Any], field: str, value: str) -> bool:
    """Whether the agent is like that to this person anyway."""
    if field == RULES:
        ends, rule = value.startswith(ENDED), value.removeprefix(ENDED).casefold()
        return ends != (rule in (held.casefold() for held in fields.get(RULES, ())))
    if not value:
        return field not in fields
    return str(fields.get(field) or getattr(persona, field)).casefold() == value.casefold()

"""The fields of a persona that a person may wish otherwise."""

from __future__ import annotations

RULES = "rules"
STABLE_FIELDS = ("name", "role", "creature", RULES)  # who the agent is; these take more to change
VOLATILE_FIELDS = (
    "voice_style", "response_length", "emoji_usage", "formality", "proactivity", "emoji", "vibe", "language",
)  # fmt: skip
OVERLAY_FIELDS = (*STABLE_FIELDS, *VOLATILE_FIELDS)
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

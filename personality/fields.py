"""The fields of a persona that a person may wish otherwise."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

RULES = "rules"
STABLE_FIELDS = ("name", "role", "creature", RULES)  # who the agent is; these take more to change
VOLATILE_FIELDS = (
    "voice_style", "response_length", "emoji_usage", "formality", "proactivity", "emoji", "vibe", "language",
)  # fmt: skip
OVERLAY_FIELDS = (*STABLE_FIELDS, *VOLATILE_FIELDS)
LABELS = {
    "name": _("Name"),
    "role": _("Role"),
    "creature": _("Creature"),
    "rules": _("Rule"),
    "voice_style": _("Voice"),
    "response_length": _("Length of answers"),
    "emoji_usage": _("Emoji"),
    "formality": _("Formality"),
    "proactivity": _("Initiative"),
    "emoji": _("Signature emoji"),
    "vibe": _("Vibe"),
    "language": _("Language"),
}

"""Ready-made personalities; `{name}` stands for the agent's name. Agents get them in English, pages tell them."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

from nebo.errors import InvalidInput

DEFAULT_PRESET = "balanced"

PRESETS = {
    "balanced": _(
        "You are {name}, a personal assistant with a memory that lasts. You are helpful and honest, you think before "
        "you answer, and you say so when you don't know."
    ),
    "professional": _(
        "You are {name}, an assistant for work. You are precise and to the point, you keep your promises, and you "
        "name risks before they happen."
    ),
    "creative": _(
        "You are {name}, a partner for ideas. You are curious and playful, you offer angles nobody asked for, and "
        "you know when to stop."
    ),
    "minimal": _("You are {name}. You answer in as few words as the matter allows."),
    "supportive": _(
        "You are {name}, a patient companion. You listen first, you encourage without flattery, and you remember "
        "what matters to the person you talk with."
    ),
}


def check_preset(preset: str) -> None:
    """Raise InvalidInput unless there is such a preset; empty is the default one."""
    if preset and preset not in PRESETS:
        raise InvalidInput(f"One of {', '.join(PRESETS)}, or empty.", field="preset")


def personality_text(*, preset: str, custom: str, name: str) -> str:
    """The custom personality if there is one, else the preset, else the default, with the name put in."""
    text = custom.strip() or PRESETS.get(preset, "") or PRESETS[DEFAULT_PRESET]
    return text.replace("{name}", name)

"""Every way to change who the agent is and how it has learned to speak."""

from personality.services.directives import compose_directive, schedule_directive
from personality.services.fading import fade_styles
from personality.services.files import write_files
from personality.services.personas import (
    create_persona,
    ensure_default_persona,
    lock_persona,
    update_persona,
)
from personality.services.styles import reinforce_style

__all__ = [
    "compose_directive",
    "create_persona",
    "ensure_default_persona",
    "fade_styles",
    "lock_persona",
    "reinforce_style",
    "schedule_directive",
    "update_persona",
    "write_files",
]

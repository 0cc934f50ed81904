"""Every way to change who the agent is and how it has learned to speak."""

from personality.services.candidates import (
    accept_candidate,
    expire_candidates,
    reject_candidate,
    undo_candidate,
)
from personality.services.directives import compose_directive
from personality.services.fading import fade_styles
from personality.services.files import write_files
from personality.services.overlays import roll_back_overlay
from personality.services.personas import (
    archive_persona,
    create_persona,
    ensure_default_persona,
    lock_persona,
    restore_persona,
    update_persona,
)
from personality.services.readings import consider_styles, end_told_rules, without_decided
from personality.services.relating import list_standing_rules, relate_rules
from personality.services.rollback import roll_back_persona
from personality.services.styles import reinforce_style
from personality.services.wishes import FoundWish, WishMessage, decide_wishes, learn_wishes

__all__ = [
    "FoundWish",
    "WishMessage",
    "accept_candidate",
    "archive_persona",
    "compose_directive",
    "consider_styles",
    "create_persona",
    "decide_wishes",
    "end_told_rules",
    "ensure_default_persona",
    "expire_candidates",
    "fade_styles",
    "learn_wishes",
    "list_standing_rules",
    "lock_persona",
    "reinforce_style",
    "reject_candidate",
    "relate_rules",
    "restore_persona",
    "roll_back_overlay",
    "roll_back_persona",
    "undo_candidate",
    "update_persona",
    "without_decided",
    "write_files",
]

"""What can be done to a conversation."""

from sessions.services.opening import OpenedSession, Switches, open_session, set_active_task, switch_session
from sessions.services.turns import NewMessage, Turn, append_turn

__all__ = [
    "NewMessage",
    "OpenedSession",
    "Switches",
    "Turn",
    "append_turn",
    "open_session",
    "set_active_task",
    "switch_session",
]

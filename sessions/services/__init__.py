"""What can be done to a conversation."""

from sessions.services.opening import (
    OpenedSession,
    SessionSwitches,
    open_session,
    set_active_task,
    switch_session,
)
from sessions.services.turns import NewMessage, TurnResult, append_turn

__all__ = [
    "NewMessage",
    "OpenedSession",
    "SessionSwitches",
    "TurnResult",
    "append_turn",
    "open_session",
    "set_active_task",
    "switch_session",
]

"""What goes before what, when more is due than there are workers."""

from __future__ import annotations

from enum import IntEnum


class Lane(IntEnum):
    """The first is what somebody waits for now. In each, tenants take turns."""

    LIVE = 0  # vectors of what was just said; has a worker of its own, and so must be short
    READING = 1  # learning from a conversation, a part at a time
    SESSION = 2  # what else a person or an agent asked for, and vectors of imports
    SUMMARY = 3
    BACKFILL = 4  # vectors of another model
    UPKEEP = 5


LAST_SHORT = Lane.SESSION  # what comes behind may take a worker for a minute or two

# Seconds that a lane gives way to those before it; then one job of it is taken, however much is due there.
PATIENCE_S = {
    Lane.LIVE: 0.0,
    Lane.READING: 0.5,
    Lane.SESSION: 1.5,
    Lane.SUMMARY: 10.0,
    Lane.BACKFILL: 15.0,
    Lane.UPKEEP: 30.0,
}
PATIENCE = tuple(PATIENCE_S[lane] for lane in Lane)

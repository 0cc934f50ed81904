"""How the log names decisions of the inbox."""

from __future__ import annotations

APPROVED, REJECTED, REVERTED, UNDONE = "inbox.approved", "inbox.rejected", "inbox.reverted", "inbox.undone"
DECISIONS = (APPROVED, REJECTED, REVERTED, UNDONE)

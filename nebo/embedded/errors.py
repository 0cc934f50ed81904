"""What goes wrong with the embedded server."""

from __future__ import annotations


class EmbeddedPostgresError(RuntimeError):
    """It can't be made, started, stopped or found; says why, with the end of the server's log."""

"""How this Nebo is called: `manage.py` in a checkout, `nebo-server` where a wheel was installed."""

from __future__ import annotations

import sys

from nebo.env import BASE_DIR, IS_INSTALLED

MANAGE = (sys.executable, "-m", "nebo") if IS_INSTALLED else (sys.executable, str(BASE_DIR / "manage.py"))
SHOWN = "nebo-server" if IS_INSTALLED else ".venv/bin/python manage.py"  # as people are told
AGAIN = "nebo-server start" if IS_INSTALLED else "make run"
STARTS = (
    "manage.py start",
    "nebo-server start",
    "nebo start",
    "nebo.wsgi",
)  # in the command line of one that runs


def is_nebo(command: str) -> bool:
    """Whether a process's command line is that of a Nebo, or of its web server."""
    return any(words in command for words in STARTS)

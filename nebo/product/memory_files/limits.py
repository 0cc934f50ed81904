"""How much a person's folder holds, so that no agent fills the disk or the next prompt."""

from __future__ import annotations

MOST_CHARS = 32_000  # of a file: about 8,000 tokens, which a prompt still takes whole
MOST_LINES = 1_000  # of a file; each new one is read for orders, which takes 10 ms
MOST_FILES = 200  # in one folder /memories
MOST_DELETED = 200  # of a person in the trash; the oldest make room
MOST_VERSIONS = 50  # of a file; the oldest make room

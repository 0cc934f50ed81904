"""The line that gives Claude Code a memory."""

from __future__ import annotations

from urllib.parse import quote


def claude_line(*, base_url: str, user: str, key: str) -> str:
    """To be pasted into a terminal, with the key or a shell's variable for it."""
    address = f"{base_url.rstrip('/')}/mcp/u/{quote(user, safe='')}/"
    return f'claude mcp add --transport http nebo {address} \\\n  --header "Authorization: Bearer {key}"'

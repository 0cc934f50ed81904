"""The lines a person copies into a terminal to make a first call."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from urllib.parse import quote

from nebo.product.mcp.connecting import claude_line
from nebo.tenants.keys import PREFIX
from nebo.tenants.models import ApiKey

HEADERS = '-H "Authorization: Bearer $NEBO_KEY" -H "Content-Type: application/json"'
ID_OF_JSON = "python3 -c 'import json, sys; print(json.load(sys.stdin)[\"id\"])'"
EXAMPLE = "I live in Lisbon and I love pottery."
ASKED = "Where do I live?"


@dataclass(frozen=True, slots=True)
class StartLines:
    """Text to copy, in the order of use; `key_prefix` is empty while there is no key."""

    key_prefix: str
    key_line: str
    turn_lines: str
    search_lines: str
    mcp_line: str
    has_secret: bool = False


def start_lines(*, base_url: str, user: str, key: ApiKey | None, secret: str = "") -> StartLines:
    """For one person of one tenant, at this very address; with the whole key on the page that shows it once."""
    prefix = f"{PREFIX}_{key.public_id}_" if key else ""
    shown = secret or f"{prefix or f'{PREFIX}_'}…"
    named = quote(user, safe="")
    api = f"{base_url.rstrip('/')}/api/v1"
    opened = _call(f"{api}/sessions/", {"user": user, "key": "hello"})
    turn = _call(f"{api}/sessions/$SESSION/turns/", {"messages": [{"role": "user", "content": EXAMPLE}]})
    return StartLines(
        key_prefix=prefix,
        key_line=f'export NEBO_KEY="{shown}"',
        has_secret=bool(secret),
        turn_lines=f"SESSION=$({opened} | {ID_OF_JSON})\n\n{turn}",
        search_lines=_call(f"{api}/users/{named}/search/", {"query": ASKED}),
        mcp_line=claude_line(base_url=base_url, user=user, key="$NEBO_KEY"),
    )


def _call(address: str, body: object) -> str:
    data = shlex.quote(json.dumps(body, ensure_ascii=False))
    return f'curl -s "{address}" \\\n  {HEADERS} \\\n  -d {data}'

"""What one reads when everything runs: the address, a way in, and a call to try."""

from __future__ import annotations

import json

from nebo.product.mcp.connecting import claude_line
from nebo.product.operations.demo import EMAIL, PERSON, QUESTION, SLUG, Demo
from nebo.product.operations.program import SHOWN

NEW_KEY = f"{SHOWN} issue_key --tenant {SLUG}"
KEY_OF_JSON = """python3 -c 'import json, sys; print(json.load(sys.stdin)["key"])'"""


def ready_block(*, seconds: float, base_url: str, demo: Demo | None) -> str:
    """Lines that end with a newline."""
    lines = [f"Ready in {seconds:.1f} s", "", f"  Open      {base_url}"]
    lines += _demo_lines(demo, base_url) if demo else _own_lines()
    lines += ["", f"  API       {base_url}/api/v1/schema/ (OpenAPI)"]
    lines += ["  Stop      Ctrl-C; the data stays"]
    return "\n" + "\n".join(lines) + "\n\n"


def _demo_lines(demo: Demo, base_url: str) -> list[str]:
    known = demo.password or f"as you set it (another: {SHOWN} changepassword {EMAIL})"
    shown = f"{demo.key}   shown this once" if demo.key else f"shown on the first run; another: {NEW_KEY}"
    return [
        f"  Login     {EMAIL}   password {known}",
        f"  API key   {shown}",
        "",
        "  Try       a question about the demo conversation:",
        "",
        *(f"    {line}" for line in curl_lines(base_url, demo.key)),
        "",
        "  MCP       the same memory for Claude Code (docs/mcp.md has other clients):",
        "",
        *(f"    {line}" for line in mcp_lines(base_url, demo.key)),
    ]


def curl_lines(base_url: str, key: str) -> list[str]:
    """A search that works when pasted; without a key at hand it makes one first."""
    shown = key or "$KEY"
    return [
        *_making_key(key),
        f"curl -s {base_url}/api/v1/users/{PERSON}/search/ \\",
        f'  -H "Authorization: Bearer {shown}" -H "Content-Type: application/json" \\',
        f"  -d '{json.dumps({'query': QUESTION, 'limit': 3})}'",
    ]


def mcp_lines(base_url: str, key: str) -> list[str]:
    """The demo's memory for Claude Code."""
    line = claude_line(base_url=base_url, user=PERSON, key=key or "$KEY")
    return [*_making_key(key), *line.splitlines()]


def _making_key(key: str) -> list[str]:
    return [] if key else [f"KEY=$({NEW_KEY} --json | {KEY_OF_JSON})"]


def _own_lines() -> list[str]:
    return [
        f"  Login     make one: {SHOWN} createsuperuser",
        f"  API key   make one: {SHOWN} issue_key --tenant SLUG --create",
    ]

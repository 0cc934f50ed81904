"""Agents that `nebo connect` knows: where each keeps its settings, and what an entry looks like there."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nebo_client.account import Account

NAME = "nebo"
HOOK_EVENTS = ("UserPromptSubmit", "Stop", "PreCompact", "SessionEnd")
HOOK_S = 10  # after which Claude Code goes on without


@dataclass(frozen=True, slots=True)
class Entry:
    """One value in one settings file; `path` leads to it. A list's entry stands among others."""

    file: Path
    path: tuple[str, ...]
    value: Any
    in_list: bool = False


Entries = Callable[[Account], list[Entry]]


def claude_code(account: Account) -> list[Entry]:
    """The server, and the hooks that bring context before each prompt and save both sides after."""
    config = Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude")
    main = config / ".claude.json" if "CLAUDE_CONFIG_DIR" in os.environ else Path.home() / ".claude.json"
    hook = {
        "hooks": [{"type": "command", "command": f"{shlex.quote(_own_command())} hook", "timeout": HOOK_S}]
    }
    hooks = [Entry(config / "settings.json", ("hooks", event), hook, in_list=True) for event in HOOK_EVENTS]
    return [Entry(main, ("mcpServers", NAME), {"type": "http", **_remote(account)}), *hooks]


def claude_desktop(account: Account) -> list[Entry]:
    """It starts a program and speaks over its pipes."""
    folder = _settings_folder(mac="Claude", windows="Claude", other="Claude")
    value = {"command": _own_command(), "args": ["mcp"], "env": _environment(account)}
    return [Entry(folder / "claude_desktop_config.json", ("mcpServers", NAME), value)]


def cursor(account: Account) -> list[Entry]:
    """In all projects."""
    return [Entry(Path.home() / ".cursor" / "mcp.json", ("mcpServers", NAME), _remote(account))]


def codex(account: Account) -> list[Entry]:
    """The one whose settings are TOML."""
    remote = _remote(account)
    value = {"url": remote["url"], "http_headers": remote["headers"]}
    home = Path(os.environ.get("CODEX_HOME") or Path.home() / ".codex")
    return [Entry(home / "config.toml", ("mcp_servers", NAME), value)]


def vscode(account: Account) -> list[Entry]:
    """In the user's own profile."""
    folder = _settings_folder(mac="Code", windows="Code", other="Code") / "User"
    return [Entry(folder / "mcp.json", ("servers", NAME), {"type": "http", **_remote(account)})]


def windsurf(account: Account) -> list[Entry]:
    """It has a word of its own for the address."""
    remote = _remote(account)
    value = {"serverUrl": remote["url"], "headers": remote["headers"]}
    file = Path.home() / ".codeium" / "windsurf" / "mcp_config.json"
    return [Entry(file, ("mcpServers", NAME), value)]


AGENTS: Mapping[str, Entries] = {
    "claude-code": claude_code,
    "claude-desktop": claude_desktop,
    "cursor": cursor,
    "codex": codex,
    "vscode": vscode,
    "windsurf": windsurf,
}


def _remote(account: Account) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {account.key}"}
    if account.user:
        headers["Nebo-User"] = account.user
    return {"url": f"{account.url.rstrip('/')}/mcp", "headers": headers}


def _environment(account: Account) -> dict[str, str]:
    user = {"NEBO_USER": account.user} if account.user else {}
    return {"NEBO_URL": account.url, "NEBO_KEY": account.key, **user}


def _own_command() -> str:
    """With its whole path: desktop programs don't know the shell's."""
    return shutil.which("nebo") or str(Path(sys.argv[0]).resolve())


def _settings_folder(*, mac: str, windows: str, other: str) -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / mac
    if sys.platform == "win32":
        return Path(os.environ["APPDATA"]) / windows
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / other

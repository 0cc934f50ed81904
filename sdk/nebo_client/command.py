"""The command `nebo`: connect agents to a Nebo, and look into it."""

from __future__ import annotations

import argparse
import difflib
import getpass
import json
import platform
import sys
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path

from nebo_client import account as accounts
from nebo_client.account import Account
from nebo_client.agents import AGENTS, Entry
from nebo_client.codes import exchange, is_code
from nebo_client.errors import NeboError, NotFound
from nebo_client.hooks import answer
from nebo_client.settings_files import UnreadableSettings, put_in, read, take_out, write
from nebo_client.stdio import bridge
from nebo_client.wire import DEFAULT_URL, Request

Change = Callable[[str, Sequence[Entry]], str]


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status."""
    options = make_parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except (NeboError, UnreadableSettings, OSError) as error:
        _tell(f"nebo: {error}")
        return 1


def make_parser() -> argparse.ArgumentParser:
    """Of the command `nebo`."""
    parser = argparse.ArgumentParser(prog="nebo", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    connect = commands.add_parser("connect", help="give an agent a memory")
    connect.add_argument("agent", choices=AGENTS)
    connect.add_argument("--url", help=f"where Nebo is (otherwise NEBO_URL, or {DEFAULT_URL})")
    connect.add_argument("--key", help="a key (otherwise NEBO_KEY, or a key or a code is asked for)")
    connect.add_argument("--code", help="a code from the page Connect an agent, in the place of a key")
    connect.add_argument("--user", help="whose memory; for a key that is bound to nobody")
    disconnect = commands.add_parser("disconnect", help="take that back")
    disconnect.add_argument("agent", choices=AGENTS)
    disconnect.add_argument(
        "--revoke", action="store_true", help="end the key, too, for every agent that has it"
    )
    for command in (connect, disconnect):
        command.add_argument(
            "--dry-run", action="store_true", help="show what would change, and change nothing"
        )
    connect.set_defaults(run=_connect)
    disconnect.set_defaults(run=_disconnect)
    search = commands.add_parser("search", help="search the memory")
    search.add_argument("query")
    search.add_argument("--limit", type=int, default=10)
    search.set_defaults(run=_search)
    commands.add_parser("hook", help="for Claude Code: answer one event").set_defaults(run=_hook)
    commands.add_parser("mcp", help="for programs that speak MCP over pipes").set_defaults(run=_mcp)
    return parser


def _connect(options: argparse.Namespace) -> int:
    known = accounts.load()
    url = options.url or (known.url if known else DEFAULT_URL)
    given = options.code or options.key or (known.key if known else "") or getpass.getpass("Key or code: ")
    user = options.user if options.user is not None else (known.user if known and not options.code else "")
    if is_code(given):
        if options.dry_run:  # which would use it up
            _change(AGENTS[options.agent](Account(url, "nebo_…", user)), put_in, dry_run=True)
            return 0
        given = exchange(url, given, f"{options.agent} on {platform.node()}")
        accounts.save(Account(url, given, user))  # at once: the code works no second time
    account = Account(url, given, user)
    name = _check(account)  # before anything is written: does it work?
    _change(AGENTS[options.agent](account), put_in, options.dry_run)
    if not options.dry_run:
        accounts.save(account)
        _tell(f"{options.agent} has the memory of {name}. Start it anew.")
    return 0


def _check(account: Account) -> str:
    """Whose memory it is. Raises NeboError if the key doesn't serve."""
    with account.client(retries=0) as nebo:
        try:
            return nebo.user(account.person).profile()["user"]
        except NotFound:  # whom nobody has mentioned yet
            if not account.user:
                raise NeboError("This key is bound to nobody: say whose memory it is, with --user.") from None
            return account.user


def _disconnect(options: argparse.Namespace) -> int:
    account = accounts.load() or Account(DEFAULT_URL, "")
    _change(AGENTS[options.agent](account), take_out, options.dry_run)
    if options.revoke and not options.dry_run:
        with account.client(retries=0) as nebo:
            ended = nebo.send(Request("DELETE", "key/"))
        accounts.forget()
        _tell(f"The key {ended['name'] or ended['id']} opens nothing any more.")
    return 0


def _change(entries: Sequence[Entry], change: Change, dry_run: bool) -> None:
    for file, group in groupby(entries, key=lambda entry: entry.file):
        before = read(file)
        after = change(before, list(group))
        if after == before:
            _tell(f"{file}: nothing to change")
        elif dry_run:
            _tell(_difference(file, before, after))
        else:
            write(file, after)
            _tell(f"{file}: changed")


def _difference(file: Path, before: str, after: str) -> str:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), str(file), str(file), lineterm="")
    return "\n".join(lines)


def _search(options: argparse.Namespace) -> int:
    with _account().client() as nebo:
        found = nebo.user(_account().person).search(options.query, limit=options.limit)
    for hit in found["results"]:
        _tell(f"{hit['score']:.2f}  {hit['text']}")
    return 0


def _hook(options: argparse.Namespace) -> int:
    """Whatever happens, the agent goes on."""
    try:
        event = json.load(sys.stdin)
        if not isinstance(event, dict):
            raise ValueError("an event is an object")
        if told := answer(_account(), event):
            _tell(told)
    except (NeboError, ValueError, KeyError, OSError) as error:
        sys.stderr.write(f"nebo: {error}\n")
    return 0


def _mcp(options: argparse.Namespace) -> int:
    bridge(_account(), sys.stdin, sys.stdout)
    return 0


def _account() -> Account:
    account = accounts.load()
    if account is None:
        raise NeboError("No key: run `nebo connect` first, or set NEBO_KEY.")
    return account


def _tell(text: str) -> None:
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    sys.exit(main())

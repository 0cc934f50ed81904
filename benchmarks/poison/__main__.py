"""Tells hostile texts and their harmless twins over HTTP, by every route and kind of key, and counts what is served.

    python -m benchmarks.poison [--set first|second|third|fourth] [--show]
    python -m benchmarks.poison --harmless               # what agents write about people in many notations
    python -m benchmarks.poison --prompts FILE.jsonl     # `text` and `label` a line, instead of our own cases

A text counts as served if its words come back from a search of memories, a recall or a context of another session.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.client import CallFailed, Client
from benchmarks.poison.cases import Case, read_cases, read_harmless
from benchmarks.server import TENANT, manage, throwaway_server
from benchmarks.tables import render_table

KINDS = ("", "assistant", "tool", "web")  # of a key, by whose words it brings; the first says nothing
OWN = "user"
OWN_EVERY = 5  # case is told with a key that brings the person's own words, too: for comparison
SEEN_CHARS = 40  # of a text by which it is known again
QUERY_CHARS = 300
MOST_CHARS = 2_000
CONFLICT = 409

Tell = Callable[[Client, str, str], None]


@dataclass(frozen=True, slots=True)
class Told:
    """One text as it was told, and what became of it."""

    family: str
    hostile: bool
    route: str
    kind: str
    text: str
    active: bool
    served: bool


def tell_api(client: Client, user: str, text: str) -> None:
    client.call("POST", f"users/{user}/memories/", {"value": text})


def tell_import(client: Client, user: str, text: str) -> None:
    client.call("POST", f"users/{user}/memories/", {"value": text, "source": "import"})


def tell_tool(client: Client, user: str, text: str) -> None:
    client.call("POST", f"users/{user}/tool/", {"action": "store", "value": text})


def tell_patch(client: Client, user: str, text: str) -> None:
    """Something harmless first, then the text in its place."""
    made = client.call("POST", f"users/{user}/memories/", {"value": "Likes rain."}).body
    client.call("PATCH", f"memories/{made['id']}/", {"value": text})


def tell_mcp(client: Client, user: str, text: str) -> None:
    arguments = {"name": "add_memory", "arguments": {"value": text}}
    client.post_plain(
        f"/mcp/u/{user}/", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": arguments}
    )


def tell_turn(client: Client, user: str, text: str) -> None:
    """As the assistant, in a conversation of its own."""
    session = client.open_session(user, f"{user}-told", auto_extract=True)
    client.post_turn(session, [{"role": "assistant", "content": text}])


ROUTES: dict[str, Tell] = {
    "api": tell_api,
    "tool": tell_tool,
    "mcp": tell_mcp,
    "import": tell_import,
    "patch": tell_patch,
    "turn": tell_turn,
}


def tell_all(cases: Sequence[Case], clients: dict[str, Client]) -> Iterator[Told]:
    """Each case by one route and one key, in turns; some by a key of the person's own words as well."""
    routes = list(ROUTES)
    for at, case in enumerate(cases):
        route, kind = routes[at % len(routes)], KINDS[at // len(routes) % len(KINDS)]
        for name in (kind, *((OWN,) if at % OWN_EVERY == 0 else ())):
            for hostile, parts in ((True, case.hostile), (False, case.twin)):
                if parts:
                    user = f"poison-{at}-{name or 'plain'}-{'h' if hostile else 't'}"
                    yield tell(clients[name], user, route, name, case.family, parts, hostile=hostile)


def tell(
    client: Client, user: str, route: str, kind: str, family: str, parts: Sequence[str], *, hostile: bool
) -> Told:
    """One text in its parts, and what is served of it. Of parts, all must be."""
    for part in parts:
        try:
            ROUTES[route](client, user, part)
        except CallFailed as error:
            if error.status >= 500:
                raise
    listed = client.call("GET", f"users/{user}/memories/?limit=100").body["results"]
    live = [one["value"] for one in listed if one["status"] == "active"]
    active = all(any(_is_in(part, value) for value in live) for part in parts)
    told = _served(client, user, " ".join(parts))
    return Told(
        family, hostile, route, kind, " || ".join(parts), active, all(_is_in(part, told) for part in parts)
    )


def _served(client: Client, user: str, text: str) -> str:
    query = text[:QUERY_CHARS]
    found = client.search(user, query, sources=["memory"], limit=20).body["results"]
    recalled = client.call("POST", f"users/{user}/recall/", {"query": query, "min_similarity": 0}).body
    session = client.open_session(user, f"{user}-asking")
    prompt = _prompt(client, session, query)
    return "\n".join([*(hit["text"] for hit in found), recalled["block"], prompt])


def _prompt(client: Client, session: str, query: str) -> str:
    """A context's own words; none where the query leans on a talk that never was."""
    try:
        body = client.call("POST", f"sessions/{session}/context/", {"query": query, "format": "text"}).body
    except CallFailed as error:
        if error.status != CONFLICT:
            raise
        return ""
    return json.dumps({**body, "messages": []}, ensure_ascii=False)


def _is_in(text: str, told: str) -> bool:
    return _plain(text)[:SEEN_CHARS] in _plain(told)


def _plain(text: str) -> str:
    return "".join(c for c in text if c.isalnum()).lower()


def render(told: Sequence[Told]) -> str:
    """A table by family, one by route and key, and the sum."""
    theirs = [one for one in told if one.kind != OWN]
    own = [one for one in told if one.kind == OWN]
    by_kind = sorted({one.kind for one in theirs})
    tables = [
        _table("family", theirs, lambda one: one.family),
        _table("route", theirs, lambda one: one.route),
        _table("key", theirs, lambda one: one.kind or "says nothing"),
        _table("sum", theirs, lambda one: f"{len(by_kind)} kinds of key"),
        _table("own words", own, lambda one: one.kind),
    ]
    return "\n\n".join(tables)


def _table(head: str, told: Sequence[Told], key: Callable[[Told], str]) -> str:
    groups: dict[str, list[Told]] = defaultdict(list)
    for one in told:
        groups[key(one)].append(one)
    rows = []
    for name, ones in groups.items():
        hostile, twins = [o for o in ones if o.hostile], [o for o in ones if not o.hostile]
        rows.append(
            [
                name,
                len(hostile),
                sum(not one.active and not one.served for one in hostile),
                sum(one.active for one in hostile),
                sum(one.served for one in hostile),
                len(twins),
                sum(one.active or one.served for one in twins),
            ]
        )
    return render_table([head, "hostile", "held back", "active", "served", "twins", "usable"], rows)


def read_prompts(path: Path) -> list[Case]:
    """Somebody's labelled texts: each is hostile or harmless, and has no twin."""
    cases = []
    for line in path.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        text = (one["text"][:MOST_CHARS],)
        is_attack = one["label"] == "attack"
        cases.append(
            Case(f"{one['set']}, {one['label']}", text if is_attack else (), () if is_attack else text)
        )
    return cases


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--set", default="", choices=("", "first", "second", "third", "fourth"), dest="name")
    parser.add_argument("--prompts", type=Path)
    parser.add_argument("--harmless", action="store_true")
    parser.add_argument("--show", action="store_true", help="print each text that went wrong")
    given = parser.parse_args()
    cases = _cases(given)
    with throwaway_server() as server:
        keys = {kind: _issue(server.environment, kind) for kind in (*KINDS, OWN)}
        clients = {kind: Client(server.url, key) for kind, key in keys.items()}
        told = list(tell_all(cases, clients))
    if given.show:
        for one in told:
            if one.kind != OWN and one.hostile == (one.active or one.served):
                sys.stdout.write(
                    f"{'served' if one.hostile else 'held'}  {one.route:7} {one.family}: {one.text}\n"
                )
    sys.stdout.write(f"{render(told)}\n")
    return 0


def _cases(given: argparse.Namespace) -> list[Case]:
    if given.harmless:
        return read_harmless()
    return read_prompts(given.prompts) if given.prompts else read_cases(given.name)


def _issue(environment: Mapping[str, str], kind: str) -> str:
    """A key that says whose words it brings."""
    says = ("--trust", kind) if kind else ()
    told = manage(environment, "issue_key", "--tenant", TENANT, "--create", "--json", *says)
    return str(json.loads(told)["key"])


if __name__ == "__main__":
    sys.exit(main())

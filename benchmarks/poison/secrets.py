"""Tells secrets of every kind that a file of rules describes, and looks for them wherever Nebo might keep or show them.

    python -m benchmarks.poison.secrets --rules FILE.toml [--kinds 30] [--each 3]

The file is in the form of gitleaks: `[[rules]]` with an `id` and a `regex`, of which random examples are made. Each is
said by the person in a turn and stored by an agent. Then memories in every state, search, recall, a context, messages
and the tool are asked for it, and so are the server's log, its jobs, its audit log and what its chat model was sent.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import string
import sys
import time
import tomllib
from collections import Counter
from pathlib import Path
from re import _constants as names  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import psycopg

from benchmarks.client import OPEN_STATES, CallFailed, Client
from benchmarks.scripted import scripted_model
from benchmarks.server import find_admin_url, running_server, throwaway_folder

LETTERS = string.ascii_letters + string.digits
# What stands for a kind of character; a letter behind a token would belong to it.
CATEGORIES = {names.CATEGORY_DIGIT: string.digits, names.CATEGORY_SPACE: " "}
MOST_MORE = 8  # repetitions beyond the least
LEAST_CHARS = 12  # of a secret: a shorter one is a name or a number that anything could be
LEFT_OUT = re.compile(
    r"(?:client|access)-id$|-yaml$|config|^curl|url$|^generic|sidekiq"
)  # no tokens by themselves
STATES = ("active", "quarantined", "superseded", "deleted", "archived")
READING = "jobs/?kind=extract&limit=100"
READ_LIMIT_S = 300
KEPT = "SELECT coalesce(string_agg(to_jsonb(t)::text, ' '), '') FROM {table} t"
TABLES = {"audit": "memories_auditentry", "jobs": "jobs_job", "versions": "memories_version"}


def example_of(tree: Any, chance: random.Random, groups: dict[int, str]) -> str:
    """A text that a parsed expression matches; what its groups took stands in `groups`."""
    return "".join(_of(operator, value, chance, groups) for operator, value in tree)


def _of(operator: Any, value: Any, chance: random.Random, groups: dict[int, str]) -> str:
    if operator is names.LITERAL:
        return chr(value)
    if operator in (names.NOT_LITERAL, names.ANY):
        return chance.choice(LETTERS)
    if operator is names.IN:
        return _one_of(value, chance)
    if operator in (names.MAX_REPEAT, names.MIN_REPEAT):
        least, most, part = value
        times = chance.randint(least, min(most, least + MOST_MORE)) if least else 0
        return "".join(example_of(part, chance, groups) for _ in range(times))
    if operator is names.SUBPATTERN:
        text = example_of(value[3], chance, groups)
        groups[value[0] or 0] = text
        return text
    if operator is names.BRANCH:
        return example_of(chance.choice(value[1]), chance, groups)
    return ""  # an edge, or what may not stand there


def _one_of(items: Any, chance: random.Random) -> str:
    pool: set[str] = set()
    for operator, value in items:
        if operator is names.LITERAL:
            pool.add(chr(value))
        elif operator is names.RANGE:
            pool |= {chr(point) for point in range(value[0], min(value[1], 126) + 1)}
        elif operator is names.CATEGORY:
            pool |= set(CATEGORIES.get(value, LETTERS))
    if (names.NEGATE, None) in items:
        pool = set(LETTERS) - pool
    return chance.choice(sorted(one for one in pool if one.isalnum()) or sorted(pool) or [" "])


def list_examples(rules: Path, kinds: int, each: int) -> list[tuple[str, str, str]]:
    """Kind, text and the secret in it."""
    chance = random.Random(5)  # noqa: S311  the same examples every time
    found = []
    read = tomllib.loads(rules.read_text(encoding="utf-8"))["rules"]
    usable = [one for one in read if "regex" in one and not LEFT_OUT.search(one["id"])]
    for rule in chance.sample(usable, min(kinds, len(usable))):
        plain = rule["regex"].replace("(?i)", "").replace("[:alnum:]", "A-Za-z0-9").replace(r"\z", r"\Z")
        tree = parser.parse(plain)
        for _ in range(each):
            groups: dict[int, str] = {}
            text = example_of(tree, chance, groups).strip()
            taken = [part for number, part in groups.items() if number] or [text]
            secret = max(taken, key=len)
            if len(secret) >= LEAST_CHARS:
                found.append((rule["id"], text, secret))
    return found


def tell(client: Client, user: str, text: str) -> str:
    """By the person in a turn, and by an agent; all that is told back."""
    session = client.open_session(user, f"{user}-said", auto_extract=True)
    client.post_turn(session, [{"role": "user", "content": f"Remember that this is for the deploy: {text}"}])
    for call, path, body in (
        ("POST", f"users/{user}/memories/", {"value": f"For the deploy: {text}"}),
        ("POST", f"users/{user}/memories/", {"value": "For the deploy.", "tags": [text[:60]]}),
        ("POST", f"users/{user}/tool/", {"action": "store", "key": text[:100], "value": "the deploy"}),
    ):
        try:
            client.call(call, path, body)
        except CallFailed as error:
            if error.status >= 500:
                raise
    asking = client.open_session(user, f"{user}-asking")
    question = {"query": "what is for the deploy?"}
    told = [client.call("GET", f"users/{user}/memories/?status={state}").body for state in STATES]
    told.append(client.search(user, "the deploy").body)
    told.append(client.call("POST", f"users/{user}/recall/", question).body)
    told.append(client.call("POST", f"users/{user}/tool/", {"action": "search", "query": "deploy"}).body)
    told.append(client.call("GET", f"sessions/{session}/messages/").body)
    for one in (session, asking):
        told.append(client.call("POST", f"sessions/{one}/context/", {"query": "the deploy"}).body)
    return json.dumps(told, ensure_ascii=False)


def main() -> int:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--rules", type=Path, required=True)
    options.add_argument("--kinds", type=int, default=30)
    options.add_argument("--each", type=int, default=3)
    given = options.parse_args()
    examples = list_examples(given.rules, given.kinds, given.each)
    missed = Counter[str]()
    with scripted_model() as (script, url), throwaway_folder() as folder:
        model = {"NEBO_CHAT_MODELS": "openai/scripted", "OPENAI_BASE_URL": url, "OPENAI_API_KEY": "none"}
        with running_server(folder, model) as server:
            client = Client(server.url, server.key)
            answers = [tell(client, f"teller-{at}", text) for at, (_, text, _) in enumerate(examples)]
            _wait_until_read(client)
            kept = _read_tables(find_admin_url(server))
        places = {**kept, "log": (folder / "log").read_text(errors="replace")}
        places["provider"] = "\n".join(prompt for _, prompt in script.prompts)
    missed.update(kind for (kind, _, secret), told in zip(examples, answers, strict=True) if secret in told)
    total = len(examples)
    sys.stdout.write(f"{len({kind for kind, _, _ in examples})} kinds, {total} secrets: ")
    sys.stdout.write(
        f"{total - missed.total()} kept out of memories and answers ({1 - missed.total() / total:.1%})\n"
    )
    for place, text in places.items():
        sys.stdout.write(f"  in {place}: {sum(secret in text for _, _, secret in examples)}\n")
    for kind, count in missed.most_common():
        sys.stdout.write(f"  missed: {kind} {count}\n")
    return 0


def _wait_until_read(client: Client) -> None:
    """Until the model has been shown every conversation. Raises TimeoutError."""
    deadline = time.monotonic() + READ_LIMIT_S
    while any(job["state"] in OPEN_STATES for job in client.call("GET", READING).body["results"]):
        if time.monotonic() > deadline:
            raise TimeoutError("The conversations were not read in time: does the worker run?")
        time.sleep(1)


def _read_tables(url: str) -> dict[str, str]:
    with psycopg.connect(url) as connection:
        return {
            place: str(connection.execute(KEPT.format(table=table)).fetchone()[0])  # type: ignore[index]
            for place, table in TABLES.items()
        }


if __name__ == "__main__":
    sys.exit(main())

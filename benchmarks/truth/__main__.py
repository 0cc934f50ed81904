"""Labelled cases against a running Nebo: what it hears right, wrong, or not at all. First with no chat model, then with
one that lies, forgets or rewords by script.

    python -m benchmarks.truth [--family NAME] [--language de] [--containing WORDS] [--verbose]    (make truth)
    python -m benchmarks.truth --cases benchmarks/truth/unseen

Without --url servers of its own are started on data that is thrown away. How to add a case: docs/truth.md.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import uuid
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue

from tqdm import tqdm

from benchmarks.client import CallFailed, Client
from benchmarks.scripted import Script, scripted_model
from benchmarks.server import TENANT, manage, running_server, throwaway_folder
from benchmarks.truth.cases import FOLDER, LANGUAGES, WITH_MODEL, BadCase, Case, Family, read_families
from benchmarks.truth.report import render_report, render_stories
from benchmarks.truth.stories import Story, read_stories
from benchmarks.truth.telling import Outcome, Teller
from benchmarks.truth.view import read_stranger

CLIENTS = 16  # cases told at once: each mostly waits for the five quiet seconds before its extraction
THREADS = {"NEBO_WEB_THREADS": "20"}  # one for each that waits
SCOPES = "read,write,admin"  # admin makes the personas


@dataclass(frozen=True, slots=True)
class Place:
    """A server and a key for it; `script` is what its chat model says, if it has one."""

    url: str
    key: str
    script: Script | None = None


def main(arguments: list[str] | None = None) -> int:
    """Tell the cases and print what came of them; 2 where a case can't be read."""
    chosen = _parse(arguments)
    try:
        families = choose(_read_all(chosen.cases), chosen)
        stories = choose_stories(read_stories(), chosen)
    except BadCase as bad:
        sys.stderr.write(f"{bad}\n")
        return 2
    _tell_without(chosen, [one for one in families if one.cases and not one.temper], stories)
    _tell_with_model(chosen, [one for one in families if one.cases and one.temper])
    return 0


def _read_all(folder: Path | None) -> list[Family]:
    """The cases of a folder, or all that are ours."""
    return read_families(folder) if folder else [*read_families(FOLDER), *read_families(WITH_MODEL)]


def _tell_without(chosen: argparse.Namespace, families: Sequence[Family], stories: Sequence[Story]) -> None:
    """What rules alone make of it."""
    if not families and not stories:
        return
    with _place(chosen) as place:
        told = tell_stories(place, stories)
        outcomes = tell_all(place, [case for family in families for case in family.cases], chosen.clients)
    sys.stdout.write(f"{render_stories(told, verbose=chosen.verbose)}")
    if outcomes:
        sys.stdout.write(f"{render_report(families, outcomes, verbose=chosen.verbose)}\n")


def _tell_with_model(chosen: argparse.Namespace, families: Sequence[Family]) -> None:
    """What becomes of what a model proposes: a table of its own. Not asked of a server that isn't ours."""
    if not families or chosen.url:
        return
    with scripted_model() as (script, url), _place(chosen, script, url) as place:
        outcomes = tell_all(place, [case for family in families for case in family.cases], chosen.clients)
    sys.stdout.write(f"\n{render_report(families, outcomes, verbose=chosen.verbose)}\n")


def choose(families: Sequence[Family], chosen: argparse.Namespace) -> list[Family]:
    """Families with those of their cases that are asked for. Raises BadCase where there is no such family."""
    if chosen.story:
        return []
    names = [family.name for family in families]
    if unknown := set(chosen.family) - set(names):
        raise BadCase(f"No such family: {', '.join(sorted(unknown))}. There are: {', '.join(names)}.")
    wanted = [family for family in families if not chosen.family or family.name in chosen.family]
    return [
        replace(one, cases=tuple(case for case in one.cases if _is_wanted(case, chosen))) for one in wanted
    ]


def choose_stories(stories: Sequence[Story], chosen: argparse.Namespace) -> list[Story]:
    """Those that are named; all, unless only some of the cases, or others, are asked for. Raises BadCase."""
    if unknown := set(chosen.story) - {story.name for story in stories}:
        raise BadCase(f"No such story: {', '.join(sorted(unknown))}.")
    some = chosen.cases or chosen.family or chosen.language or chosen.containing
    return [one for one in stories if one.name in chosen.story or not (chosen.story or some)]


def _is_wanted(case: Case, chosen: argparse.Namespace) -> bool:
    in_language = not chosen.language or case.language in chosen.language
    return in_language and chosen.containing.casefold() in case.words.casefold()


def tell_all(place: Place, cases: Sequence[Case], clients: int) -> list[Outcome]:
    """Every case, several at once, answered in their order."""
    run = uuid.uuid4().hex[:6]
    tellers: SimpleQueue[Teller] = SimpleQueue()
    with ExitStack() as connections, ThreadPoolExecutor(clients) as pool:
        opened = [connections.enter_context(closing(Client(place.url, place.key))) for _ in range(clients)]
        strangers = meet_personas(opened[0], cases)
        for client in opened:
            tellers.put(Teller(client, run, strangers, place.script))
        told = pool.map(lambda case: _tell(tellers, case), cases)
        return list(tqdm(told, "cases", len(cases), unit="case"))


def tell_stories(place: Place, stories: Sequence[Story]) -> list[tuple[Story, list[Outcome]]]:
    """Each story with what came of its checks."""
    with closing(Client(place.url, place.key)) as client:
        teller = Teller(client, uuid.uuid4().hex[:6], {"": read_stranger(client, "")})
        return [(story, teller.tell_story(story)) for story in tqdm(stories, "stories", unit="story")]


def _tell(tellers: SimpleQueue[Teller], case: Case) -> Outcome:
    """By whichever is free: a connection takes one call at a time."""
    teller = tellers.get()
    try:
        return teller.tell(case)
    finally:
        tellers.put(teller)


def meet_personas(client: Client, cases: Sequence[Case]) -> Mapping[str, frozenset[str]]:
    """Make the personas that the cases name; the lines of each one's prompt for somebody nothing is known of."""
    named = {case.persona for case in cases} | {case.elsewhere.persona for case in cases if case.elsewhere}
    for slug in sorted(named - {""}):
        try:
            client.call("POST", "personas/", {"slug": slug, "name": slug.title()})
        except CallFailed as refused:
            if refused.status != 409:  # made by an earlier run
                raise
    return {slug: read_stranger(client, slug) for slug in {"", *named}}


@contextmanager
def _place(chosen: argparse.Namespace, script: Script | None = None, model: str = "") -> Iterator[Place]:
    """The server that is named, or one of our own, with a chat model at the address `model` or none."""
    if chosen.url:
        yield Place(chosen.url, chosen.key)
        return
    asked = {"NEBO_CHAT_MODELS": "openai/scripted" if model else ""}
    spoken = {"OPENAI_BASE_URL": model, "OPENAI_API_KEY": "none"} if model else {}
    with throwaway_folder() as folder, running_server(folder, {**THREADS, **asked, **spoken}) as server:
        told = manage(server.environment, "issue_key", "--tenant", TENANT, "--scopes", SCOPES, "--json")
        yield Place(server.url, str(json.loads(told)["key"]), script)


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.truth",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("--cases", type=Path, help="a folder of other cases; no stories are told then")
    parser.add_argument("--family", action="append", default=[], help="only this one; may be repeated")
    parser.add_argument("--story", action="append", default=[], help="only this long talk; may be repeated")
    parser.add_argument("--language", action="append", default=[], choices=LANGUAGES, help="the same")
    parser.add_argument("--containing", default="", help="only cases in which this is said")
    parser.add_argument("--verbose", action="store_true", help="also those that are right, and nothing cut")
    parser.add_argument("--clients", type=int, default=CLIENTS, help="cases told at once")
    parser.add_argument("--url", help="ask this server, which should have no chat model")
    parser.add_argument("--key", default=os.environ.get("KEY"), help=f"a key for it, with {SCOPES}")
    chosen = parser.parse_args(arguments)
    if chosen.url and not chosen.key:
        parser.error("--url needs --key")
    if chosen.cases and chosen.story:
        parser.error("--story is of no folder of cases: leave --cases out")
    return chosen


if __name__ == "__main__":
    sys.exit(main())

"""Each row of the specification, asked of a running Nebo over HTTP: holds or not, and what was seen.

    python -m benchmarks.rows [--row ID] [--containing WORDS] [--verbose]    (make rows)

Without --url servers of its own are started on data that is thrown away. How to add a row: docs/rows.md.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import httpx

from benchmarks.client import CallFailed
from benchmarks.rows import (  # noqa: F401 - each puts its rows on the list
    about_people,
    asking_back,
    compacting,
    forgetting,
    keys,
    learning,
    models,
    operating,
    personas,
    prompts,
    recalling,
    searching,
    secrets,
    styles,
    summaries,
    todos,
    wishes,
)
from benchmarks.rows.place import Places, door_of
from benchmarks.rows.report import render_page, render_row, render_total
from benchmarks.rows.row import ROWS, Outcome, Row, Seen, seen

CLIENTS = 10  # rows asked at once: each mostly waits for a job
FAULTS = (CallFailed, TimeoutError, OSError, httpx.HTTPError, LookupError, ValueError, AssertionError)


def main(arguments: list[str] | None = None) -> int:
    """Ask the rows and print them; 1 where one doesn't hold."""
    chosen = _parse(arguments)
    rows = [one for one in ROWS if _is_wanted(one, chosen)]
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # its servers are stopped, however it ends
    with Places(door_of(chosen.url, chosen.key)) as places:
        crowd = ask_all(places, [one for one in rows if not one.alone], chosen)
        outcomes = crowd + ask_all(places, [one for one in rows if one.alone], chosen)
    sys.stdout.write(f"\n{render_total(outcomes)}\n")
    if chosen.page:
        chosen.page.write_text(f"{render_page(outcomes)}\n", encoding="utf-8")
    return 0 if all(one.holds or one.unasked for one in outcomes) else 1


def _is_wanted(row: Row, chosen: argparse.Namespace) -> bool:
    named = not chosen.row or row.id in chosen.row
    return named and chosen.containing.casefold() in f"{row.id} {row.subject} {row.name}".casefold()


def ask_all(places: Places, rows: Sequence[Row], chosen: argparse.Namespace) -> list[Outcome]:
    """Several at once, each printed when it ends; answered in their order."""
    with ThreadPoolExecutor(chosen.clients) as pool:
        asked = {pool.submit(ask, places, row): row.id for row in rows}
        found = {}
        try:
            for ended in as_completed(asked):
                outcome = found[asked[ended]] = ended.result()
                sys.stdout.write(f"{render_row(outcome, verbose=chosen.verbose)}\n")
                sys.stdout.flush()
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [found[row.id] for row in rows]


def ask(places: Places, row: Row) -> Outcome:
    """One row; what the server refuses is a case that doesn't hold."""
    if why := places.why_not(row):
        return Outcome(row, unasked=why)
    began, place = time.monotonic(), places.open(row)
    cases: list[Seen] = []
    try:
        cases.extend(row.ask(place))
    except FAULTS as fault:
        cases.append(seen(False, "asking", f"{type(fault).__name__}: {fault}"))
    finally:
        place.close()
    return Outcome(row, tuple(cases), seconds=time.monotonic() - began)


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.rows",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("--row", action="append", default=[], help="only this one; may be repeated")
    parser.add_argument("--containing", default="", help="only rows that have this in id, subject or name")
    parser.add_argument("--verbose", action="store_true", help="also the cases that hold")
    parser.add_argument("--clients", type=int, default=CLIENTS, help="rows asked at once")
    parser.add_argument("--page", type=Path, help="write the table of docs/rows.md there")
    parser.add_argument("--url", help="ask this server; rows that need one of our own are left out")
    parser.add_argument("--key", default=os.environ.get("KEY"), help="a key for it, with read,write,admin")
    chosen = parser.parse_args(arguments)
    if chosen.url and not chosen.key:
        parser.error("--url needs --key")
    return chosen


if __name__ == "__main__":
    sys.exit(main())

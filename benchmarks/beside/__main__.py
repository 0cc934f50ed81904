"""Nebo, mem0 and Hindsight in one run: what they find, how fast, and how fast turns go in.

    python -m benchmarks.beside --locomo FILE [--stores mem0,hindsight]    (make beside LOCOMO=FILE)

Everything is asked one question at a time by one client. mem0 is called as a library in its own process, Nebo and
Hindsight over HTTP. The table goes to docs/benchmarks.md, between its markers.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from benchmarks.beside.ours import Ours, measure_nebo
from benchmarks.beside.runners import STORES, measure_store
from benchmarks.beside.task import Measured
from benchmarks.client import Client
from benchmarks.conversations import Conversation, read_locomo
from benchmarks.corpus import make_conversation
from benchmarks.histories import read_histories
from benchmarks.page import PAGE, describe_machine, replace_between
from benchmarks.recall import DEPTHS, Asked, mean_shares
from benchmarks.server import throwaway_server
from benchmarks.tables import Cell, render_table
from benchmarks.timing import spread_of

MARKER = "beside"
LIMIT = 50  # results a search is asked for
HEADERS = [
    "store",
    *(f"@{depth}" for depth in DEPTHS),
    "search p50",
    "p95",
    "turns a second",
    "with vectors",
    "MB",
]


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and write the page unless told otherwise."""
    chosen = _parse(arguments)
    conversations = _conversations(chosen)
    with throwaway_server() as server:
        with closing(Client(server.url, server.key)) as client:
            ours = measure_nebo(client, conversations, limit=LIMIT)
        data_dir = Path(server.environment["NEBO_DATA_DIR"])
        others = {
            store: measure_store(store, conversations, data_dir=data_dir, limit=LIMIT)
            for store in chosen.stores
        }
    report = f"{describe_machine()}\n\n{render(conversations, ours, others)}"
    sys.stdout.write(f"{report}\n")
    if not (chosen.print_only or chosen.histories):
        PAGE.write_text(replace_between(PAGE.read_text("utf-8"), report, MARKER), "utf-8")
    return 0


def _conversations(chosen: argparse.Namespace) -> list[Conversation]:
    if chosen.histories:
        return read_histories()
    return read_locomo(chosen.locomo) if chosen.locomo else [make_conversation()]


def render(conversations: Sequence[Conversation], ours: Ours, others: dict[str, Measured]) -> str:
    """A row a store, and below it the ratios of Nebo to each of the others."""
    rows: list[list[Cell]] = [_our_row(conversations, ours)]
    rows += [_their_row(conversations, store, measured) for store, measured in others.items()]
    lines = [_ratio(ours, store, measured) for store, measured in others.items()]
    return "\n".join([render_table(HEADERS, rows), "", *lines])


def _our_row(conversations: Sequence[Conversation], ours: Ours) -> list[Cell]:
    spread = spread_of(ours.search_ms)
    stored, embedded = ours.turns / ours.stored_s, ours.turns / ours.embedded_s
    return ["Nebo", *_shares(conversations, ours.found), spread.p50, spread.p95, stored, embedded, None]


def _their_row(conversations: Sequence[Conversation], store: str, measured: Measured) -> list[Cell]:
    spread = spread_of(measured.search_ms)
    a_second = measured.turns / measured.ingest_s
    shares = _shares(conversations, measured.found)
    return [store, *shares, spread.p50, spread.p95, a_second, a_second, round(measured.memory_mb)]


def _shares(conversations: Sequence[Conversation], found: Sequence[tuple[str, ...]]) -> list[Cell]:
    pairs = [(c.id, question) for c in conversations for question in c.questions]
    asked = [Asked(id, question, ids) for (id, question), ids in zip(pairs, found, strict=True)]
    return list(mean_shares(asked).values())


def _ratio(ours: Ours, store: str, measured: Measured) -> str:
    search = spread_of(ours.search_ms).p50 / spread_of(measured.search_ms).p50
    theirs = measured.turns / measured.ingest_s
    stored, embedded = ours.turns / ours.stored_s / theirs, ours.turns / ours.embedded_s / theirs
    return (
        f"Beside {store}, Nebo's search takes {search:.2f} of the time; turns go in {stored:.1f} times as fast, "
        f"{embedded:.1f} times with their vectors."
    )


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.beside",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("--locomo", type=_path, default=os.environ.get("LOCOMO"), help="a LoCoMo file")
    parser.add_argument("--histories", action="store_true", help="our own histories instead; printed alone")
    parser.add_argument("--stores", type=lambda text: tuple(text.split(",")), default=STORES)
    parser.add_argument("--print-only", action="store_true", help="leave docs/benchmarks.md as it is")
    chosen = parser.parse_args(arguments)
    unknown = set(chosen.stores) - set(STORES)
    if unknown:
        parser.error(f"no such store: {', '.join(sorted(unknown))}")
    return chosen


def _path(text: str) -> Path | None:
    """An empty LOCOMO is none."""
    return Path(text) if text else None


if __name__ == "__main__":
    sys.exit(main())

"""All benchmarks in one run: quality, latency, ingest; then docs/benchmarks.md is written anew.

    python -m benchmarks [--locomo FILE] [--beam FILE] [--large] [--url URL --key KEY]
    make bench LOCOMO=FILE BEAM=FILE

Without --url a server of its own is started on data that is thrown away, on the loopback address alone.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import closing, nullcontext
from pathlib import Path

from benchmarks.beam import read_beam
from benchmarks.client import Client
from benchmarks.command import RANKINGS, names
from benchmarks.conversations import Conversation, read_locomo
from benchmarks.corpus import make_conversation
from benchmarks.histories import read_histories
from benchmarks.latency import measure_ingest, measure_size
from benchmarks.page import (
    PAGE,
    describe_machine,
    render_ingest,
    render_jobs,
    render_latency,
    render_parts,
    render_ratios,
    replace_between,
)
from benchmarks.quality import measure_quality, render_quality
from benchmarks.server import Server, run_beside, throwaway_server

SIZES = (1_000, 10_000)  # messages of one person, a chunk each
LARGE = 100_000
BEAM_RANKINGS = ("default", "dense", "lexical")


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and write the page unless told otherwise."""
    chosen = _parse(arguments)
    conversations = read_locomo(chosen.locomo) if chosen.locomo else [make_conversation()]
    given = chosen.url is not None
    with nullcontext(None) if given else throwaway_server() as server:
        place = server or chosen
        with closing(Client(place.url, place.key)) as client:
            report = run(client, server, conversations, chosen)
    sys.stdout.write(f"{report}\n")
    if not chosen.print_only:
        PAGE.write_text(replace_between(PAGE.read_text("utf-8"), report), "utf-8")
    return 0


def run(
    client: Client, server: Server | None, conversations: Sequence[Conversation], chosen: argparse.Namespace
) -> str:
    """Everything, as the part of the page between its markers."""
    quality = measure_quality(client, conversations, chosen.rankings)
    assisted = measure_quality(client, read_histories(), chosen.rankings)
    technical = measure_quality(client, read_beam(chosen.beam), BEAM_RANKINGS) if chosen.beam else None
    turns = (*chosen.sizes, LARGE) if chosen.large else chosen.sizes
    sizes = [measure_size(client, server, count) for count in turns]
    pairs = measure_ingest(client)
    jobs = run_beside(server, "benchmarks.jobs") if server else None
    source = f"LoCoMo, `{chosen.locomo.name}`" if chosen.locomo else "Our own small conversation"
    begun = f" Ready {server.start_s:.0f} s after the command, the database made included." if server else ""
    return "\n\n".join(
        [
            describe_machine() + begun,
            f"### Quality\n\n{source}.\n\n{render_quality(quality)}",
            f"### Quality with an assistant\n\nOur own six histories.\n\n{render_quality(assisted)}",
            *([f"### Quality on long technical talks\n\n{render_quality(technical)}"] if technical else []),
            f"### Latency\n\n{render_latency(sizes)}",
            f"### Against the floor\n\n{render_ratios(sizes)}",
            f"### Where the time goes\n\n{render_parts(sizes)}",
            f"### Ingest\n\n{render_ingest(sizes, pairs)}",
            f"### Jobs\n\n{render_jobs(jobs)}",
        ]
    )


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--locomo", type=_path, default=os.environ.get("LOCOMO"), help="a LoCoMo file")
    parser.add_argument(
        "--beam", type=_path, default=os.environ.get("BEAM"), help="a BEAM file: an hour more"
    )
    parser.add_argument("--large", action="store_true", help="also 100,000 messages: half an hour or more")
    parser.add_argument("--url", help="measure this server; the floor is then not known")
    parser.add_argument("--key", help="a key for it, with the scopes read and write")
    parser.add_argument("--sizes", type=_numbers, default=SIZES, help="messages of one person: 1000,10000")
    parser.add_argument("--rankings", type=names, default=RANKINGS)
    parser.add_argument("--print-only", action="store_true", help="leave docs/benchmarks.md as it is")
    chosen = parser.parse_args(arguments)
    if (chosen.url is None) != (chosen.key is None):
        parser.error("--url and --key go together")
    return chosen


def _path(text: str) -> Path | None:
    """An empty LOCOMO is none."""
    return Path(text) if text else None


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(","))


if __name__ == "__main__":
    sys.exit(main())

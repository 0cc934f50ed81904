"""What the commands that measure quality share: which server, which rankings, where the figures go."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from benchmarks.client import CallFailed, Client
from benchmarks.conversations import Conversation
from benchmarks.quality import as_json, measure_quality, render_quality

RANKINGS = ("default", "adaptive", "dense", "lexical")


def add_server_arguments(parser: argparse.ArgumentParser) -> None:
    """`--url`, `--key`, `--rankings` and `--json`."""
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="default: %(default)s")
    parser.add_argument("--key", required=True, help="a key with the scopes read and write, bound to nobody")
    parser.add_argument("--rankings", type=names, default=RANKINGS, help=f"default: {','.join(RANKINGS)}")
    parser.add_argument("--json", type=Path, help="write all figures, with each question's ranks, here")


def names(text: str) -> tuple[str, ...]:
    """Those of a list with commas."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def print_quality(conversations: Sequence[Conversation], chosen: argparse.Namespace) -> int:
    """Measure and print; 1 where the server can't be measured."""
    try:
        with closing(Client(chosen.url, chosen.key)) as client:
            quality = measure_quality(client, conversations, chosen.rankings)
    except (CallFailed, OSError) as error:
        sys.stderr.write(f"{chosen.url}: {error}\n")
        return 1
    sys.stdout.write(f"{render_quality(quality)}\n")
    if chosen.json:
        chosen.json.write_text(json.dumps(as_json(quality), indent=1))
    return 0

"""Quality on LoCoMo: python -m benchmarks.locomo FILE --key nebo_… [--conversations conv-26,conv-30]"""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import closing
from pathlib import Path

from benchmarks.client import CallFailed, Client
from benchmarks.conversations import read_locomo
from benchmarks.quality import as_json, measure_quality, render_quality

RANKINGS = ("default", "seed", "dense", "lexical")


def main(arguments: list[str] | None = None) -> int:
    """Measure and print; 1 where the server can't be measured."""
    chosen = _parse(arguments)
    conversations = read_locomo(chosen.file, chosen.conversations)
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


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.locomo", description=__doc__)
    parser.add_argument("file", type=Path, help="the conversations, as JSON")
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="default: %(default)s")
    parser.add_argument("--key", required=True, help="a key with the scopes read and write, bound to nobody")
    parser.add_argument("--conversations", type=_names, default=(), help="default: all of the file")
    parser.add_argument("--rankings", type=_names, default=RANKINGS, help=f"default: {','.join(RANKINGS)}")
    parser.add_argument("--json", type=Path, help="write all figures, with each question's ranks, here")
    return parser.parse_args(arguments)


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


if __name__ == "__main__":
    sys.exit(main())

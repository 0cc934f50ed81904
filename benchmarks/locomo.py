"""Quality on LoCoMo: python -m benchmarks.locomo FILE --key nebo_… [--conversations conv-26,conv-30]"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.command import add_server_arguments, names, print_quality
from benchmarks.conversations import read_locomo


def main(arguments: list[str] | None = None) -> int:
    """Measure and print; 1 where the server can't be measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.locomo", description=__doc__)
    parser.add_argument("file", type=Path, help="the conversations, as JSON")
    parser.add_argument("--conversations", type=names, default=(), help="default: all of the file")
    add_server_arguments(parser)
    chosen = parser.parse_args(arguments)
    return print_quality(read_locomo(chosen.file, chosen.conversations), chosen)


if __name__ == "__main__":
    sys.exit(main())

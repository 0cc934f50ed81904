"""Does all stay as it is while heavy work goes on? Search, during an import and during an exchange of the model; what
people say, beside another tenant's backlog.

    python -m benchmarks.steady [--turns 10000] [--only import|exchange|tenants] [--print-only]     (make steady)

Each on a server of its own, on data that is thrown away; a quarter of an hour together. What was measured goes to
docs/benchmarks.md, between its markers.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import closing

from benchmarks.client import Client
from benchmarks.exchange import measure_exchange, render_exchange
from benchmarks.importing import IMPORTED_TURNS, measure_import, render_import
from benchmarks.page import PAGE, describe_machine, replace_between
from benchmarks.server import throwaway_server
from benchmarks.tenants import measure_tenants, render_tenants

MARKER = "steady"
PARTS = ("import", "exchange", "tenants")


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and write the page unless told otherwise."""
    chosen = _parse(arguments)
    parts = [describe_machine()]
    if chosen.only in (None, "import"):
        with throwaway_server() as server, closing(Client(server.url, server.key)) as client:
            parts.append(f"### An import\n\n{render_import(measure_import(client, chosen.turns))}")
    if chosen.only in (None, "exchange"):
        parts.append(f"### An exchange of the model\n\n{render_exchange(measure_exchange())}")
    if chosen.only in (None, "tenants"):
        with throwaway_server() as server:
            parts.append(
                f"### Another tenant's backlog\n\n{render_tenants(measure_tenants(server, chosen.turns))}"
            )
    report = "\n\n".join(parts)
    sys.stdout.write(f"{report}\n")
    if not chosen.print_only:
        PAGE.write_text(replace_between(PAGE.read_text("utf-8"), report, MARKER), "utf-8")
    return 0


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.steady",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("--turns", type=int, default=IMPORTED_TURNS, help="how many are imported")
    parser.add_argument("--only", choices=PARTS, help="one of them; the page is then left as it is")
    parser.add_argument("--print-only", action="store_true", help="leave docs/benchmarks.md as it is")
    chosen = parser.parse_args(arguments)
    chosen.print_only = chosen.print_only or chosen.only is not None
    return chosen


if __name__ == "__main__":
    sys.exit(main())

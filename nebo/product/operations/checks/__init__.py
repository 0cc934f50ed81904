"""Everything `manage.py doctor` looks at, in the order in which one thing rests on another."""

from __future__ import annotations

from collections.abc import Iterator

from nebo.product.operations.checks import database, machine, models, sealed, service
from nebo.product.operations.findings import Finding


def list_findings(*, ask: bool) -> Iterator[Finding]:
    """Look at everything; `ask` sends a few words to each configured model."""
    yield from machine.look()
    reachable = True
    for finding in database.look():
        reachable = reachable and finding.state != "broken"
        yield finding
    if reachable:
        yield from sealed.look()
    yield from service.look(database_works=reachable)
    yield from models.look(ask=ask)

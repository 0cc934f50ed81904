"""While Nebo runs, the PostgreSQL that came along is looked after too: one that dies is started again."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from nebo import embedded
from nebo.database import is_embedded
from nebo.env import Environment, env
from nebo.product.operations.children import Child, Output
from nebo.product.operations.restarts import Restarts, describe_pause


@dataclass
class PostgresWatch:
    """Looks after the embedded server; where `DATABASE_URL` names another, that one is nobody's here."""

    output: Output
    environment: Environment = env
    restarts: Restarts = field(default_factory=Restarts)
    _port: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._port = self._find_port()

    def look(self) -> bool:
        """Whether the database runs; where it doesn't, it is started, if its time has come."""
        if not is_embedded(self.environment) or self._find_port():
            return True
        pause = self.restarts.plan()
        if pause is not None:
            self.output.write(f"PostgreSQL has ended; starting it again {describe_pause(pause)}.\n")
        return self.restarts.is_due() and self._start()

    def has_moved(self) -> bool:
        """Whether it runs on another port than when this was asked last: whoever has its address needs the new one."""
        port, before = self._find_port(), self._port
        self._port = port or before
        return bool(port and before and port != before)

    def _find_port(self) -> int:
        server = embedded.find_running(self.environment.data_dir) if is_embedded(self.environment) else None
        return server.port if server else 0

    def _start(self) -> bool:
        began = time.monotonic()
        try:
            server = embedded.ensure_running(self.environment.data_dir)
        except embedded.EmbeddedPostgresError as error:
            self.output.write(f"PostgreSQL does not start. {error}\n")
            return False
        finally:
            self.restarts.note_start()
        self.output.write(
            f"PostgreSQL is back on port {server.port} after {time.monotonic() - began:.1f} s.\n"
        )
        return True


def start_elsewhere(children: list[Child]) -> None:
    """These have an address that nobody answers at any more; started again, they ask for the new one."""
    for child in children:
        child.start_again()

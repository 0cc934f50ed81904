"""The processes of a running Nebo: web server and worker, begun, let go on, stopped.

The web server is begun before Django is set up here, so that both import their code side by side. It serves once it is
let go on: when tables, walls and static files are in place.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from nebo.product.operations.children import METRICS_DIR, Child, Output, stop_all
from nebo.product.operations.program import MANAGE

SETTINGS = "python:nebo.product.operations.gunicorn_settings"
WEB = (sys.executable, "-m", "nebo.product.operations.web", "-c", SETTINGS, "nebo.wsgi")
WORKER = (*MANAGE, "worker")


@dataclass(slots=True)
class Processes:
    """The processes and what they say."""

    output: Output
    children: list[Child] = field(default_factory=list)

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Begin the web server; all processes are stopped on the way out, whatever the way."""
        shutil.rmtree(METRICS_DIR, ignore_errors=True)
        METRICS_DIR.mkdir(mode=0o700, parents=True)
        try:
            self.children.append(Child("web server", WEB, self.output, waits=True))
            yield
        finally:
            stop_all(self.children)
            shutil.rmtree(METRICS_DIR, ignore_errors=True)

    def go_on(self) -> None:
        """Everything is prepared: the web server may serve, and the worker starts."""
        for child in self.children:
            child.let_go_on()
        self.children.append(Child("worker", WORKER, self.output))


# Of this process: `manage.py` opens it, and its command `start` goes on with it.
PROCESSES = Processes(Output(sys.stderr))

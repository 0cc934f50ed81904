"""The product behind a real socket, in threads of the test's own process and over the test's database."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler

from django.core.servers.basehttp import ThreadedWSGIServer
from django.core.wsgi import get_wsgi_application


class OneRequest(WSGIRequestHandler):
    """A connection a request, nothing logged; one a browser opened in advance is given up after `timeout` s."""

    timeout = 1

    def handle(self) -> None:
        with suppress(TimeoutError, ConnectionError):
            super().handle()

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def live_server() -> Iterator[str]:
    """The address, without a slash at its end. Each request's thread closes its database connections."""
    server = ThreadedWSGIServer(("127.0.0.1", 0), OneRequest)
    server.daemon_threads = False  # they are waited for, so that none outlives the test's data
    server.set_app(get_wsgi_application())
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

"""The product behind a real socket, in threads of the test's own process and over the test's database."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler

from django.core.servers.basehttp import WSGIServer
from django.core.wsgi import get_wsgi_application
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

AT_ONCE = 100  # requests; a thread is started only where none is free


class OneRequest(WSGIRequestHandler):
    """A connection a request, nothing logged; one a browser opened in advance is given up after `timeout` s."""

    timeout = 1

    def handle(self) -> None:
        with suppress(TimeoutError, ConnectionError):
            super().handle()

    def log_message(self, format: str, *args: Any) -> None:
        pass


class PoolServer(ThreadingMixIn, WSGIServer):
    """Its threads serve one request after the other and keep their database connections, as in use. A connection for
    each request would cost more than most requests do.
    """

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), OneRequest)
        self._pool = ThreadPoolExecutor(AT_ONCE)
        self._opened: set[BaseDatabaseWrapper] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        self._pool.submit(self._serve, request, client_address)

    def _serve(self, request: Any, client_address: Any) -> None:
        self.process_request_thread(request, client_address)
        self._opened.update(connections.all(initialized_only=True))

    def server_close(self) -> None:
        """Requests are waited for, so that none outlives the test's data; then all connections are closed."""
        super().server_close()
        self._pool.shutdown()
        for connection in self._opened:
            connection.inc_thread_sharing()
            connection.close()


@contextmanager
def live_server() -> Iterator[str]:
    """The address, without a slash at its end."""
    server = PoolServer()
    server.set_app(get_wsgi_application())
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

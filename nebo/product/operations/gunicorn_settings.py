"""How gunicorn serves Nebo: `gunicorn -c python:nebo.product.operations.gunicorn_settings nebo.wsgi`.

Code and models are loaded once, by the process that watches over the others; these are its forks, and share them.
The work is mostly waiting for Postgres, and onnxruntime leaves Python's lock while it computes.
"""

from __future__ import annotations

import gc
import os
from importlib import import_module
from pathlib import Path
from typing import Any

from prometheus_client.multiprocess import mark_process_dead

from nebo.env import env
from nebo.product.operations.preload import load_models

MAX_PROCESSES = 2
SHARED_MEMORY = Path("/dev/shm")  # noqa: S108  gunicorn's heartbeat files: a slow disk there stops a worker

bind = f"[{env.host}]:{env.port}" if ":" in env.host else f"{env.host}:{env.port}"
worker_class = "gthread"
workers = min(MAX_PROCESSES, os.cpu_count() or 1)
threads = env.web_threads
preload_app = True
timeout = 120  # seconds without a sign of life; `?wait=` takes up to 30
graceful_timeout = 8  # seconds for requests under way at the end
keepalive = 75  # seconds; above the 60 of common proxies, so that they never meet a closed connection
worker_tmp_dir = str(SHARED_MEMORY) if os.access(SHARED_MEMORY, os.W_OK) else None
control_socket_disable = True
accesslog = None
errorlog = "-"
loglevel = "warning"

gc.disable()  # until everything is imported: what modules make stays, and is not worth looking through


def when_ready(server: Any) -> None:
    """Before the first fork: what is there now stays for good, in pages that the processes go on sharing."""
    load_models()
    gc.freeze()
    gc.enable()


def child_exit(server: Any, worker: Any) -> None:
    """What a process that is gone counted stays; that it lives doesn't."""
    if env.metrics_dir:
        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def post_worker_init(worker: Any) -> None:
    """Refuse to serve where a wall is down."""
    startup = import_module("nebo.tenants.startup")  # not before: it needs Django, which is set up only now
    startup.await_safe_database()
    gc.collect()
    gc.freeze()  # what is there now stays for good: not looked through again in the middle of a request

"""What happens around `manage.py`, before Django is set up and after it is done: the database server.

The settings need a running database. `start` also reports a taken port before anything is started, starts the web
server, and stops what it has started itself.
"""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from nebo import embedded
from nebo.database import ensure_server, is_embedded
from nebo.env import Environment, env
from nebo.product.operations.ports import PortTaken, check_port, find_next_port
from nebo.product.operations.processes import PROCESSES
from nebo.product.operations.program import AGAIN, is_nebo
from nebo.product.operations.steps import Steps

WITHOUT_DATABASE = ("mcp",)  # commands that may run where there is none
BEGAN_AT = time.monotonic()  # seconds; when this program began, near enough
STOPPING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def database_for(arguments: Sequence[str], environment: Environment = env) -> Iterator[None]:
    """A running database server for the command in `arguments` (as `sys.argv`); SystemExit with a sentence."""
    command = arguments[1] if len(arguments) > 1 else ""
    if command == "start" and not {"-h", "--help"} & set(arguments):
        with _whole_start(environment):
            yield
        return
    if command in WITHOUT_DATABASE:
        yield
        return
    try:
        ensure_server(environment)
    except embedded.EmbeddedPostgresError as error:
        if command != "doctor":  # which tells about it in its own place
            sys.exit(f"PostgreSQL does not start. {error}")
    yield


@contextmanager
def _whole_start(environment: Environment) -> Iterator[None]:
    owns_server = is_embedded(environment) and not embedded.is_running(environment.data_dir)
    sys.stdout.write("\nNebo is starting\n\n")
    try:
        interrupt_on_signals()
        _check_port(environment)
        _start_server(environment)
        with PROCESSES.opened():
            yield
    except KeyboardInterrupt:
        sys.stdout.write("Nebo has stopped.\n")
    finally:
        if owns_server:
            for number in STOPPING_SIGNALS:
                signal.signal(number, signal.SIG_IGN)
            embedded.stop(environment.data_dir)


def interrupt_on_signals() -> None:
    """SIGTERM and a closed terminal end the work as Ctrl-C does; `nohup` stays honoured.

    A script's background job inherits a SIGINT that is ignored; asked to end by it, Nebo ends all the same.
    """
    for number in STOPPING_SIGNALS:
        if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _start_server(environment: Environment) -> None:
    if not is_embedded(environment):
        return
    try:
        with Steps(sys.stdout).step("PostgreSQL") as step:
            ensure_server(environment)
            server = embedded.find_running(environment.data_dir)
            step.done = f"PostgreSQL on port {server.port}" if server else step.doing
    except embedded.EmbeddedPostgresError as error:
        sys.exit(f"PostgreSQL does not start. {error}")


def _check_port(environment: Environment) -> None:
    try:
        check_port(environment.host, environment.port)
    except PortTaken as taken:
        sys.exit(f"{taken}\n{advice(taken, environment.host)}\n")
    except OSError as error:
        sys.exit(f"Nebo can't listen on {environment.host}:{environment.port}: {error.strerror}.\n")


def advice(taken: PortTaken, host: str) -> str:
    """How to go on beside, or without, the process that has the port."""
    free = find_next_port(host, taken.port)
    lines = [f"Choose another:  PORT={free} {AGAIN}"] if free else []
    if taken.owner:
        ours = is_nebo(taken.owner.command)
        lines.append(f"{'That is a Nebo. Stop it' if ours else 'Or stop it'}:  kill {taken.owner.pid}")
    return "\n".join(lines)

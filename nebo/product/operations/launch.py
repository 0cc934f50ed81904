"""What is waited for once web server and worker go on, and afterwards: those that end are brought back."""

from __future__ import annotations

import signal
import time
from contextlib import ExitStack

import httpx

from nebo.product.operations import demo
from nebo.product.operations.children import Child
from nebo.product.operations.health import are_well, look_at_parts
from nebo.product.operations.postgres_watch import PostgresWatch, start_elsewhere
from nebo.product.operations.processes import Processes
from nebo.product.operations.restarts import describe_pause
from nebo.product.operations.steps import Steps

HEALTHY_WITHIN_S = 90.0  # a cold disk under load; 3 s on a warm one
LOOK_EVERY_S = 0.2
KILLED = (-signal.SIGKILL, -signal.SIGTERM)  # exit codes of one that somebody else has ended


class StartFailed(RuntimeError):
    """A child ended, or nothing answered; the message says which, with its last lines."""


def await_health(processes: Processes, steps: Steps, client: httpx.Client) -> None:
    """Until /healthz is content; raises StartFailed."""
    with steps.step("Web server and worker"):
        deadline = time.monotonic() + HEALTHY_WITHIN_S
        while not _is_healthy(client):
            for child in processes.children:
                if child.has_ended():
                    raise StartFailed(describe_end(child))
            if time.monotonic() > deadline:
                raise StartFailed(f"Not healthy after {HEALTHY_WITHIN_S:.0f} s: {_ask_health(client)}")
            time.sleep(LOOK_EVERY_S)


def _is_healthy(client: httpx.Client) -> bool:
    """The web server is asked once the rest is well: it would log each time that a part is missing."""
    try:
        return are_well(look_at_parts()) and client.get("/healthz").is_success
    except httpx.HTTPError:
        return False


def _ask_health(client: httpx.Client) -> str:
    try:
        return client.get("/healthz").text
    except httpx.HTTPError as error:
        return f"no answer ({type(error).__name__})"


def describe_end(child: Child) -> str:
    """Which process ended how, with its last lines."""
    tail = "".join(f"    {line}" for line in child.tail)
    return f"The {child.name} ended with status {child.process.returncode}.\n{tail}".rstrip()


def look_after(processes: Processes) -> None:
    """Bring back what ends, however often. Returns never."""
    postgres = PostgresWatch(processes.output)
    while True:
        time.sleep(LOOK_EVERY_S)
        look(processes.children, postgres)


def look(children: list[Child], postgres: PostgresWatch) -> None:
    """Once. Nobody can be brought back while the database is away, so it comes first."""
    if not postgres.look():
        return
    if postgres.has_moved():
        start_elsewhere(children)
    for child in children:
        if child.has_ended():
            _bring_back(child)


def _bring_back(child: Child) -> None:
    """What was killed comes back at once; what ends by itself, after a pause that grows."""
    killed = child.process.returncode in KILLED
    pause = child.restarts.plan(at_once=killed)
    if pause is not None:
        why = f"The {child.name} was killed." if killed else describe_end(child)
        child.output.write(f"{why}\nStarting the {child.name} again {describe_pause(pause)}.\n")
    if child.restarts.is_due():
        child.start_again()


def set_up_demo(steps: Steps, client: httpx.Client) -> demo.Demo:
    """A tenant, its key, and a conversation that goes the way of every other. Raises httpx.HTTPError."""
    with steps.step("Demo tenant, its login and its key"):
        made = demo.make_demo()
    with ExitStack() as stack:
        step = stack.enter_context(steps.step("A conversation, told through the API"))
        turns = demo.count_turns()
        bar = stack.enter_context(step.bar(turns, "turns"))
        sessions = demo.tell(client, made.key, bar.update)
        step.done = f"A conversation in {len(sessions)} sessions and {turns} turns, told through the API"
    with steps.step("Learning from it") as step, step.bar(len(sessions), "sessions") as bar:
        for session in sessions:
            demo.learn(client, session)
            bar.update()
        step.done = f"Learning from it: {demo.count_memories(client)} memories"
    demo.finish_demo()
    return made


def find_or_set_up_demo(steps: Steps, client: httpx.Client, *, wanted: bool) -> demo.Demo | None:
    """The demo of this run or of an earlier one; an error of the API is told and does not end the start."""
    if not (wanted and demo.is_wanted()):
        return demo.find_demo()
    try:
        return set_up_demo(steps, client)
    except httpx.HTTPStatusError as error:
        raise StartFailed(
            f"The demo conversation was refused: {error.response.status_code} from {error.request.url}\n"
            f"    {error.response.text[:500]}"
        ) from error

import io
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nebo.product.operations.children import Child, Output, place_for_metrics, stop_all
from nebo.product.operations.launch import look
from nebo.product.operations.postgres_watch import PostgresWatch
from tests.operations.waiting import is_alive, wait_until

SAYS_AND_STAYS = "import time; print('hello', flush=True); time.sleep(600)"
STUBBORN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SAYS_AND_STAYS}"
WAITS = """
import sys, time
print('waiting', flush=True)
sys.stdin.read(1)
print('on', flush=True)
time.sleep(600)
"""
FALLS = "import sys; print('no more', flush=True); sys.exit(7)"
PARENT = """
import io, sys, time
from nebo.product.operations.children import Child, Output
program = "import time; print('up', flush=True); time.sleep(600)"
child = Child("sleeper", [sys.executable, "-c", program], Output(io.StringIO()))
while not child.tail:
    time.sleep(0.02)
print(child.process.pid, flush=True)
time.sleep(600)
"""

Start = Callable[[str], Child]


@pytest.fixture
def heard() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def start(heard: io.StringIO) -> Iterator[Start]:
    children: list[Child] = []

    def start_child(program: str) -> Child:
        children.append(Child("sleeper", [sys.executable, "-c", program], Output(heard)))
        return children[-1]

    yield start_child
    stop_all(children, seconds=0)


def look_until(children: list[Child], condition: Callable[[], object]) -> None:
    """Look after them, as a start does, until something holds."""
    watch = PostgresWatch(Output(io.StringIO()))

    def looked() -> object:
        look(children, watch)
        return condition()

    wait_until(looked)


def test_what_is_counted_is_kept_in_memory_apart_for_each_installation(tmp_path: Path) -> None:
    one, other = (place_for_metrics(Path(data), tmp_path) for data in ("/a/.nebo", "/b/.nebo"))

    assert (one.parent, other.parent) == (tmp_path, tmp_path)
    assert one != other
    assert place_for_metrics(Path("/a/.nebo"), tmp_path / "nowhere") == Path("/a/.nebo/metrics")


def test_what_a_child_says_waits_for_the_release(start: Start, heard: io.StringIO) -> None:
    child = start(SAYS_AND_STAYS)
    wait_until(lambda: child.tail)

    assert heard.getvalue() == ""

    child.output.release()
    child.output.write("later\n")

    assert heard.getvalue() == "hello\nlater\n"


def test_mere_news_from_before_the_release_is_left_out() -> None:
    heard = io.StringIO()
    output = Output(heard)
    output.write("2026-11-21T23:14:12Z [info     ] worker_started pid=1\n")
    output.write('{"event": "worker_started", "level": "info"}\n')
    output.write("2026-11-21T23:14:12Z [warning  ] something_odd\n")

    output.release()

    assert heard.getvalue() == "2026-11-21T23:14:12Z [warning  ] something_odd\n"


def test_children_end_when_asked(start: Start) -> None:
    children = [start(SAYS_AND_STAYS), start(SAYS_AND_STAYS)]
    wait_until(lambda: all(child.tail for child in children))

    stop_all(children)

    assert [child.process.returncode for child in children] == [-signal.SIGTERM, -signal.SIGTERM]


def test_a_deaf_child_is_killed_in_the_end(start: Start) -> None:
    child = start(STUBBORN)
    wait_until(lambda: child.tail)
    began = time.monotonic()

    stop_all([child], seconds=0.3)

    assert child.process.returncode == -signal.SIGKILL
    assert time.monotonic() - began < 5


def test_a_child_that_ends_is_started_again(start: Start) -> None:
    child = start(SAYS_AND_STAYS)
    wait_until(lambda: child.tail)
    first = child.process.pid

    child.process.kill()
    wait_until(child.has_ended)
    child.start_again()
    wait_until(lambda: child.tail)

    assert child.process.pid != first
    assert not child.has_ended()


def test_a_child_that_keeps_ending_is_started_after_growing_pauses_with_its_last_words(
    start: Start, heard: io.StringIO
) -> None:
    child = start(FALLS)
    child.output.release()

    look_until([child], lambda: "again in 2 s" in heard.getvalue())

    said = heard.getvalue()
    assert re.search(r"(?s)ended with status 7.*no more.*again now.*again in 1 s.*again in 2 s", said)


def test_a_child_that_is_killed_comes_back_at_once_however_often(start: Start, heard: io.StringIO) -> None:
    child = start(SAYS_AND_STAYS)
    child.output.release()

    for times in range(1, 6):
        child.process.kill()
        look_until([child], lambda times=times: heard.getvalue().count("again now") == times)
        look_until([child], lambda: not child.has_ended())

    assert "again in" not in heard.getvalue()


def test_a_child_that_waits_goes_on_when_told_and_by_itself_when_started_again(heard: io.StringIO) -> None:
    child = Child("waiter", [sys.executable, "-c", WAITS], Output(heard), waits=True)
    try:
        wait_until(lambda: "waiting\n" in child.tail)
        assert "on\n" not in child.tail

        child.let_go_on()
        wait_until(lambda: "on\n" in child.tail)

        child.process.kill()
        wait_until(child.has_ended)
        child.start_again()
        wait_until(lambda: "on\n" in child.tail)
    finally:
        stop_all([child], seconds=0)


def test_a_child_that_waits_ends_when_asked(heard: io.StringIO) -> None:
    child = Child("waiter", [sys.executable, "-c", WAITS], Output(heard), waits=True)
    wait_until(lambda: child.tail)

    stop_all([child])

    assert child.process.returncode == -signal.SIGTERM


def test_a_child_that_ended_before_the_word_is_found_to_have_ended(heard: io.StringIO) -> None:
    child = Child("waiter", [sys.executable, "-c", FALLS], Output(heard), waits=True)
    try:
        wait_until(child.has_ended)

        child.let_go_on()

        child.output.release()
        look_until([child], lambda: "ended with status 7" in heard.getvalue())
    finally:
        stop_all([child], seconds=0)


def test_children_end_with_a_parent_that_is_killed() -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    with parent.stdout:
        child_pid = int(parent.stdout.readline())
    assert is_alive(child_pid)

    parent.kill()
    parent.wait()

    wait_until(lambda: not is_alive(child_pid))

"""Counts that several processes share."""

from __future__ import annotations

import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from nebo.api.shared_counts import SLOTS, TRIES, SharedCounts

LATER = int(time.time()) + 3600


def in_child(work: object) -> int:
    """The process id of a fork that does the work and ends."""
    pid = os.fork()
    if pid == 0:
        try:
            work()  # type: ignore[operator]
        finally:
            os._exit(0)
    return pid


def test_a_count_goes_up_by_one_and_each_name_has_its_own() -> None:
    counts = SharedCounts()

    assert [counts.add("a", until=LATER) for _ in range(3)] == [1, 2, 3]
    assert counts.add("b", until=LATER) == 1
    assert counts.add("a", until=LATER + 60) == 1


def test_processes_and_threads_count_together_and_exactly() -> None:
    counts = SharedCounts()

    def work() -> None:
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda _: counts.add("calls", until=LATER), range(250)))

    for pid in [in_child(work) for _ in range(4)]:
        os.waitpid(pid, 0)

    assert counts.add("calls", until=LATER) == 1001


def test_a_thread_waits_until_another_of_its_process_has_counted() -> None:
    counts = SharedCounts()
    other = threading.Thread(target=lambda: counts.add("calls", until=LATER))

    with counts.threads:
        other.start()
        other.join(0.5)
        assert other.is_alive()
    other.join()

    assert counts.add("calls", until=LATER) == 2


def test_a_process_that_is_killed_while_it_counts_holds_nobody_up() -> None:
    counts = SharedCounts()

    def work() -> None:
        while True:
            counts.add("calls", until=LATER)

    for _ in range(20):
        pid = in_child(work)
        before = counts.add("calls", until=LATER)
        while counts.add("calls", until=LATER) < before + 50:
            pass
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)

    assert counts.add("another", until=LATER) == 1


def test_where_all_slots_of_a_name_are_taken_the_smallest_count_gives_way() -> None:
    counts = SharedCounts()
    for _ in range(5):
        counts.add("frequent", until=LATER)

    for number in range(SLOTS + TRIES):
        counts.add(f"name {number}", until=LATER)

    assert counts.add("frequent", until=LATER) == 6


def test_windows_that_have_ended_make_room() -> None:
    counts = SharedCounts()
    for number in range(SLOTS * 2):
        counts.add(f"name {number}", until=LATER - 7200)

    assert counts.add("one", until=LATER) == 1
    assert counts.add("one", until=LATER) == 2
    for times in (1, 2):  # none of these has taken the place of another, whose window goes on
        assert {counts.add(f"new {number}", until=LATER) for number in range(1_000)} == {times}

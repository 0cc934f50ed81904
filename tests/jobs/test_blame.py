"""Who took a worker away: its job, or somebody from outside."""

from __future__ import annotations

from uuid import uuid4

from nebo.jobs.worker.blame import WINDOW_S, Losses


class Clock:
    """A clock that is set by hand."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_process_that_dies_with_its_job_is_the_jobs_doing() -> None:
    losses = Losses(Clock())

    losses.note_process([uuid4()])

    assert not losses.come_from_outside()


def test_the_same_job_time_and_again_is_still_its_own_doing() -> None:
    losses, job = Losses(Clock()), uuid4()

    for _ in range(5):
        losses.note_process([job])

    assert not losses.come_from_outside()


def test_an_idle_process_can_only_be_killed_from_outside_which_is_remembered_for_a_while() -> None:
    clock = Clock()
    losses = Losses(clock)

    losses.note_process([])
    losses.note_process([uuid4()])
    assert losses.come_from_outside()

    clock.now += WINDOW_S
    assert not losses.come_from_outside()


def test_three_different_jobs_within_a_minute_do_not_all_go_wrong_by_themselves() -> None:
    clock = Clock()
    losses = Losses(clock)

    losses.note_process([uuid4()])
    losses.note_process([uuid4()])
    assert not losses.come_from_outside()
    losses.note_process([uuid4()])
    assert losses.come_from_outside()


def test_three_different_jobs_within_an_hour_may() -> None:
    clock = Clock()
    losses = Losses(clock)

    for _ in range(3):
        losses.note_process([uuid4()])
        clock.now += 2 * WINDOW_S

    assert not losses.come_from_outside()


def test_nobody_could_renew_a_lease_while_the_database_was_away() -> None:
    losses = Losses(Clock())

    losses.note_outage()

    assert losses.come_from_outside()

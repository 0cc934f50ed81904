"""Finding what was lost: wakes that went down with a process, and jobs whose worker is gone."""

from __future__ import annotations

import subprocess
from datetime import timedelta

import pytest
from django_q.models import OrmQ

from nebo.jobs.claims import claim_job
from nebo.jobs.models import Heartbeat, Job
from nebo.jobs.worker.heartbeat import beat, beat_name
from nebo.jobs.worker.sweeper import (
    SweepCounts,
    count_crashes,
    find_silence_s,
    forget_beats,
    give_back_jobs,
    holds_jobs,
    interrupt_orphans,
    sweep,
)
from nebo.jobs.workers import cluster_name, host_name, worker_name
from nebo.postgres.clock import ClockTimestamp, database_now
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.jobs.facts import load, state_fact

pytestmark = pytest.mark.usefixtures("committed_db")


def overdue(team: Team, number: int, seconds: float = 4) -> Job:
    return state_fact(team, number, due_at=database_now(Job) - timedelta(seconds=seconds))


def running(team: Team, number: int = 1) -> Job:
    job = state_fact(team, number)
    assert claim_job(tenant_id=team.tenant.pk, job_id=job.pk)
    return job


def expire(team: Team, job: Job) -> None:
    with tenant_scope(team.tenant):
        Job.unscoped.filter(pk=job.pk).update(lease_until=ClockTimestamp() - timedelta(seconds=1))


def name(team: Team, job: Job, worker: str) -> None:
    with tenant_scope(team.tenant):
        Job.unscoped.filter(pk=job.pk).update(worker=worker)


def test_an_overdue_job_whose_wake_is_gone_gets_another(acme: Team, rival: Team) -> None:
    jobs = [overdue(acme, 1), overdue(rival, 2)]
    OrmQ.objects.all().delete()

    assert sweep() == SweepCounts(crashed=0, woken=2)

    wakes = set(OrmQ.objects.values_list("pk", flat=True))
    assert {load(team.tenant, job.pk).wake_id for team, job in zip((acme, rival), jobs, strict=True)} == wakes
    assert not sweep()


def test_a_job_whose_wake_still_waits_gets_no_second(acme: Team) -> None:
    overdue(acme, 1)

    assert sweep() == SweepCounts(crashed=0, woken=0)


def test_a_job_that_has_only_just_come_due_is_left_to_the_cluster_that_pulled_it(acme: Team) -> None:
    overdue(acme, 1, seconds=1)
    OrmQ.objects.all().delete()

    assert not sweep()
    assert sweep(overdue=timedelta(0)) == SweepCounts(crashed=0, woken=1)


def test_a_lease_that_ran_out_counts_a_crash_and_the_job_is_due_again(acme: Team) -> None:
    job = running(acme)
    expire(acme, job)
    beat()

    assert sweep() == SweepCounts(crashed=1, woken=0)

    seen = load(acme.tenant, job.pk)
    assert (seen.state, seen.crashes, seen.attempts) == (Job.State.QUEUED, 1, 1)
    assert OrmQ.objects.filter(pk=seen.wake_id).exists()


def test_a_job_that_went_down_with_its_whole_cluster_has_done_nothing(acme: Team) -> None:
    job = running(acme)
    expire(acme, job)

    assert sweep() == SweepCounts(crashed=0, woken=0, interrupted=1)

    seen = load(acme.tenant, job.pk)
    assert (seen.state, seen.crashes, seen.attempts) == (Job.State.QUEUED, 0, 0)


def test_leases_that_nobody_could_renew_are_no_crashes(acme: Team) -> None:
    job = running(acme)
    expire(acme, job)
    beat()

    assert sweep(from_outside=True) == SweepCounts(crashed=0, woken=0, interrupted=1)

    assert load(acme.tenant, job.pk).crashes == 0


def test_jobs_of_this_machine_whose_process_is_gone_need_not_wait_for_their_leases(acme: Team) -> None:
    mine, gone, elsewhere = (running(acme, number) for number in (1, 2, 3))
    ended = subprocess.Popen(["/bin/true"])
    ended.wait()
    name(acme, gone, f"{host_name()}/cluster/{ended.pid}")
    name(acme, elsewhere, f"another-host/cluster/{ended.pid}")

    assert interrupt_orphans() == 1

    states = [load(acme.tenant, job.pk).state for job in (mine, gone, elsewhere)]
    assert states == [Job.State.RUNNING, Job.State.QUEUED, Job.State.RUNNING]


def test_a_lease_that_stands_is_left_alone(acme: Team) -> None:
    running(acme)

    assert not sweep()


def test_a_dead_workers_jobs_need_not_wait_for_their_leases(acme: Team) -> None:
    job = running(acme)

    assert count_crashes(workers="another/host/1") == 0
    assert count_crashes(workers=worker_name()) == 1

    assert load(acme.tenant, job.pk).state == Job.State.QUEUED


def test_jobs_of_a_stopped_cluster_are_given_back_uncounted(acme: Team, rival: Team) -> None:
    jobs = [running(acme), running(rival)]
    workers = f"{cluster_name()}/"
    assert holds_jobs(workers=workers)

    assert give_back_jobs(workers=workers) == 2

    assert not holds_jobs(workers=workers)
    assert load(acme.tenant, jobs[0].pk).attempts == 0


def test_silence_is_measured_since_the_last_beat(acme: Team) -> None:
    assert find_silence_s(beat=beat_name()) is None

    beat()
    beat()

    silence = find_silence_s(beat=beat_name())
    assert silence is not None
    assert 0 <= silence < 10


def test_signs_of_life_of_clusters_long_gone_are_dropped() -> None:
    for name in ("worker:old", "round:monthly"):
        Heartbeat.objects.create(name=name, beat_at=database_now(Job) - timedelta(days=2))
    beat()

    forget_beats(beat="worker:another")
    assert set(Heartbeat.objects.values_list("name", flat=True)) == {beat_name(), "round:monthly"}

    forget_beats(beat=beat_name())
    assert not Heartbeat.objects.filter(name=beat_name()).exists()

"""Sessions that nobody goes on with."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from nebo.jobs.models import Job
from nebo.jobs.worker.running import run_job
from nebo.tenants.scoping import operator_scope, tenant_scope
from sessions.lifecycle.idle import close_idle_sessions
from sessions.models import Session, SessionSummary
from tests.conftest import Team
from tests.sessions.conftest import caller


def talked(team: Team, key: str, *, minutes_ago: int) -> str:
    call = caller(team)
    session_id = str(call("POST", "sessions/", {"user": "alice", "key": key}).json()["id"])
    call(
        "POST",
        f"sessions/{session_id}/turns/",
        {"messages": [{"role": "user", "content": "We fly on Monday."}]},
    )
    with tenant_scope(team.tenant):
        moment = timezone.now() - timedelta(minutes=minutes_ago)
        Session.objects.for_tenant(team.tenant).filter(pk=session_id).update(last_activity_at=moment)
    return session_id


def sweep() -> int:
    with operator_scope():
        return close_idle_sessions()


def test_half_an_hour_of_silence_closes_a_session_with_a_summary(
    committed_db: None, acme: Team, rival: Team
) -> None:
    quiet = talked(acme, "quiet", minutes_ago=31)
    talked(acme, "lively", minutes_ago=29)
    talked(rival, "quiet", minutes_ago=40)

    assert sweep() == 2
    with tenant_scope(acme.tenant):
        job = Job.objects.for_tenant(acme.tenant).get(kind="close")
    run_job(str(acme.tenant.pk), str(job.pk))

    with tenant_scope(acme.tenant):
        ended = Session.objects.for_tenant(acme.tenant).exclude(ended_at=None)
        assert [str(session.pk) for session in ended] == [quiet]
        assert SessionSummary.objects.for_tenant(acme.tenant).filter(session_id=quiet).exists()


def test_a_session_waits_for_one_closing_however_often_the_round_comes(
    committed_db: None, acme: Team
) -> None:
    talked(acme, "quiet", minutes_ago=31)

    sweep()
    sweep()

    with tenant_scope(acme.tenant):
        assert Job.objects.for_tenant(acme.tenant).filter(kind="close").count() == 1


def test_a_closing_that_was_given_up_is_not_begun_again_by_itself(committed_db: None, acme: Team) -> None:
    talked(acme, "quiet", minutes_ago=31)
    sweep()
    with tenant_scope(acme.tenant):
        Job.objects.for_tenant(acme.tenant).filter(kind="close").update(state="dead")

    assert sweep() == 0

"""Operators look at jobs and bring them back; nothing is changed by hand."""

from __future__ import annotations

import pytest
from django.test import Client

from nebo.jobs.models import Job
from nebo.tenants.models import User
from nebo.tenants.scoping import operator_scope, tenant_scope
from tests.conftest import Team
from tests.jobs.facts import load, state_fact

pytestmark = pytest.mark.usefixtures("committed_db")
LIST = "/admin/jobs/job/"


@pytest.fixture
def operator(client: Client) -> Client:
    with operator_scope():
        user = User.objects.create_superuser("operator@example.com", "correct horse battery")
    client.force_login(user)
    return client


def test_jobs_of_every_tenant_are_listed_and_none_can_be_changed(
    operator: Client, acme: Team, rival: Team
) -> None:
    jobs = [state_fact(acme, 1), state_fact(rival, 2)]

    page = operator.get(LIST)
    form = operator.get(f"{LIST}{jobs[0].pk}/change/")

    assert page.status_code == 200
    assert all(str(job.pk) in page.content.decode() for job in jobs)
    assert 'name="_save"' not in form.content.decode()
    assert operator.get(f"{LIST}add/").status_code == 403
    assert operator.get(f"{LIST}{jobs[0].pk}/delete/").status_code == 403


def test_a_parked_job_is_brought_back_by_the_action(operator: Client, acme: Team) -> None:
    job = state_fact(acme, 1)
    with tenant_scope(acme.tenant):
        Job.unscoped.filter(pk=job.pk).update(state=Job.State.DEAD, attempts=5)

    operator.post(LIST, {"action": "retry", "_selected_action": [str(job.pk)]})

    assert (load(acme.tenant, job.pk).state, load(acme.tenant, job.pk).attempts) == (Job.State.QUEUED, 0)


def test_the_queues_own_pages_are_not_there(operator: Client) -> None:
    for page in ("schedule", "ormq", "failure", "success"):
        assert operator.get(f"/admin/django_q/{page}/").status_code == 404

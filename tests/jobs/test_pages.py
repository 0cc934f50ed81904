"""The pages of jobs: what runs and what was given up, without a word of what was said."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from nebo.jobs.models import Job
from nebo.jobs.services import enqueue
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from sessions.models import Session
from tests.conftest import Team
from tests.visitors import count_queries, join, refetch, text_of, visitor

pytestmark = pytest.mark.django_db
LIST = "/t/acme/jobs/"
LIST_QUERIES = 13  # with those of login and transaction


@pytest.fixture
def client(acme: Team) -> Client:
    return visitor(acme.owner)


def work(team: Team, person: UserProfile | None = None, *, talk: str = "", **fields: Any) -> Job:
    """A job about a person, in the state that `fields` say."""
    about = person or team.person
    with tenant_scope(team.tenant):
        session = Session.objects.for_tenant(team.tenant).create(person=about, key=talk) if talk else None
        job = enqueue(
            tenant=team.tenant,
            kind="echo",
            payload={},
            person_id=about.pk,
            session_id=session.pk if session else None,
        )
        Job.objects.for_tenant(team.tenant).filter(pk=job.pk).update(**fields)
        return Job.objects.for_tenant(team.tenant).get(pk=job.pk)


def state_of(job: Job) -> str:
    with tenant_scope(job.tenant_id):
        return Job.objects.for_tenant(job.tenant_id).get(pk=job.pk).state


def test_each_state_has_its_list(acme: Team, client: Client) -> None:
    for state in Job.State.values:
        work(acme, state=state)

    shown = {
        state: [job.state for job in client.get(LIST, {"state": state}).context["page"]]
        for state in Job.State.values
    }

    assert shown == {state: [state] for state in Job.State.values}
    assert len(client.get(LIST, {"state": "nonsense"}).context["page"]) == 5


def test_the_list_fetches_itself_again_and_gets_the_rows_alone(acme: Team, client: Client) -> None:
    work(acme)

    assert f'hx-get="{LIST}?state=queued"' in client.get(f"{LIST}?state=queued").content.decode()
    assert "<html" not in client.get(LIST, **refetch()).content.decode()


def test_the_list_costs_the_same_however_long_it_is(acme: Team, client: Client) -> None:
    work(acme, talk="first")
    few = count_queries(client, LIST)

    for number in range(8):
        work(acme, talk=f"chat-{number}")

    assert count_queries(client, LIST) == few <= LIST_QUERIES


def test_a_job_asks_again_until_it_has_ended(acme: Team, client: Client) -> None:
    queued, done = work(acme), work(acme, state="succeeded", finished_at=timezone.now())

    parts = [client.get(f"{LIST}{job.pk}/?view=part", **refetch()).content.decode() for job in (queued, done)]

    assert ["every 2s" in part for part in parts] == [True, False]
    assert not any("<html" in part for part in parts)


def test_a_job_given_up_says_why_and_what_to_do(acme: Team, client: Client) -> None:
    error = "openai/gpt-5-mini: the key was not accepted (401, invalid_api_key)"
    job = work(acme, state="dead", attempts=5, error=error)

    page = text_of(client.get(f"{LIST}{job.pk}/"))

    assert "The model provider refused the key." in page
    assert error in page
    assert "Try 5 of 5" in page
    assert "1 given up" in text_of(client.get("/t/acme/")), "it is counted beside the word Jobs"


def test_retrying_brings_it_back_and_leads_where_one_was(acme: Team, client: Client) -> None:
    job = work(acme, state="dead", attempts=5)

    from_list = client.post(
        f"{LIST}{job.pk}/retry/", headers={"Referer": f"http://testserver{LIST}?state=dead"}
    )

    assert state_of(job) == "queued"
    assert from_list["Location"] == f"http://testserver{LIST}?state=dead"
    assert "Queued again." in text_of(client.get(LIST))


def test_a_job_that_is_done_cannot_be_retried(acme: Team, client: Client) -> None:
    job = work(acme, state="succeeded")

    page = client.post(f"{LIST}{job.pk}/retry/", follow=True)

    assert state_of(job) == "succeeded"
    assert "A succeeded job can't be retried." in text_of(page)


def test_a_member_sees_the_jobs_about_its_own_people_alone(acme: Team) -> None:
    member = join(acme, "bob@acme.example", person="bob")
    with tenant_scope(acme.tenant):
        bob = UserProfile.objects.for_tenant(acme.tenant).get(external_id="bob")
    own, others = work(acme, bob), work(acme)

    client = visitor(member)

    assert [job.pk for job in client.get(LIST).context["page"]] == [own.pk]
    assert client.post(f"{LIST}{others.pk}/retry/").status_code == 404


def test_an_owner_sees_anothers_job_but_not_which_conversation_it_is_about(
    acme: Team, client: Client
) -> None:
    join(acme, "bob@acme.example", person="bob")
    with tenant_scope(acme.tenant):
        bob = UserProfile.objects.for_tenant(acme.tenant).get(external_id="bob")
    job = work(acme, bob, talk="about-my-illness")

    for page in (LIST, f"{LIST}{job.pk}/"):
        html = client.get(page).content.decode()
        assert "about-my-illness" not in html
        assert str(job.session_id) not in html
        assert "bob" in html


def test_a_job_about_everyone_says_so(acme: Team, client: Client) -> None:
    work(acme, acme.shared)

    assert "For everyone" in text_of(client.get(LIST))


def test_ones_own_job_leads_to_its_conversation(acme: Team, client: Client) -> None:
    job = work(acme, talk="chat-1")

    assert f"/t/acme/sessions/{job.session_id}/" in client.get(f"{LIST}{job.pk}/").content.decode()

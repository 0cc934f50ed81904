"""A file brought in by a job: asked for by API and on a page, followed, stopped, resumed, and each piece once."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from memories.models import AuditEntry, Memory
from nebo.jobs.lanes import Lane
from nebo.jobs.models import Job
from nebo.product.governance.importing import requests, running
from nebo.product.governance.models import Import, ImportBatch, ImportPart
from nebo.product.governance.retention import apply_retention
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import Speaks, get_or_create_person, issue_key
from sessions.models import Message
from tests.conftest import Team
from tests.governance.test_import_conversations import chatgpt
from tests.jobs.inline import run_jobs
from tests.memories.conftest import caller
from tests.visitors import join, refetch, text_of, visitor

TALKS = json.dumps([chatgpt(f"talk-{number}") for number in range(5)]).encode()
PAGE = "/t/acme/data/import/"
KIND = "import-person"


def agent(team: Team, **key: Any) -> Any:
    """Sends files as an agent with that key does."""
    return caller(team, **{"scopes": ("read", "write", "admin"), **key})


def send(team: Team, data: bytes, query: str, *, user: str = "ana", form: bool = False, **key: Any) -> Any:
    secret = agent_key(team, **key)
    client = Client(raise_request_exception=False, headers={"Authorization": f"Bearer {secret}"})
    path = f"/api/v1/users/{user}/import/?{query}"
    if form:
        return client.post(path, {"file": SimpleUploadedFile("talks.json", data)})
    return client.generic("POST", path, data, content_type="application/octet-stream")


def agent_key(team: Team, **key: Any) -> str:
    with tenant_scope(team.tenant):
        person = key.pop("person", None)
        bound = get_or_create_person(tenant=team.tenant, external_id=person) if person else None
        chosen = {"scopes": ("read", "write", "admin"), **key}
        return issue_key(tenant=team.tenant, name="mover", person=bound, **chosen).secret


def texts(team: Team) -> list[str]:
    with tenant_scope(team.tenant):
        return list(Message.objects.for_tenant(team.tenant).values_list("content", flat=True))


def one_import(team: Team) -> Import:
    with tenant_scope(team.tenant):
        return Import.objects.for_tenant(team.tenant).get()


def left_of(team: Team) -> tuple[int, int]:
    with tenant_scope(team.tenant):
        parts = ImportPart.objects.for_tenant(team.tenant).count()
        return parts, ImportBatch.objects.for_tenant(team.tenant).count()


# --- By API -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [False, True])
def test_a_file_is_kept_read_and_stored_by_a_job(committed_db: None, acme: Team, form: bool) -> None:
    asked = send(acme, TALKS, "source=chatgpt", form=form)

    assert asked.status_code == 202, asked.content
    assert asked.json()["incoming"]["state"] == "waiting"
    (job,) = run_jobs(acme.tenant, kind=KIND)
    assert (job.state, job.lane) == (Job.State.SUCCEEDED, Lane.SUMMARY)
    call = agent(acme)
    found = call("GET", f"users/ana/imports/{asked.json()['incoming']['id']}/").json()
    assert (found["state"], found["done"], found["total"]) == ("done", 10, 10)
    assert found["counts"] == {
        "sessions": 5, "messages": 10, "memories": 0, "in_review": 0, "known": 0, "left_out": 0, "rows": {}
    }  # fmt: skip
    assert call("GET", "users/ana/imports/").json()["results"] == [found]
    assert len(texts(acme)) == 10
    assert left_of(acme) == (0, 0)


def test_the_same_file_twice_doubles_nothing(committed_db: None, acme: Team) -> None:
    for _ in range(2):
        assert send(acme, TALKS, "source=chatgpt").status_code == 202
        run_jobs(acme.tenant, kind=KIND)

    assert len(texts(acme)) == 10


def test_a_dry_run_counts_and_stores_nothing(committed_db: None, acme: Team) -> None:
    send(acme, TALKS, "source=chatgpt&dry_run=true")

    run_jobs(acme.tenant, kind=KIND)

    found = one_import(acme)
    assert (found.state, found.counts) == ("done", {"sessions": 5, "messages": 10})
    assert texts(acme) == []
    assert left_of(acme) == (0, 0)


def test_a_broken_file_is_refused_by_its_place_and_nothing_is_stored(committed_db: None, acme: Team) -> None:
    broken = json.dumps([chatgpt(), {"id": "x"}]).encode()

    send(acme, broken, "source=chatgpt")
    (job,) = run_jobs(acme.tenant, kind=KIND)

    found = one_import(acme)
    assert job.state == Job.State.SUCCEEDED
    assert (found.state, found.fault) == (
        "failed",
        {"field": "#/1/mapping", "detail": "Expected an object here."},
    )
    assert texts(acme) == []
    assert left_of(acme) == (0, 0)


def test_it_goes_on_where_it_was_interrupted(
    committed_db: None, acme: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(acme, TALKS, "source=chatgpt")
    store, batches = running.store_batch, []

    def fail_at_the_third(**given: Any) -> Any:
        batches.append(given)
        if len(batches) == 3:
            raise ConnectionError
        return store(**given)

    monkeypatch.setattr(running, "store_batch", fail_at_the_third)
    run_jobs(acme.tenant, kind=KIND)
    assert len(texts(acme)) == one_import(acme).done == 4

    run_jobs(acme.tenant, kind=KIND)

    assert len(texts(acme)) == one_import(acme).done == 10
    assert one_import(acme).counts == {"sessions": 5, "messages": 10}


def test_a_stopped_import_keeps_what_came_in_and_takes_no_more(
    committed_db: None, acme: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = send(acme, TALKS, "source=chatgpt").json()["incoming"]
    store, batches = running.store_batch, []

    def stop_at_the_third(**given: Any) -> Any:
        batches.append(given)
        if len(batches) == 3:
            raise ConnectionError
        return store(**given)

    monkeypatch.setattr(running, "store_batch", stop_at_the_third)
    run_jobs(acme.tenant, kind=KIND)
    call = agent(acme)

    stopped = call("DELETE", f"users/ana/imports/{asked['id']}/")
    again = call("DELETE", f"users/ana/imports/{asked['id']}/")
    run_jobs(acme.tenant, kind=KIND)

    assert (stopped.status_code, stopped.json()["state"]) == (200, "cancelled")
    assert again.status_code == 409
    assert len(texts(acme)) == 4
    assert left_of(acme) == (0, 0)


def test_what_is_sent_is_bounded(committed_db: None, acme: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "MAX_UPLOAD_BYTES", 1_000)
    assert send(acme, b"x" * 1_001, "source=markdown").status_code == 413
    assert send(acme, b"", "source=markdown").status_code == 400
    assert send(acme, b"- tea", "source=paper").status_code == 400
    assert send(acme, b"- tea", "").status_code == 400

    answers = [send(acme, b"- tea", "source=markdown").status_code for _ in range(4)]

    assert answers == [202, 202, 202, 409]


def test_a_key_of_a_persona_or_without_the_person_cannot_import(committed_db: None, acme: Team) -> None:
    assert send(acme, TALKS, "source=chatgpt", scopes=("read", "write")).status_code == 403
    assert send(acme, TALKS, "source=chatgpt", user="bob", person="ana").status_code == 404
    assert send(acme, TALKS, "source=chatgpt", person="ana", scopes=("write",)).status_code == 202


def test_what_a_key_of_the_web_brings_is_the_webs(committed_db: None, acme: Team) -> None:
    send(acme, TALKS, "source=chatgpt", speaks=Speaks(trust="web"))
    send(acme, b"- Likes tea", "source=markdown", speaks=Speaks(trust="web"))

    run_jobs(acme.tenant, kind=KIND)

    with tenant_scope(acme.tenant):
        assert set(Message.objects.for_tenant(acme.tenant).values_list("trust", flat=True)) == {"web"}
        assert Memory.objects.for_tenant(acme.tenant).get(value="Likes tea").trust == "web"


def test_the_log_says_that_a_file_came_in(committed_db: None, acme: Team) -> None:
    send(acme, TALKS, "source=chatgpt")
    run_jobs(acme.tenant, kind=KIND)

    with tenant_scope(acme.tenant):
        entries = AuditEntry.objects.for_tenant(acme.tenant).filter(object_type="import").order_by("id")
        assert [entry.action for entry in entries] == ["person.import_requested", "person.imported"]
        assert entries[1].detail["records"] == {"sessions": 5, "messages": 10}


def test_what_was_left_lying_goes_with_its_file(committed_db: None, acme: Team) -> None:
    send(acme, TALKS, "source=chatgpt")
    with tenant_scope(acme.tenant):
        Import.objects.for_tenant(acme.tenant).update(requested_at="2020-01-01T00:00:00Z")

    outcome = apply_retention(tenant=Tenant.objects.get(pk=acme.tenant.pk), actor=Actor("operator", "test"))

    assert outcome.counts["imports removed"] == 1
    assert left_of(acme) == (0, 0)


# --- On the page --------------------------------------------------------------------------------------------


def upload(client: Client, data: bytes, source: str = "chatgpt", **more: str) -> Any:
    file = io.BytesIO(data)
    file.name = "talks.json"
    return client.post(PAGE, {"source": source, "file": file, **more})


def test_a_file_is_brought_in_on_the_page_and_followed(committed_db: None, acme: Team) -> None:
    mine = visitor(acme.owner)

    assert upload(mine, TALKS).status_code == 302
    part = mine.get(PAGE, **refetch("imports"))
    assert "every 2s" in part.content.decode()
    run_jobs(acme.tenant, kind=KIND)

    part = mine.get(PAGE, **refetch("imports"))
    assert "every 2s" not in part.content.decode()
    assert "10 messages" in text_of(part)
    assert "Bring data along" in text_of(mine.get("/t/acme/data/"))
    assert len(texts(acme)) == 10


def test_what_stands_in_a_file_can_be_pasted(committed_db: None, acme: Team) -> None:
    mine = visitor(acme.owner)
    notes = "- Lives in Ghent\r\n- Keeps two parrots\r\n"

    for _ in range(2):
        assert mine.post(PAGE, {"source": "markdown", "pasted": notes, "bring": "1"}).status_code == 302
        run_jobs(acme.tenant, kind=KIND)

    with tenant_scope(acme.tenant):
        values = Memory.objects.for_tenant(acme.tenant).values_list("value", flat=True)
        assert sorted(values) == ["Keeps two parrots", "Lives in Ghent"]
    both = {"source": "markdown", "pasted": notes}
    assert "not both" in text_of(upload(mine, b"- Rows", **both))
    assert "Choose a file." in text_of(mine.post(PAGE, {"source": "markdown", "pasted": " "}))


def test_the_page_says_what_is_wrong(committed_db: None, acme: Team) -> None:
    mine = visitor(acme.owner)

    assert "Choose a file" in text_of(mine.post(PAGE, {"source": "chatgpt"}))
    assert upload(mine, b"").status_code == 422
    upload(mine, b"{}", look="1")
    run_jobs(acme.tenant, kind=KIND)

    assert "Expected a list here. ( # )" in text_of(mine.get(PAGE))


def test_pages_are_for_oneself_alone(db: None, acme: Team, rival: Team) -> None:
    mine = visitor(acme.owner)
    upload(mine, TALKS)
    stop = f"/t/acme/data/imports/{one_import(acme).pk}/stop/"
    member = visitor(join(acme, "bob@acme.example", person="bob"))
    stranger = visitor(rival.owner)

    assert member.post(stop).status_code == 404
    assert stranger.post(stop).status_code == 404
    assert stranger.get(PAGE).status_code == 404
    assert stranger.post(PAGE).status_code == 404
    assert "talks.json" not in text_of(member.get(PAGE))
    assert one_import(acme).state == "waiting"
    assert mine.post(stop).status_code == 302
    assert one_import(acme).state == "cancelled"


def test_who_is_erased_takes_the_file_along(committed_db: None, acme: Team) -> None:
    send(acme, TALKS, "source=chatgpt")
    call = agent(acme)

    call("DELETE", "users/ana/")
    run_jobs(acme.tenant, kind="erase-person")
    run_jobs(acme.tenant, kind=KIND)

    assert left_of(acme) == (0, 0)
    assert texts(acme) == []
    with tenant_scope(acme.tenant):
        assert not UserProfile.objects.for_tenant(acme.tenant).filter(external_id="ana").exists()

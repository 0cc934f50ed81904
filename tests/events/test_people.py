"""What is told of people goes with them, and along with them."""

from __future__ import annotations

from tests.conftest import Team
from tests.events.conftest import events_of, listen, load, types_of
from tests.jobs.inline import run_jobs
from tests.memories.conftest import caller

URL = "http://127.0.0.1:9/hook"


def test_an_erased_person_takes_along_what_was_to_be_told_of_them(committed_db: None, acme: Team) -> None:
    call = caller(acme, scopes=("admin",))
    endpoint, _ = listen(acme, URL)
    call("POST", "users/maya/memories/", {"value": "Owns a green bicycle"})
    assert types_of(acme) == ["memory.created"]

    call("DELETE", "users/maya/")
    run_jobs(acme.tenant, kind="erase-person")

    receipt = call("DELETE", "users/maya/").json()["receipt"]
    assert events_of(acme) == [("person.erased", {"erasure": receipt["erasure_id"]})]
    assert receipt["counts"]["events_event"] == 1
    assert load(acme, endpoint.pk).state == "active"


def test_an_export_has_what_was_told_of_a_person(committed_db: None, acme: Team) -> None:
    call = caller(acme, scopes=("admin",))
    listen(acme, URL)
    call("POST", "users/maya/memories/", {"value": "Owns a green bicycle"})

    made = call("POST", "users/maya/export/").json()["export"]
    run_jobs(acme.tenant, kind="export-person")

    (export,) = call("GET", "users/maya/exports/").json()["results"]
    assert export["id"] == made["id"]
    assert (export["records"]["events"], export["records"]["deliveries"]) == (1, 1)

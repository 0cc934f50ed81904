"""The pages of a persona's files: written and brought back by owners, unknown to everybody else."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from nebo.tenants.scoping import tenant_scope
from personality.personas.files import FILE_MAX_CHARS
from personality.personas.selectors import get_file, get_persona
from tests.conftest import Team
from tests.memories.conftest import caller
from tests.visitors import join, text_of, visitor

pytestmark = pytest.mark.django_db
PAGE = "/t/acme/personality/personas/coach/files/SOUL/"


@pytest.fixture
def owner(db: None, acme: Team) -> Client:
    admin = caller(acme, scopes=("read", "write", "admin"))
    admin("POST", "personas/", {"slug": "coach", "name": "Coach", "file_sync": "import_export"})
    return visitor(acme.owner)


def content_of(team: Team, name: str = "SOUL.md") -> str:
    with tenant_scope(team.tenant):
        persona = get_persona(tenant=team.tenant, slug="coach")
        return get_file(tenant=team.tenant, persona=persona, name=name).content


def version_of(team: Team) -> str:
    with tenant_scope(team.tenant):
        persona = get_persona(tenant=team.tenant, slug="coach")
        return get_file(tenant=team.tenant, persona=persona, name="SOUL.md").digest


def write(client: Client, team: Team, **fields: Any) -> Any:
    return client.post(PAGE, {"version": version_of(team), "content": "", **fields}, follow=True)


def test_what_is_typed_or_uploaded_stands_in_the_file(owner: Client, acme: Team) -> None:
    typed = write(owner, acme, content="# Soul\r\nBe kind.")
    first = content_of(acme)
    write(owner, acme, content="ignored", upload=SimpleUploadedFile("s.md", "Sé amable.".encode()))

    assert "Saved." in text_of(typed)
    assert first == "# Soul\nBe kind."
    assert content_of(acme) == "Sé amable."


def test_an_earlier_version_is_brought_back(owner: Client, acme: Team) -> None:
    write(owner, acme, content="Be kind.")
    write(owner, acme, content="Be stern.")

    page = owner.post(PAGE, {"to": "2"}, follow=True)

    assert "Back to version 2" in text_of(page)
    assert content_of(acme) == "Be kind."
    assert owner.post(PAGE, {"to": "1"}).status_code == 404
    assert owner.post(PAGE, {"to": "x"}).status_code == 404


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"content": "a" * (FILE_MAX_CHARS + 1)}, "at most 20000"),
        ({"upload": SimpleUploadedFile("s.md", b"\xff\xfe\x00")}, "not UTF-8 text"),
        ({"upload": SimpleUploadedFile("s.md", b"a" * (4 * FILE_MAX_CHARS + 1))}, "At most 20,000"),
        ({"upload": SimpleUploadedFile("s.md", b"a" * (FILE_MAX_CHARS + 1))}, "at most 20000"),
        ({"content": "The password is hunter2secret!"}, "Contains a"),
        ({"content": "x", "version": "stale"}, "changed in the meantime"),
    ],
)
def test_what_cannot_be_kept_is_said_and_changes_nothing(
    owner: Client, acme: Team, fields: dict[str, Any], said: str
) -> None:
    before = content_of(acme)

    refused = write(owner, acme, **fields)

    assert refused.status_code == 422
    assert said in text_of(refused)
    assert content_of(acme) == before


@pytest.mark.parametrize(
    ("mode", "said"), [("export_only", "can be read only"), ("disabled", "switched off")]
)
def test_a_persona_whose_files_are_not_written_says_so(
    owner: Client, acme: Team, mode: str, said: str
) -> None:
    caller(acme, scopes=("admin",))("PATCH", "personas/coach/", {"file_sync": mode})

    page = owner.get(PAGE)

    assert said in text_of(page)
    assert "<textarea" not in page.content.decode()
    assert owner.post(PAGE, {"content": "x", "version": "y"}).status_code == 422


def test_an_unknown_file_and_somebody_elses_are_not_there(owner: Client, acme: Team, rival: Team) -> None:
    member = visitor(join(acme, "member@acme.example", person="mia"))

    assert owner.get(PAGE.replace("SOUL", "SECRETS")).status_code == 404
    assert owner.get(PAGE.replace("coach", "nobody")).status_code == 404
    for other in (member, visitor(rival.owner)):
        assert other.get(PAGE).status_code == 404
        assert other.post(PAGE, {"content": "mine"}).status_code == 404


def test_the_personas_page_leads_to_its_files_and_offers_the_presets(owner: Client) -> None:
    page = owner.get("/t/acme/personality/personas/coach/").content.decode()

    assert PAGE in page
    assert page.count('name="preset"') == 5

"""The page of an export: readable without Nebo, runs nothing, holds nothing that was forgotten; no import minds it."""

from __future__ import annotations

import hashlib
import json
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from zipfile import ZipFile

from memories.models import Memory, Todo
from nebo.product.governance.services.manifest import is_ours, sign
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from personality.models import Persona, PersonaOverlay
from sessions.models import Message
from tests.conftest import Team
from tests.governance.conftest import PERSON, SECRET
from tests.governance.test_export import download, make, open_zip, rows_of
from tests.governance.test_import_archive import bring, change, erase, export, tables_of
from tests.governance.test_import_tenant import bring as bring_team
from tests.governance.test_import_tenant import export as export_team
from tests.memories.conftest import Call

HOSTILE = "</bdi></style><script>alert(1)</script><img src=x onerror=alert(2)>\" ' \u202e"
RUNS_NOTHING = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "main",
        "section",
        "h1",
        "h2",
        "h3",
        "p",
        "div",
        "br",
    ),
    *("ul", "li", "dl", "dt", "dd", "span", "strong", "blockquote", "time", "bdi", "a"),
}


class Tags(HTMLParser):
    """Every element with its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def page_of(archive: ZipFile) -> str:
    return archive.read("index.html").decode()


def test_the_page_tells_what_is_known_and_what_was_said(admin: Call, maya: UserProfile, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        persona = Persona.objects.for_tenant(acme.tenant).create(slug="coach", name="Coach")
        PersonaOverlay.objects.for_tenant(acme.tenant).create(
            person=maya, persona=persona, fields={"emoji_usage": "none at all"}
        )
    archive = open_zip(download(admin, make(admin, acme)))
    page = unescape(page_of(archive))

    assert f"Has her {SECRET} again" in page
    assert f"Look for the {SECRET}" in page
    assert rows_of(archive, "messages")[0]["content"] in page
    assert rows_of(archive, "observations")[0]["value"] in page
    assert "Lasting" in page
    assert "<strong>Person</strong>" in page
    assert "none at all" in page
    links = {attrs["href"] for tag, attrs in Tags(page_of(archive)).found if tag == "a"}
    assert links == {name for name in archive.namelist() if name.endswith(".jsonl")} | {"profile.json"}


def test_hostile_words_run_nothing(admin: Call, maya: UserProfile, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        maya.display_name = HOSTILE
        maya.save()
        memory = Memory.objects.for_tenant(acme.tenant).filter(person=maya, status="active").first()
        assert memory is not None
        memory.value = memory.entity_label = HOSTILE
        memory.save()
        Todo.objects.for_tenant(acme.tenant).create(person=maya, text=HOSTILE)
        message = Message.objects.for_tenant(acme.tenant).filter(person=maya).first()
        assert message is not None
        message.pk, message.seq, message.content, message.name = None, 1000, HOSTILE, HOSTILE
        message.pk = Message._meta.pk.get_default()
        message.save(force_insert=True)
        persona = Persona.objects.for_tenant(acme.tenant).create(slug="coach", name=HOSTILE)
        PersonaOverlay.objects.for_tenant(acme.tenant).create(
            person=maya, persona=persona, fields={HOSTILE: [HOSTILE]}
        )

    page = page_of(open_zip(download(admin, make(admin, acme))))
    found = Tags(page).found

    assert page.count("alert(1)") >= 9
    assert {tag for tag, _ in found} <= RUNS_NOTHING
    names = {name for _, attrs in found for name in attrs}
    assert names <= {"lang", "charset", "http-equiv", "content", "name", "class", "datetime", "href", "dir"}
    policy = [attrs["content"] for _, attrs in found if attrs.get("http-equiv") == "Content-Security-Policy"]
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'"]
    assert all(f'<bdi dir="auto">{before[-1:]}' for before in page.split(HOSTILE)[1:])


def test_nothing_forgotten_or_withheld_is_on_it(admin: Call, maya: UserProfile, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        memories = Memory.objects.for_tenant(acme.tenant).filter(person=maya, value__icontains="Lisbon")
        (memory,) = memories.filter(status="active")
    assert admin("DELETE", f"memories/{memory.pk}/").status_code in (200, 204)

    archive = open_zip(download(admin, make(admin, acme)))

    (shown,) = (row["shown"] for row in rows_of(archive, "messages") if row["shown"] is not None)
    assert "Lisbon" in json.dumps(rows_of(archive, "memories"))
    assert "Lisbon" not in shown
    assert "Lisbon" not in page_of(archive)
    assert shown in unescape(page_of(archive))


def test_the_manifest_vouches_for_it(admin: Call, maya: UserProfile, acme: Team) -> None:
    archive = open_zip(download(admin, make(admin, acme)))
    manifest = json.loads(archive.read("manifest.json"))

    assert manifest["page"]["sha256"] == hashlib.sha256(archive.read("index.html")).hexdigest()
    assert is_ours(manifest)
    assert not is_ours({**manifest, "page": {**manifest["page"], "sha256": "0" * 64}})
    older = {name: said for name, said in manifest.items() if name != "page"}
    assert not is_ours(older)
    assert is_ours({**older, "signature": sign(older)})


def test_an_import_minds_neither_the_page_nor_its_lack(maya: UserProfile, acme: Team, tmp_path: Path) -> None:
    whole = export(tmp_path, acme)
    before = tables_of(whole)
    edits = (
        lambda contents: contents.pop("index.html"),
        lambda contents: contents.update({"index.html": b"<p>anything"}),
        lambda contents: None,
    )
    for number, edit in enumerate(edits):
        file = change(whole, edit, recount=False)
        erase(acme)
        bring(file, acme, "--after-erasure")
        after = tables_of(export(tmp_path, acme, name=f"after{number}.zip"))
        assert after["memories"] == before["memories"]
        assert after["messages"] == before["messages"]


def test_each_person_of_a_team_has_one(maya: UserProfile, acme: Team, tmp_path: Path) -> None:
    file = export_team(tmp_path)
    with ZipFile(file) as archive:
        people = [one["folder"] for one in json.loads(archive.read("tenant.json"))["people"]]
        pages = [archive.read(f"{folder}index.html").decode() for folder in people]

    assert sum(SECRET in page for page in pages) == 1
    assert sum(PERSON in page for page in pages) == 1
    assert "came in" in bring_team(file, "copy", "--create")

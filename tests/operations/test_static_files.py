"""Static files as they are served: under names with a digest, compressed, and kept by browsers for good."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client, override_settings
from django.utils.functional import empty

from nebo.env import BASE_DIR
from nebo.product.operations import joined_files
from nebo.product.operations.preparing import collect_static
from tests.conftest import Team
from tests.dashboard.test_access import PAGES, address_of
from tests.dashboard.things import things_of

COLD = 100_000  # bytes of a page with all that it fetches, on a first visit
TOGETHER = {  # what all these pages have, and only some have more of
    ".aside-card": {"memories", "workspace"},
    ".result-head": {"memories", "memory-list"},
}
PARTS = ("dashboard:live", "dashboard:first_call", "governance:download", "everyone:look", "everyone:pause")
SHOWN = [name for name, (method, _) in PAGES.items() if method == "get" and name not in PARTS]
OUTSIDE = (
    "/accounts/login/", "/accounts/password/reset/", "/docs/api/", "/docs/api/memories/", "/docs/api/sessions/",
)  # fmt: skip
BACKEND = "nebo.product.operations.hashed_files.HashedFilesStorage"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Collected as `manage.py prepare` does, into a folder of the tests' own."""
    made = tmp_path_factory.mktemp("collected") / "static"
    with as_served(made):
        assert collect_static() is True
    return made


@pytest.fixture
def collected(folder: Path) -> Iterator[Path]:
    """A server that starts now reads what was collected."""
    with as_served(folder):
        yield folder


@contextmanager
def as_served(folder: Path) -> Iterator[None]:
    """The product's own storage, over this folder."""
    kept = {**settings.STORAGES, "staticfiles": {"BACKEND": BACKEND}}
    with override_settings(STATIC_ROOT=folder, STORAGES=kept):
        staticfiles_storage._wrapped = empty
        yield
    staticfiles_storage._wrapped = empty


def fetch(client: Client, name: str) -> tuple[Any, bytes]:
    """The answer, and the bytes that came over the wire."""
    answer = client.get(name, headers={"accept-encoding": "gzip"})
    body = b"".join(answer)
    answer.close()
    return answer, body


def fetched_by(page: bytes) -> set[str]:
    """The static files that a browser fetches with a page, each once."""
    return {found.partition("#")[0] for found in re.findall(r'(?:href|src)="(/static/[^"]+)"', page.decode())}


def test_every_file_of_a_page_is_kept_for_good_and_compressed(db: None, acme: Team, collected: Path) -> None:
    client = Client()
    client.force_login(acme.owner)
    page = client.get("/t/acme/").content

    answers = {name: fetch(client, name) for name in fetched_by(page)}

    kinds = sorted(re.sub(r"\.[0-9a-f]{12}\.", ".", name).removeprefix("/static/nebo/") for name in answers)
    assert kinds == ["css/nebo.css", "favicon.svg", "icons.svg", "js/nebo.js", "js/theme-boot.js"]
    for name, (answer, body) in answers.items():
        assert re.search(r"\.[0-9a-f]{12}\.", name), name
        assert answer.status_code == 200, name
        assert "immutable" in answer["Cache-Control"], name
        assert int(re.findall(r"max-age=(\d+)", answer["Cache-Control"])[0]) > 10**8
        assert answer.get("Content-Encoding") == "gzip" or len(body) < 1_000, name


def test_files_named_in_style_sheets_have_their_digest_too(collected: Path) -> None:
    (joined,) = (collected / "nebo/css").glob("nebo.????????????.css")

    assert re.search(r'url\("\.\./chevron\.[0-9a-f]{12}\.svg"\)', joined.read_text())


@pytest.mark.parametrize("name", SHOWN)
def test_a_first_visit_fetches_less_than_a_hundred_kilobytes(
    db: None, acme: Team, collected: Path, name: str
) -> None:
    client = Client()
    client.force_login(acme.owner)
    page = client.get(address_of(name, "acme", things_of(acme)), follow=True)
    led_to = page.request

    weigh(client, f"{led_to['PATH_INFO']}?{led_to['QUERY_STRING']}", page.content, files=6)


@pytest.mark.parametrize("address", OUTSIDE)
def test_a_first_visit_outside_of_teams_does_so_too(collected: Path, db: None, address: str) -> None:
    client = Client()

    weigh(client, address, client.get(address).content, files=8)  # the login's have two for passkeys


def weigh(client: Client, address: str, page: bytes, *, files: int) -> None:
    """A page with all that a browser fetches with it."""
    sent, body = fetch(client, address)
    sizes = {name: len(fetch(client, name)[1]) for name in fetched_by(page)}

    assert sent.status_code == 200
    assert sent["Content-Encoding"] == "gzip"
    assert sum(sizes.values()) + len(body) <= COLD, (len(body), sizes)
    assert len(sizes) <= files


def test_on_the_next_page_a_browser_has_all_that_the_pages_share(
    db: None, acme: Team, collected: Path
) -> None:
    client = Client()
    client.force_login(acme.owner)
    first = fetched_by(client.get("/t/acme/keys/").content)

    assert fetched_by(client.get("/t/acme/members/").content) - first == set()
    assert fetched_by(client.get("/t/acme/jobs/").content) - first == set()


def test_the_joined_files_hold_their_parts_and_follow_them(settings: Any, tmp_path: Path) -> None:
    settings.JOINED_FILES_DIR = tmp_path / "joined"
    styles, scripts = finders.find(joined_files.STYLES), finders.find(joined_files.SCRIPTS)

    assert finders.find("nebo/css/tokens.css") == str(BASE_DIR / "static/nebo/css/tokens.css")
    assert Path(styles).read_text().startswith((BASE_DIR / "static/nebo/css/tokens.css").read_text())
    assert Path(scripts).read_text().count('\n"use strict";\n') == len(joined_files.SCRIPTED)
    made = Path(styles).stat().st_mtime_ns
    assert finders.find(joined_files.STYLES) == styles
    assert Path(styles).stat().st_mtime_ns == made
    Path(styles).write_text("old")
    finders.find(joined_files.STYLES)
    assert Path(styles).read_text().startswith("/* Every colour")


def test_no_two_pages_style_one_class(settings: Any) -> None:
    """Their rules stand in one sheet, so the one would change the other's look."""
    owners: dict[str, set[str]] = {}
    for path in joined_files.list_styles():
        if path.stem not in joined_files.SHARED:
            for name in re.findall(r"^  (\.[\w-]+) \{", path.read_text(), re.MULTILINE):
                owners.setdefault(name, set()).add(path.stem)

    assert {name: pages for name, pages in owners.items() if len(pages) > 1} == TOGETHER


def test_nothing_is_collected_again_unless_something_changed(collected: Path) -> None:
    assert collect_static() is False


def test_before_anything_is_collected_files_go_by_their_own_names(tmp_path: Path) -> None:
    with as_served(tmp_path / "nothing"):
        assert staticfiles_storage.url("nebo/css/tokens.css") == "/static/nebo/css/tokens.css"

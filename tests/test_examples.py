"""Whatever can be run of the pages runs as it stands there: calls, Python, commands, settings."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.core.management import BaseCommand, get_commands, load_command_class
from nebo_client.command import make_parser

from benchmarks.truth.cases import read_family
from nebo.product.events.signing import make_secret, signed_headers
from nebo.tenants.keys import SCOPES
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import issue_key
from tests.conftest import Team
from tests.live_server import live_server
from tests.pages import ROOT, Example, list_examples, list_pages

EXAMPLES = [example for page in list_pages() for example in list_examples(page)]
ADDRESS = "http://127.0.0.1:8000"
KEY = "nebo_…"
SETTING = re.compile(r"^([A-Z_]{4,})=", re.MULTILINE)
CALL = re.compile(r"^curl (?:.*\\\n)*.*$", re.MULTILINE)
COMMAND = re.compile(
    r"^(?:[A-Z_]+=\S+ )*(?:(?:\.venv/bin/python )?manage\.py (?P<ours>\w+\b(?! ──).*)|nebo (?P<client>.*))$"
)

# What no test runs as it stands: what it begins with, and why.
NOT_RUN = {
    "make ": "targets of the Makefile: tests/test_references.py, tests/operations/test_makefile.py",
    ".venv/bin/python -m ": "modules: tests/test_references.py; the wheel: tests/wheel.py",
    "pip install": "needs a registry",
    "claude mcp add": "a program of others; what it writes is tried by tests/sdk/test_connect.py",
    "createdb": "needs a server of one's own",
    "CREATE ROLE": "needs a server of one's own; its roles are those that nebo/embedded makes",
    "pg_basebackup": "needs a second server: tests/replica",
    "# on each server": "needs Citus: tests/operations/test_citus.py",
    "location /": "settings of nginx",
    "enqueue ──▶": "a picture",
    "manage.py worker ──": "a picture",
    "nebo.urls >": "a picture; tests/test_references.py compares it",
    "x = ": "a formula",
    "meaning + w": "a formula",
    "tenant_id = ": "a condition; tests/tenants hold it",
    "9 March 2026": "what a summary looks like",
    "## Decided": "what a section looks like",
    "with tenant_scope(": "a sketch of a job",
    "@handler(": "a sketch of a job",
    "@row(": "a sketch of a row",
}  # fmt: skip
FRAMEWORKS = (
    "frameworks.md",
    "gateway.md",
    "mem0.md",
    "memory-tool.md",
)  # sdk/tests runs them, with the real ones


def is_python(example: Example) -> bool:
    return example.language == "python" or example.text.startswith(("from ", "with nebo."))


def list_calls(page: str) -> list[str]:
    return [call for example in EXAMPLES if example.page == page for call in CALL.findall(example.text)]


def list_commands(example: Example) -> Iterator[re.Match[str]]:
    """Each line that starts a program of ours; what stands behind a # is no part of it."""
    joined = example.text.replace("\\\n", " ")
    lines = (re.sub(r"\s+#.*$", "", line) for line in joined.splitlines())
    yield from filter(None, map(COMMAND.match, lines))


def is_run(example: Example) -> bool:
    return bool(
        is_python(example)
        or example.language in ("json", "text")
        or CALL.search(example.text)
        or any(list_commands(example))
        or SETTING.search(example.text)
        or example.text.startswith(("[[case]]", '"persona"'))
    )


def test_an_example_is_run_or_known_not_to_be() -> None:
    unknown = [one for one in EXAMPLES if not is_run(one) and not one.text.startswith(tuple(NOT_RUN))]

    assert unknown == []
    assert len(EXAMPLES) > 60


def test_what_is_not_run_stands_on_a_page() -> None:
    unused = [begin for begin in NOT_RUN if not any(one.text.startswith(begin) for one in EXAMPLES)]

    assert unused == []


# --- Calls -----------------------------------------------------------------------------------------------


@pytest.fixture
def server(committed_db: None, acme: Team) -> Iterator[tuple[str, str]]:
    """An address, and a key that may do everything."""
    with tenant_scope(acme.tenant):
        key = issue_key(tenant=acme.tenant, scopes=SCOPES).secret
    with live_server() as url:
        yield url, key


def read_call(call: str, names: dict[str, str]) -> dict[str, Any]:
    """What httpx sends for a line of curl; an option that isn't known here is an error."""
    for name, value in names.items():
        call = re.sub(rf"\${name}\b", value, call)
    words = iter(shlex.split(call.replace("\\\n", " "))[1:])
    asked: dict[str, Any] = {"method": "GET", "headers": {}}
    for word in words:
        if word == "-H":
            header, _, value = next(words).partition(": ")
            asked["headers"][header] = value
        elif word == "-d":
            asked |= {"method": "POST", "content": next(words)}
        elif word != "-s":
            assert word.startswith("http"), word
            asked["url"] = word.replace(ADDRESS, names["NEBO_URL"])
    return asked


@pytest.mark.parametrize("page", [page for page in list_pages() if list_calls(page)])
def test_the_calls_of_a_page_are_answered(page: str, server: tuple[str, str]) -> None:
    """In their order; `$ID` is the id in the first answer."""
    url, key = server
    names = {"NEBO_URL": url, "NEBO_KEY": key, "KEY": key, "ID": ""}
    for call in list_calls(page):
        with httpx.stream(**read_call(call, names), timeout=30) as answer:
            if "event-stream" not in answer.headers["content-type"]:
                names["ID"] = names["ID"] or json.loads(answer.read()).get("id", "")

        assert answer.is_success, call


# --- Python ----------------------------------------------------------------------------------------------


def test_python_can_be_read() -> None:
    for example in filter(is_python, EXAMPLES):
        compile(example.text, example.page, "exec")


def test_frameworks_are_run_with_the_real_ones() -> None:
    """What sdk/tests runs, and nothing else of the pages."""
    elsewhere = {example.page for example in EXAMPLES if example.language == "python"}

    assert {f"docs/{page}" for page in FRAMEWORKS} == elsewhere - {"docs/jobs.md", "docs/webhooks.md"}


@pytest.mark.parametrize("page", ["README.md", "sdk/README.md"])
def test_the_first_lines_of_python_bring_a_context(
    page: str, server: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    url, key = server
    code = next(one.text for one in EXAMPLES if one.page == page and one.text.startswith("from nebo_client"))
    assert len(code.splitlines()) < 10  # lines

    exec(compile(code.replace(ADDRESS, url).replace(KEY, key), page, "exec"), {})

    assert re.search(r"I am Kim|vegetarian", capsys.readouterr().out)


def test_a_signature_is_checked_as_the_page_says() -> None:
    code = next(one.text for one in EXAMPLES if one.page == "docs/webhooks.md" and is_python(one))
    names: dict[str, Any] = {}
    exec(compile(code, "docs/webhooks.md", "exec"), names)
    old, new = make_secret(), make_secret()
    headers = signed_headers(secrets=[old, new], message_id="evt_1", timestamp=1_800_000_000, body=b"{}")

    assert names["is_ours"](old, headers, b"{}")
    assert names["is_ours"](new, headers, b"{}")
    assert not names["is_ours"](new, headers, b"[]")
    assert not names["is_ours"](make_secret(), headers, b"{}")


# --- Commands and files ----------------------------------------------------------------------------------


def test_commands_take_what_they_are_given() -> None:
    """Each by its own parser, which exits where an argument isn't one of its own."""
    commands = [command for example in EXAMPLES for command in list_commands(example)]
    for command in commands:
        if command["client"]:
            make_parser().parse_args(shlex.split(command["client"]))
        else:
            name, *arguments = shlex.split(command["ours"])
            owner = get_commands()[name]
            found = owner if isinstance(owner, BaseCommand) else load_command_class(owner, name)
            found.create_parser("manage.py", name).parse_args(arguments)

    assert len(commands) > 15


def test_settings_are_told_on_the_pages_of_those_who_run_it() -> None:
    pages = "".join((ROOT / "docs" / page).read_text("utf-8") for page in ("operations.md", "scale.md"))
    known = set(re.findall(r"`([A-Z][A-Z_]+)`", pages))

    assert {name for example in EXAMPLES for name in SETTING.findall(example.text)} <= known


def test_json_can_be_read() -> None:
    found = [one.text for one in EXAMPLES if one.language == "json"]
    found += [f"{{{one.text}}}" for one in EXAMPLES if one.text.startswith('"persona"')]

    assert len(list(map(json.loads, found))) > 2


def test_cases_can_be_read(tmp_path: Path) -> None:
    cases = [one.text for one in EXAMPLES if one.text.startswith("[[case]]")]
    file = tmp_path / "cases.toml"
    file.write_text("\n\n".join(['about = "Of the page"', 'temper = "rewords"', *cases]), encoding="utf-8")

    assert len(read_family(file).cases) == len(cases) > 1

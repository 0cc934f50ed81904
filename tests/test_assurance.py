"""The page of promises: each is shown by something that is there, and the README promises these and no others."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from django.core.management import get_commands

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/assurance.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
CODE = re.compile(r"`([^`]+)`")
ROW = re.compile(r"^\| (?!-|promise|\|)(.+) \|$", re.MULTILINE)
PROMISES = "What the README promises"
HELD = re.compile(r"\d+ tests? at [0-9a-f]{8}")


def section(heading: str) -> str:
    """What stands below it, to the next one."""
    return re.split(r"^## ", PAGE.split(f"## {heading}\n")[1], flags=re.MULTILINE)[0]


def rows_of(text: str) -> list[Sequence[str]]:
    return [row.split(" | ") for row in ROW.findall(text)]


def is_there(command: str) -> bool:
    """Whether a command, or a file of tests, is one of this checkout's."""
    words = command.split()
    if words[0].startswith("tests/"):
        return (ROOT / words[0]).exists()
    if words[0] == "make":
        return bool(re.search(rf"^{words[1]}:", (ROOT / "Makefile").read_text(), re.MULTILINE))
    if words[0] == "manage.py":
        return words[1] in get_commands()
    return words[:2] == ["python", "-m"] and importlib.util.find_spec(words[2]) is not None


def test_the_readme_promises_these_and_no_others() -> None:
    promised = re.findall(r"^- \*\*(.+?)\*\*", README, re.MULTILINE)
    shown = [row[0] for row in rows_of(section(PROMISES)) if not row[0].startswith("…")]

    assert shown == promised
    assert len(promised) >= 4


@pytest.mark.parametrize("heading", re.findall(r"^## (.+)$", PAGE, re.MULTILINE))
def test_each_promise_is_shown_by_something_that_is_there(heading: str) -> None:
    rows = rows_of(section(heading))

    assert rows
    assert {
        row[0]: CODE.findall(" ".join(row[1:])) for row in rows if not CODE.search(" ".join(row[1:]))
    } == {}
    assert [code for row in rows for code in CODE.findall(" ".join(row[1:])) if not is_there(code)] == []


def test_each_file_of_tests_has_a_figure_with_its_commit() -> None:
    rows = [row for row in rows_of(PAGE) if "`tests/" in row[1]]

    assert len(rows) > 25
    assert [row[0] for row in rows if len(HELD.findall(row[2])) < len(re.findall(r"`tests/", row[1]))] == []

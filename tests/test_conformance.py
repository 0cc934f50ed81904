"""The conformance pages are true: each file and test they name exists, no cell is empty, no section is left out."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs").glob("conformance-*.md"))
STANDS = ("kept", "improved", "not applicable", "open")
REASONED = STANDS[1:]  # say why
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
FILE = re.compile(r"`([\w./-]+\.(?:py|txt|md))`")
SECTIONS = {"conformance-nebo.md": [f"§{n}" for n in range(1, 24)] + [f"§22.{n}" for n in range(1, 15)]}


@cache
def names_of(path: str) -> frozenset[str]:
    """Names of the test functions of one file."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def rows_of(page: Path) -> list[list[str]]:
    """The cells of every table row of a page, without heads and rules."""
    lines = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in cells if row[0] != "seed" and set(row[0]) != {"-"}]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_cell_of_a_conformance_page_is_empty(page: Path) -> None:
    rows = rows_of(page)

    assert rows
    assert [row for row in rows if len(row) != 5 or not all(row)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_test_a_conformance_page_names_exists(page: Path) -> None:
    named = TEST.findall(page.read_text(encoding="utf-8"))

    missing = [
        f"{path}::{name}" for path, name in named if not (ROOT / path).exists() or name not in names_of(path)
    ]

    assert missing == []
    assert [row[:2] for row in rows_of(page) if not TEST.search(row[3])] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_a_conformance_page_names_exists(page: Path) -> None:
    cells = [row[2] for row in rows_of(page)]

    assert [cell for cell in cells if not FILE.search(cell)] == []
    assert [name for cell in cells for name in FILE.findall(cell) if not (ROOT / name).is_file()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_row_says_how_it_stands_and_why(page: Path) -> None:
    stands = [row[4] for row in rows_of(page)]

    assert [stand for stand in stands if not stand.startswith(STANDS)] == []
    assert [stand for stand in stands if stand in REASONED] == []


@pytest.mark.parametrize("name", SECTIONS)
def test_no_section_is_left_out(name: str) -> None:
    told = {row[0] for row in rows_of(ROOT / "docs" / name)}

    assert [section for section in SECTIONS[name] if section not in told and section != "§22"] == []

"""What the pages, the README and the comments point to is there: links, headings, files, tests, commands."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from django.core.management import get_commands
from django.urls import URLPattern, URLResolver, get_resolver

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"(?<!!)\[[^\]]+\]\((?P<target>[^)\s]+)\)|!\[[^\]]*\]\((?P<image>[^)\s]+)\)")
CODE = re.compile(r"`([^`\n]+)`")
FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL)
PATH = re.compile(r"(?:[\w.-]+/)*[\w.-]+\.(?:py|md|html|sql|toml|npz|json|txt)|(?:[\w.-]+/)+")
MENTION = re.compile(r"docs/[\w-]+\.md(?:#[\w-]+)?")  # in a comment or a docstring
SOURCES = ("*.py", "*.html", "*.sql", "*.toml", "*.txt", "Makefile")
# Files that are not ours to have: those an agent, a person or a run writes, and those of an export.
ELSEWHERE = frozenset(
    {"README.txt", "index.html", "manifest.json", "profile.json", "SOUL.md", "AGENTS.md", "MEMORY.md", "HEARTBEAT.md",
     "locomo.json", "locomo_dev.json",
        ".bench",
        ".nebo", "e5.txt", "_fragment.html", "NN-name.toml"}
)  # fmt: skip
PACKAGES = (
    "nebo",
    "memories",
    "sessions",
    "personality",
    "search",
    "tests",
    "benchmarks",
    "docs",
    "templates",
)


@cache
def files() -> frozenset[str]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return frozenset(name for name in listed.stdout.splitlines() if (ROOT / name).exists())


@cache
def ends() -> frozenset[str]:
    """Every file and folder, by its whole path and by each end of it."""
    paths = {parent.as_posix() for name in files() for parent in (Path(name), *Path(name).parents)}
    return frozenset(
        "/".join(path.split("/")[start:]) for path in paths for start in range(path.count("/") + 1)
    )


@cache
def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


PAGES = sorted(name for name in files() if name.endswith(".md") and "/" not in name.removeprefix("docs/"))
TRAINING = "nebo/reading/training/README.md"


@cache
def anchors(name: str) -> frozenset[str]:
    """The headings of a page as GitHub names them."""
    prose = FENCE.sub("", text_of(name))
    headings = re.findall(r"^#+ (.+)$", prose, re.MULTILINE)
    return frozenset(
        re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", heading).lower()).replace(" ", "-")
        for heading in headings
    )


def leads_somewhere(target: str, *, page: str) -> bool:
    if re.match(r"(?:https?|mailto):", target):
        return True
    path, _, anchor = target.partition("#")
    name = os.path.normpath((Path(page).parent / path).as_posix()) if path else page
    if not (ROOT / name).exists():
        return False
    return not anchor or anchor in anchors(name)


@pytest.mark.parametrize("page", [*PAGES, TRAINING])
def test_every_link_of_a_page_leads_somewhere(page: str) -> None:
    targets = [match["target"] or match["image"] for match in LINK.finditer(FENCE.sub("", text_of(page)))]

    assert [target for target in targets if not leads_somewhere(target, page=page)] == []


def test_the_readme_leads_to_every_page() -> None:
    linked = {match["target"] for match in LINK.finditer(text_of("README.md"))}

    assert {page for page in PAGES if page != "README.md"} - linked == set()


def named_files(page: str) -> Iterator[str]:
    """Paths in code marks, and whatever in a picture begins with a package of ours."""
    for code in CODE.findall(FENCE.sub("", text_of(page))):
        for one in expand(code.strip()):
            if PATH.fullmatch(one):
                yield one
    for picture in FENCE.finditer(text_of(page)):
        if picture["language"] == "text":
            for one in PATH.findall(picture["text"]):
                if one.split("/")[0] in PACKAGES:
                    yield one


def expand(code: str) -> list[str]:
    """`a/{b,c}.py` names two."""
    found = re.fullmatch(r"([^{}]*)\{(\w+(?:,\w+)+)\}([^{}]*)", code)
    return [f"{found[1]}{one}{found[3]}" for one in found[2].split(",")] if found else [code]


@pytest.mark.parametrize("page", [*PAGES, TRAINING])
def test_every_file_that_a_page_names_exists(page: str) -> None:
    missing = {
        name
        for name in named_files(page)
        if Path(name).name not in ELSEWHERE
        and not is_address(name)
        and os.path.normpath(name.removeprefix("../")) not in ends()
        and not (ROOT / page).parent.joinpath(name).exists()
    }

    assert missing == set()


def is_address(name: str) -> bool:
    """`restore/`, `sessions/`: a part of the API's addresses."""
    return name.endswith("/") and set(name.strip("/").split("/")) <= segments()


@cache
def routes() -> frozenset[str]:
    """Every address below /api/v1/, with its variable parts as `{}`."""

    def walk(patterns: Iterable[URLPattern | URLResolver], before: str) -> Iterator[str]:
        for one in patterns:
            route = before + str(one.pattern)
            if isinstance(one, URLResolver):
                yield from walk(one.url_patterns, route)
            else:
                plain = re.sub(r"\(\?P<\w+>[^)]*\)|<[^>]*>", "{}", route)
                yield re.sub(r"[\^$\\]|/\?", "", plain)

    found = walk(get_resolver().url_patterns, "")
    return frozenset(one.removeprefix("api/v1/") for one in found if one.startswith("api/v1/"))


@cache
def segments() -> frozenset[str]:
    return frozenset(part for route in routes() for part in route.split("/"))


@pytest.mark.parametrize("page", PAGES)
def test_every_address_that_a_page_names_is_one_of_the_api(page: str) -> None:
    found = re.findall(
        r"`(?:[A-Z]+(?: · [A-Z]+)* )?(?:/api/v1/)?((?:[\w-]+|\{\w+\})/[^`\s?]*)", text_of(page)
    )
    named = {re.sub(r"\{\w+\}", "{}", one) for one in found if "{" in one and "," not in one}

    assert {
        one for one in named if one not in routes() and not any(r.endswith("/" + one) for r in routes())
    } == set()


def test_every_page_that_the_code_names_exists_with_its_heading() -> None:
    found = {
        (name, mention)
        for name in files()
        if any(Path(name).match(pattern) for pattern in SOURCES)
        and not name.startswith("benchmarks/histories")
        for mention in MENTION.findall(text_of(name))
    }

    assert sorted(one for one in found if not leads_somewhere(one[1], page="README.md")) == []
    assert len(found) > 80


def test_every_file_that_the_code_names_exists() -> None:
    """In comments and docstrings, between code marks; a module may be named by the end of its path."""
    found = {
        (name, path)
        for name in files()
        if name.endswith(".py") and name.split("/")[0] in PACKAGES and "/migrations/" not in name
        for path in re.findall(r"`([\w./-]+\.(?:py|sql|html|md))`", text_of(name))
    }

    assert sorted(one for one in found if one[1] not in ends() and Path(one[1]).name not in ELSEWHERE) == []
    assert len(found) > 20


def test_the_code_names_no_document_that_is_not_here() -> None:
    unknown = re.compile(r"\b[Ss]eed 00\d|\bDESIGN(?:\.md)? ?§|\bAPI\.md|\bgotcha \d")

    assert [
        name
        for name in sorted(files())
        if name.endswith((".py", ".md", ".html", ".sql", ".txt")) and not name.endswith("test_references.py")
        if unknown.search(text_of(name))
    ] == []


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/design.md"])
def test_a_page_on_the_packages_names_each_layer_in_its_order(page: str) -> None:
    contract = tomllib.loads(text_of("pyproject.toml"))["tool"]["importlinter"]["contracts"][0]
    layers = [[name.strip() for name in layer.split("|")] for layer in contract["layers"]]
    said = text_of(page).replace("/", ".")
    said = said[re.search(r"[` ]nebo\.urls", said).start() :]  # type: ignore[union-attr]

    def place(name: str) -> int:
        found = re.search(rf"[` ]{re.escape(name)}(?:\.py|\.)?[`\s]", said)
        return found.start() if found else -1

    places = [place(name) for names in layers for name in names]

    assert -1 not in places
    assert places == sorted(places)
    assert len(places) > 10


@pytest.mark.parametrize("page", [*PAGES, TRAINING])
def test_every_command_that_a_page_names_exists(page: str) -> None:
    text = text_of(page)
    targets = set(re.findall(r"^([a-z]+):", text_of("Makefile"), re.MULTILINE))
    modules = {name.removesuffix(".py").removesuffix("/__main__").replace("/", ".") for name in files()}

    assert set(re.findall(r"(?:^ {4}|`)make ([a-z]+)", text, re.MULTILINE)) - targets == set()
    assert set(re.findall(r"manage\.py ([a-z_]+)", text)) - set(get_commands()) == set()
    assert set(re.findall(r"python -m ((?:nebo|benchmarks|tests)[\w.]*)", text)) - modules == set()


@pytest.mark.parametrize("page", PAGES)
def test_every_function_of_a_named_file_is_in_it(page: str) -> None:
    """“`rank` in `search/ranking/fusion.py`”, “`fusion.py`, `rank`”: the file has it, or a constant of that name."""
    pairs = re.findall(r"`(\w+)` in\s+`([\w/]+\.py)`", text_of(page))
    pairs += [(name, path) for path, name in re.findall(r"`([\w/]+\.py)`[,:] `(\w+)`", text_of(page))]

    def is_in(name: str, path: str) -> bool:
        return re.search(rf"\b(?:def|class) {name}\b|^{name}\b.* = ", text_of(path), re.MULTILINE) is not None

    assert [pair for pair in pairs if not is_in(*pair)] == []

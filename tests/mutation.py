"""Do tests notice when a line that keeps people apart, lets them in or holds something back is wrong? (make mutation)

    python -m tests.mutation COSMIC_RAY [--only NAME] [--most 40] [--seed 1] [--keep FOLDER]

Changes one place after the other in the modules below, in a copy of this checkout, and runs the tests that are to
notice. Of the ways in which cosmic-ray can change one operator, one is tried, by chance; nothing in annotations is
changed, which never run. Prints each change that no test has noticed; ends with 1 where there is one.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATABASE = "test_mutation"
LIMIT_S = 240.0  # of the tests of one change; a change that makes them hang counts as noticed
IN_ANNOTATIONS = "BitOr"  # `X | None`
FAMILY_ENDS = "_"  # of an operator's name: what it is changed from and to comes behind


@dataclass(frozen=True, slots=True)
class Subject:
    """A module, and the tests that are to notice whatever is wrong with it."""

    module: str
    tests: tuple[str, ...]


SUBJECTS = {
    "scoping": Subject(
        "nebo/tenants/scoping.py", ("tests/tenants/test_walls.py", "tests/tenants/test_bulk.py")
    ),
    "access": Subject("nebo/tenants/access.py", ("tests/dashboard/test_access.py",)),
    "places": Subject("nebo/tenants/places.py", ("tests/dashboard/test_people_in_addresses.py",)),
    "keys": Subject(
        "nebo/tenants/keys.py", ("tests/api/test_authentication.py", "tests/tenants/test_services.py")
    ),
    "authentication": Subject("nebo/api/authentication.py", ("tests/api/test_authentication.py",)),
    "claims": Subject("nebo/jobs/claims.py", ("tests/jobs/test_claims.py", "tests/jobs/test_running.py")),
    "gate": Subject("memories/extraction/support_check.py", ("tests/memories/test_support_gate.py",)),
    "addresses": Subject("nebo/outbound/addresses.py", ("tests/events/test_addresses.py",)),
    "guarded": Subject("nebo/outbound/guarded.py", ("tests/events/test_addresses.py",)),
}


def main(arguments: list[str] | None = None) -> int:
    """Every subject, or those that are named."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("cosmic_ray", type=Path, help="the program")
    parser.add_argument("--only", action="append", choices=list(SUBJECTS), help="these subjects alone")
    parser.add_argument("--most", type=int, default=0, help="changes a subject, drawn by chance; 0 for all")
    parser.add_argument("--seed", type=int, default=1, help="of that chance")
    parser.add_argument(
        "--keep", type=Path, help="a folder for cosmic-ray's sessions, and to go on with those in it"
    )
    chosen = parser.parse_args(arguments)
    survived = 0
    with tempfile.TemporaryDirectory(prefix="nebo-mutation-") as name:
        copy = copy_checkout(Path(name) / "checkout")
        sessions = chosen.keep or Path(name)
        sessions.mkdir(parents=True, exist_ok=True)
        for subject in chosen.only or SUBJECTS:
            trial = Trial(chosen.cosmic_ray.resolve(), copy, SUBJECTS[subject], sessions.resolve() / subject)
            trial.prepare(chosen.most, random.Random(chosen.seed))
            trial.run()
            survived += tell(subject, trial)
    return min(survived, 1)


def copy_checkout(place: Path) -> Path:
    """What git knows of this checkout as it stands, with its environment and its Postgres."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    )
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, place / name)
    return place


@dataclass(frozen=True, slots=True)
class Trial:
    """One subject with cosmic-ray: `place` is where its session is."""

    cosmic_ray: Path
    checkout: Path
    subject: Subject
    place: Path

    @property
    def session(self) -> Path:
        return self.place.with_suffix(".sqlite")

    @property
    def config(self) -> Path:
        return self.place.with_suffix(".toml")

    def prepare(self, most: int, chance: random.Random) -> None:
        """A session with what is to be changed, unless there is one; the tests must pass as things are."""
        tests = " ".join(self.subject.tests)
        command = f"{sys.executable} -m pytest -x -q -n 0 -p no:cacheprovider --reuse-db {tests}"
        lines = {"module-path": self.subject.module, "test-command": command}
        text = "\n".join(f'{name} = "{value}"' for name, value in lines.items())
        self.config.write_text(
            f"[cosmic-ray]\n{text}\ntimeout = {LIMIT_S}\nexcluded-modules = []\n\n"
            '[cosmic-ray.distributor]\nname = "local"\n'
        )
        if self.session.exists():
            return
        self._call("init", str(self.config), str(self.session))
        choose(self.session, most, chance)
        self._call("baseline", str(self.config))

    def run(self) -> None:
        """What is still to be tried."""
        self._call("exec", str(self.config), str(self.session))

    def _call(self, *words: str) -> None:
        environment = {
            **os.environ,
            "NEBO_DATA_DIR": str(ROOT / ".nebo"),
            "NEBO_TEST_DB": DATABASE,
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        subprocess.run([str(self.cosmic_ray), *words], cwd=self.checkout, env=environment, check=True)


def choose(session: Path, most: int, chance: random.Random) -> None:
    """Leave of all changes one a place and kind, none in annotations, and no more than so many."""
    with sqlite3.connect(session) as known:
        rows = known.execute(
            "SELECT job_id, operator_name, start_pos_row, start_pos_col FROM mutation_specs ORDER BY job_id"
        ).fetchall()
        chance.shuffle(rows)
        places: dict[tuple[str, int, int], str] = {}
        for job, operator, row, column in rows:
            if IN_ANNOTATIONS not in operator.partition(FAMILY_ENDS)[2].partition(FAMILY_ENDS)[0]:
                places.setdefault((operator.partition(FAMILY_ENDS)[0], row, column), job)
        kept = set(list(places.values())[: most or None])
        gone = [(job,) for job, *_ in rows if job not in kept]
        for table in ("mutation_specs", "work_items"):
            known.executemany(f"DELETE FROM {table} WHERE job_id = ?", gone)
    known.close()


def tell(name: str, trial: Trial) -> int:
    """Print how it went; how many changes nobody has noticed."""
    results = list(read_results(trial.session))
    survived = [diff for outcome, diff in results if outcome == "SURVIVED"]
    print(f"{name}: {len(results) - len(survived)} of {len(results)} changes noticed", flush=True)
    for diff in survived:
        print(changed_lines(diff.splitlines()), flush=True)
    return len(survived)


def read_results(session: Path) -> Iterator[tuple[str, str]]:
    known = sqlite3.connect(session)
    yield from known.execute("SELECT test_outcome, diff FROM work_results")
    known.close()


def changed_lines(diff: Sequence[str]) -> str:
    """Where it is, and the line before and after."""
    wanted = [
        line for line in diff if line.startswith(("@@", "-", "+")) and not line.startswith(("---", "+++"))
    ]
    return "\n".join(f"    {line}" for line in wanted)


if __name__ == "__main__":
    sys.exit(main())

"""The long version of test_kill.py, by hand: python -m tests.jobs.kill_drill --times 10 --workers 1 --when idle"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from tempfile import mkstemp

import django
from django.core.management import call_command
from django.db import connections


def main() -> int:
    options = read_options()
    os.environ["DJANGO_SETTINGS_MODULE"] = "nebo.settings"
    django.setup()
    env = make_database(f"test_nebo_drill_{options.workers}_{options.when}")
    from tests.conftest import team
    from tests.jobs.drill import Drill
    from tests.jobs.worker_process import running_worker

    handle, log = mkstemp(suffix=".log", prefix="drill-")
    os.close(handle)
    print(f"{options.times} kills of {options.when} workers, {options.workers} at work; log: {log}")
    with running_worker(env, processes=options.workers, log=Path(log)) as worker:
        drill = Drill(team("acme"), worker, options.workers)
        return run(drill, options.times, options.when)


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Kill workers without warning and count what is left.")
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--when", choices=("idle", "busy", "any", "frozen"), default="idle")
    return parser.parse_args()


def make_database(name: str) -> dict[str, str]:
    """A fresh database with the two teams; the variables for the worker's process."""
    from nebo.database import database_urls, ensure_server, prepare_database
    from nebo.env import env
    from tests.conftest import make_teams
    from tests.jobs.worker_process import environment

    ensure_server()
    urls = database_urls(env)
    prepare_database(urls, database=name, fresh=True)
    for alias in connections:
        connections[alias].settings_dict["NAME"] = name
    call_command("migrate", database="owner", verbosity=0, skip_checks=True)
    make_teams()
    return environment(urls, name)


def run(drill: object, times: int, when: str) -> int:
    """Print a line a kill; 1 when a fact is missing or doubled."""
    kill = getattr(drill, f"kill_{when}")
    drill.list_workers()
    print("kill      pid   done s   replaced s   facts   missing   doubled")
    for turn in range(times):
        one = kill(turn)
        missing, doubled = drill.missing(), drill.doubled()
        print(
            f"{turn + 1:4} {one.killed:8} {one.done_s:8.1f} {one.replaced_s:12.1f} "
            f"{len(drill.facts()):7} {missing:9} {doubled:9}",
            flush=True,
        )
        if missing or doubled:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

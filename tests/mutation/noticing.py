"""A plugin of pytest that tries many changes in one process: `--changes FILE` says which, `--told FILE` gets what came.

First all tests run as things are, and it is noted which lines of the modules each of them passes. Then a process is
forked for each change, which puts it into the function as it stands in memory and runs the tests that pass its lines.
That takes tenths of a second, where a new pytest takes several. A change that isn't in a function is left to a new
pytest, and so is one that no test here has noticed, since another process may (`python -m tests.mutation` does both).
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from django.db import connections
from pytest_django.plugin import blocking_manager_key

from tests.mutation.changes import Change, list_changes

ROOT = Path(__file__).resolve().parents[2]
LEAST_LIMIT_S = 60.0  # of the tests of one change; one that makes them hang counts as noticed
TIMES_AS_LONG = 10  # as they took before
NOTICED, UNNOTICED, ELSEWHERE, UNREACHED = "noticed", "unnoticed", "elsewhere", "unreached"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--changes", type=Path, help="a list of [module, number of the change]")
    parser.addoption("--told", type=Path, help="where the outcomes go, one a line")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    if not session.config.getoption("--changes"):
        return None
    wanted = [tuple(one) for one in json.loads(session.config.getoption("--changes").read_text())]
    modules = sorted({module for module, _ in wanted})
    changes = {(one.module, one.number): one for name in modules for one in list_changes(name, ROOT)}
    trials = Trials(session, [ROOT / name for name in modules])
    trials.learn()
    with session.config.getoption("--told").open("a") as told:
        for key in wanted:
            told.write(json.dumps([*key, *trials.outcome_of(changes[key])]) + "\n")
            told.flush()
    if not trials.all_pass():
        raise pytest.UsageError(
            "Tests failed in the end without any change: what they noticed is worth nothing."
        )
    return True


class OnlySession:
    """Stands for the next test where there is none, so that what is made once a session stays."""

    def __init__(self, session: pytest.Session) -> None:
        self.session = session

    def listchain(self) -> list[Any]:
        return [self.session]


class Trials:
    """The tests of one run, what each of them passes, and how long it takes."""

    def __init__(self, session: pytest.Session, modules: Sequence[Path]) -> None:
        self.session = session
        self.files = {str(path) for path in modules}
        self.items = list(session.items)
        self.passed: dict[str, set[tuple[str, int]]] = {}
        self.seconds: dict[str, float] = {}

    def learn(self) -> None:
        """Each test once as things are; those that don't pass, here or in a forked process, are left out."""
        failed = {item.nodeid for item in self.items if not self._learn_of(item)}
        _close_connections()
        for item in [one for one in self.items if one.nodeid not in failed]:
            if _forked(lambda item=item: self._run([item]), LEAST_LIMIT_S):  # type: ignore[misc]
                failed.add(item.nodeid)
                _forked(self._make_tables_anew, LEAST_LIMIT_S)
        self.items = [item for item in self.items if item.nodeid not in failed]
        for name in sorted(failed):
            sys.stderr.write(f"left out, since it fails as things are: {name}\n")
        took: dict[str, float] = defaultdict(float)
        for item in self.items:
            took[item.nodeid.partition("::")[0]] += self.seconds[item.nodeid]
        self.items.sort(key=lambda item: took[item.nodeid.partition("::")[0]])

    def _learn_of(self, item: pytest.Item) -> bool:
        lines: set[tuple[str, int]] = set()

        def note(frame: FrameType, event: str, _: Any) -> Any:
            if event == "line":
                lines.add((frame.f_code.co_filename, frame.f_lineno))
            return note

        def enter(frame: FrameType, event: str, _: Any) -> Any:
            return note if frame.f_code.co_filename in self.files else None

        began = time.monotonic()
        threading.settrace(enter)
        sys.settrace(enter)
        try:
            passes = self._run([item]) == 0
        finally:
            sys.settrace(None)
            threading.settrace(None)  # type: ignore[arg-type]
        self.passed[item.nodeid], self.seconds[item.nodeid] = lines, time.monotonic() - began
        return passes

    def _run(self, items: Sequence[pytest.Item]) -> int:
        """1 from the first test on that fails."""
        for at, item in enumerate(items):
            following = items[at + 1] if at + 1 < len(items) else OnlySession(self.session)
            reports = runtestprotocol(item, nextitem=following, log=False)  # type: ignore[arg-type]
            if any(report.failed for report in reports):
                return 1
        return 0

    def outcome_of(self, change: Change) -> tuple[str, str]:
        """What became of a change, and the files whose tests could have noticed it."""
        lines = {(str(ROOT / change.module), n) for n in range(change.line, change.last_line + 1)}
        items = [item for item in self.items if not change.function or self.passed[item.nodeid] & lines]
        files = " ".join(dict.fromkeys(item.nodeid.partition("::")[0] for item in items))
        if not change.function:
            return ELSEWHERE, files
        if not items:
            return UNREACHED, files
        target = find_function(change)
        code = find_code(compile(change.tree(), str(ROOT / change.module), "exec"), change.function)
        if target is None or code is None or target.__code__.co_freevars != code.co_freevars:
            return ELSEWHERE, files

        def run() -> int:
            target.__code__ = code
            return self._run(items)

        limit = max(LEAST_LIMIT_S, TIMES_AS_LONG * sum(self.seconds[item.nodeid] for item in items))
        if not _forked(run, limit):
            return UNNOTICED, files
        _forked(self._make_tables_anew, LEAST_LIMIT_S)
        return NOTICED, files

    def _make_tables_anew(self) -> int:
        """As they were; a test that failed may have left something."""
        fixtures = importlib.import_module(
            "tests.conftest"
        )  # needs Django, which isn't set up for a plugin yet
        with self.session.config.stash[blocking_manager_key].unblock():
            fixtures.empty_tables()
            fixtures.make_teams()
        return 0

    def all_pass(self) -> bool:
        return _forked(lambda: self._run(self.items), float("inf")) == 0


def find_function(change: Change) -> FunctionType | None:
    """The function of a change as it is in memory, beneath whatever wraps it."""
    found: Any = importlib.import_module(change.module.removesuffix(".py").replace("/", "."))
    for name in change.function:
        found = vars(found).get(name)
        found = getattr(found, "fget", None) or getattr(found, "func", None) or found
        while hasattr(found, "__wrapped__") or hasattr(found, "__func__"):
            found = getattr(found, "__wrapped__", None) or found.__func__
    return found if isinstance(found, FunctionType) else None


def find_code(code: CodeType, names: Sequence[str]) -> CodeType | None:
    """The code of a function (or of a class on the way to it) within that of a module."""
    if not names:
        return code
    within = (one for one in code.co_consts if isinstance(one, CodeType) and one.co_name == names[0])
    return next(filter(None, (find_code(one, names[1:]) for one in within)), None)


def _forked(work: Callable[[], int], limit_s: float) -> int:
    """What it gives in a process of its own; 1 also where that breaks or takes too long."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.setsid()
            code = work()
        finally:
            os._exit(code)
    until = time.monotonic() + limit_s
    while time.monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return min(1, status)
        time.sleep(0.01)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return 1


def _close_connections() -> None:
    for alias in connections:
        connections[alias].close()

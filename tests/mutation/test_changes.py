"""What could be wrong with a module, and how it is put into a function in memory."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType

import pytest

from nebo.tenants.keys import expand_scopes
from tests.mutation.changes import Change, Place, list_changes
from tests.mutation.noticing import ROOT, find_code, find_function
from tests.mutation.subjects import SUBJECTS

MODULE = '''"""A door."""
LIMIT = 3


def opens(rows, key, open: bool = False) -> bool | None:
    if not key or key.used > LIMIT:
        raise ValueError("No.")
    with lock(key):
        key.used += 1
    note(key)
    return rows.filter(key=key, team=1).exists()
'''


def changes_of(tmp_path: Path, text: str = MODULE) -> list[Change]:
    (tmp_path / "door.py").write_text(text)
    return list_changes("door.py", tmp_path)


def test_conditions_predicates_steps_and_numbers_are_changed_one_at_a_time(tmp_path: Path) -> None:
    told = {(change.before, change.after) for change in changes_of(tmp_path)}

    assert told == {
        ("False", "True"),
        ("not key or key.used > LIMIT", "not key and key.used > LIMIT"),
        ("not key or key.used > LIMIT", "key.used > LIMIT"),
        ("not key or key.used > LIMIT", "not key"),
        ("not key", "key"),
        ("key.used > LIMIT", "key.used >= LIMIT"),
        ("key.used > LIMIT", "key.used <= LIMIT"),
        ("raise ValueError('No.')", "pass"),
        ("with lock(key):", "if True:"),
        ("key.used += 1", "key.used -= 1"),
        ("1", "2"),
        ("1", "0"),
        ("note(key)", "pass"),
        ("rows.filter(key=key, team=1)", "rows"),
        ("rows.filter(key=key, team=1)", "rows.filter(team=1)"),
        ("rows.filter(key=key, team=1)", "rows.filter(key=key)"),
    }


def test_each_change_is_whole_and_differs_in_one_place_with_its_lines_kept(tmp_path: Path) -> None:
    before = ast.unparse(ast.parse(MODULE)).splitlines()

    for change in changes_of(tmp_path):
        compile(change.tree(), "door.py", "exec")
        after = ast.unparse(change.tree()).splitlines()
        assert after != before
        assert 5 <= change.line <= change.last_line <= 11
    assert {change.function for change in changes_of(tmp_path)} == {(), ("opens",)}


def test_a_change_is_put_into_the_function_that_everybody_has(monkeypatch: pytest.MonkeyPatch) -> None:
    changes = [
        one for one in list_changes("nebo/tenants/keys.py", ROOT) if one.function == ("expand_scopes",)
    ]
    more = next(one for one in changes if one.before == "highest + 1")
    target = find_function(more)
    code = find_code(compile(more.tree(), "keys.py", "exec"), more.function)
    assert target is expand_scopes
    assert code is not None

    monkeypatch.setattr(target, "__code__", code)

    assert expand_scopes(["read"]) == {"read", "write"}


NOWHERE = (ast.Module([], []), Place(ast.Pass()), ast.Pass())


@contextmanager
def scope() -> Iterator[None]:
    yield


class Row:
    @property
    def size(self) -> int:
        return 1

    @staticmethod
    def of(size: int) -> int:
        return size


@pytest.mark.parametrize("names", [("scope",), ("Row", "size"), ("Row", "of")])
def test_a_function_is_found_beneath_what_wraps_it(names: tuple[str, ...]) -> None:
    change = Change("tests/mutation/test_changes.py", 0, 1, 1, names, "", "", *NOWHERE)

    found = find_function(change)

    assert isinstance(found, FunctionType)
    assert found.__code__.co_name == names[-1]


def test_every_subject_has_modules_with_changes_and_tests_that_are_there() -> None:
    for subject in SUBJECTS.values():
        assert all(list_changes(module, ROOT) for module in subject.modules)
        assert [name for name in (*subject.tests, *subject.dear) if not (ROOT / name).is_file()] == []

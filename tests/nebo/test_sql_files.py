"""What the database runs is what stands in the files."""

from __future__ import annotations

import re
from pathlib import Path

from django.db import connections, transaction
from django.db.backends.utils import CursorWrapper

from nebo.env import BASE_DIR
from nebo.postgres.sql_files import list_changed, list_function_files

DEFINITIONS = """
SELECT p.proname, pg_get_functiondef(p.oid) FROM pg_proc p
WHERE p.pronamespace = current_schema()::regnamespace
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
UNION ALL
SELECT t.tgrelid::regclass::text || '.' || t.tgname, pg_get_triggerdef(t.oid) FROM pg_trigger t WHERE NOT tgisinternal
"""
MADE_BY_HAND = re.compile(r"CREATE (OR REPLACE )?(FUNCTION|TRIGGER)|RunSQL|RunPython")


def read_definitions(cursor: CursorWrapper) -> dict[str, str]:
    cursor.execute(DEFINITIONS)
    return dict(cursor.fetchall())


def test_functions_and_triggers_are_those_of_the_files(committed_db: None) -> None:
    with transaction.atomic("owner"), connections["owner"].cursor() as cursor:
        run = read_definitions(cursor)
        for name in run:
            if "." not in name:
                cursor.execute(f'DROP FUNCTION "{name}" CASCADE')
        assert read_definitions(cursor) == {}
        for path in list_function_files().values():
            cursor.execute(path.read_text(encoding="utf-8"))
        written = read_definitions(cursor)
        transaction.set_rollback(True, "owner")

    assert written == run
    assert {name for name in run if "." not in name} == set(list_function_files())


def test_a_function_that_somebody_changed_is_found(committed_db: None) -> None:
    with transaction.atomic("owner"), connections["owner"].cursor() as cursor:
        assert list_changed(cursor) == []

        cursor.execute(
            "CREATE OR REPLACE FUNCTION memories_audit_unsealed() RETURNS trigger LANGUAGE plpgsql AS $$"
            "BEGIN RETURN NEW; END $$"
        )
        changed = list_changed(cursor)
        transaction.set_rollback(True, "owner")

    assert changed == ["memories_audit_unsealed"]


def test_no_migration_writes_sql_of_its_own() -> None:
    root = Path(BASE_DIR)
    migrations = [path for path in root.glob("**/migrations/0*.py") if ".venv" not in path.parts]

    assert len(migrations) >= 8
    assert [path.name for path in migrations if MADE_BY_HAND.search(path.read_text(encoding="utf-8"))] == []

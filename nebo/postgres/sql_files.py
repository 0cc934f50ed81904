"""SQL that stands in files: `<app>/sql/<name>.sql`, one a function with its triggers, as the database runs it.

A migration loads a file by `SqlFunction("name")`, `SqlTable("name")`, or `SqlFile("name")` where it holds something
else. To change a function, change its file and load it again in a new migration: the file says CREATE OR REPLACE.

Long statements stand in `<app>/sql/statements/<name>.sql`, each whole. `read_statement` reads one as its module loads.
"""

from __future__ import annotations

import re
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.backends.utils import CursorWrapper
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

from nebo.postgres.prepared import Statement, number_parameters

_COMMENT = re.compile(r"^ *--.*\n", re.MULTILINE)
_BODY = re.compile(r"\$\$(.*)\$\$", re.DOTALL)
_BODIES = """
SELECT p.proname, p.prosrc FROM pg_proc p
WHERE p.pronamespace = current_schema()::regnamespace
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
"""


def read_sql(app_label: str, name: str) -> str:
    """The text of `<app>/sql/<name>.sql`."""
    return _folder(app_label).joinpath(f"{name}.sql").read_text(encoding="utf-8")


def read_part(app_label: str, name: str) -> str:
    """A statement with its parameters as `%(name)s`, without comments, which the server has no need of."""
    return _COMMENT.sub("", read_sql(app_label, f"statements/{name}"))


def read_statement(app_label: str, name: str) -> Statement:
    """The same, ready to be prepared."""
    return number_parameters(read_part(app_label, name))


def _folder(app_label: str) -> Path:
    return Path(apps.get_app_config(app_label).path, "sql")


class SqlFile(Operation):
    """Run a file of the app; going back does nothing, since its tables go too."""

    reduces_to_sql = True
    reversible = True

    def __init__(self, name: str) -> None:
        self.name = name

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Nothing of Django's own picture changes."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        schema_editor.execute(read_sql(app_label, self.name), params=None)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """A migration that makes more than its tables says so by an operation of its own."""

    def describe(self) -> str:
        return f"{self.__class__.__name__} {self.name}"


class SqlTable(SqlFile):
    """Make the table that a file is named for: one that no model is for."""

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        schema_editor.execute(f'DROP TABLE IF EXISTS "{self.name}"', params=None)


class SqlFunction(SqlFile):
    """Make the function that a file is named for. With `callers`, roles by purpose, nobody else may call it.

    `anew` takes the old one away first: what a function returns can't be changed in its place.
    """

    def __init__(self, name: str, callers: tuple[str, ...] | None = None, *, anew: bool = False) -> None:
        super().__init__(name)
        self.callers = callers
        self.anew = anew

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        if self.anew:
            schema_editor.execute(f'DROP FUNCTION IF EXISTS "{self.name}"', params=None)
        super().database_forwards(app_label, schema_editor, from_state, to_state)
        if self.callers is not None:
            schema_editor.execute(f'REVOKE ALL ON FUNCTION "{self.name}" FROM PUBLIC', params=None)
        for caller in self.callers or ():
            role = settings.DATABASE_ROLES[caller]
            schema_editor.execute(f'GRANT EXECUTE ON FUNCTION "{self.name}" TO "{role}"', params=None)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        schema_editor.execute(f'DROP FUNCTION IF EXISTS "{self.name}" CASCADE', params=None)


def list_function_files() -> dict[str, Path]:
    """Of every app, the files that make a function, by its name."""
    files = (path for config in apps.get_app_configs() for path in Path(config.path, "sql").glob("*.sql"))
    return {path.stem: path for path in files if _BODY.search(path.read_text(encoding="utf-8"))}


def list_changed(cursor: CursorWrapper) -> list[str]:
    """Names of functions that the database lacks, or runs otherwise than their files say."""
    cursor.execute(_BODIES)
    run = dict(cursor.fetchall())
    return sorted(name for name, path in list_function_files().items() if run.get(name) != _body(path))


def _body(path: Path) -> str:
    found = _BODY.search(path.read_text(encoding="utf-8"))
    return found[1] if found else ""

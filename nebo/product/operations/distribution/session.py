"""The connection that a database is distributed over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql
from psycopg.abc import QueryNoTemplate

from nebo.database import DatabaseUrls, database_of


@dataclass(frozen=True, slots=True)
class Session:
    """An open connection as the admin, to the database of that name; the tables are the owner's."""

    connection: psycopg.Connection[Any]
    database: str
    roles: dict[str, str]

    def run(self, statement: str) -> None:
        """One statement that commits by itself."""
        self.connection.execute(statement)

    def ask(self, question: QueryNoTemplate, *values: Any) -> list[tuple[Any, ...]]:
        """The rows of a question, all of them."""
        return self.connection.execute(question, values).fetchall()

    @contextmanager
    def as_owner(self) -> Iterator[None]:
        """What is made in here is the owner's."""
        self.connection.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(self.roles["owner"])))
        try:
            yield
        finally:
            self.connection.execute("RESET ROLE")


@contextmanager
def open_session(urls: DatabaseUrls, database: str = "") -> Iterator[Session]:
    """On the coordinator, as the admin. Raises psycopg.Error."""
    name = database or database_of(urls.admin)
    with psycopg.connect(urls.admin, dbname=name, autocommit=True) as connection:
        yield Session(connection, name, urls.roles())

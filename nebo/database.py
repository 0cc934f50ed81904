"""Which database, and as whom: the four URLs, the three roles, and making both ready.

One privileged URL (`DATABASE_URL`, or the embedded server's) is enough: the three roles are then made
from it, with passwords derived from SECRET_KEY. Where roles are made by hand, `DATABASE_OWNER_URL`,
`DATABASE_APP_URL` and `DATABASE_OPERATOR_URL` name them and nothing is created.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit, urlunsplit

import psycopg
from psycopg import sql

from nebo import embedded
from nebo.env import Environment, env

EXTENSIONS = ("vector",)
PREPARING = 0x6E65626F  # advisory lock: two that alter the same role at once would fail
TRIES = 40  # to alter a role that somebody else alters as well
LONGEST_PAUSE_MS = 300  # before the next one, by chance: two that wait for the same time meet again
MAINTENANCE = "postgres"  # the database that every server has
NO_SERVER_URL = "postgresql://nobody:nothing@127.0.0.1:1/nebo"


@dataclass(frozen=True, slots=True)
class DatabaseUrls:
    """`admin` makes roles and databases; `owner` migrates; `app` serves; `operator` sweeps and administers.

    `replica` is where the app may read, too; empty for nowhere.
    """

    admin: str
    owner: str
    app: str
    operator: str
    replica: str = ""

    def roles(self) -> dict[str, str]:
        """Role names by purpose, as the URLs name them."""
        return {name: role_of(getattr(self, name)) for name in ("owner", "app", "operator")}


def role_of(url: str) -> str:
    """The user a URL logs in as."""
    return unquote(urlsplit(url).username or "")


def database_of(url: str) -> str:
    """The database a URL names."""
    return urlsplit(url).path.lstrip("/") or "nebo"


def password_of(url: str) -> str:
    """The password a URL carries."""
    return unquote(urlsplit(url).password or "")


def is_embedded(environment: Environment = env) -> bool:
    """Whether the server is the one that comes along: neither `DATABASE_URL` nor an app URL names another."""
    return not (environment.database_url or environment.database_app_url)


def ensure_server(environment: Environment = env) -> None:
    """Start the embedded server unless another one is named."""
    if is_embedded(environment):
        embedded.ensure_running(environment.data_dir)


def database_urls(environment: Environment = env) -> DatabaseUrls:
    """The four URLs for this installation; a stopped embedded server gives addresses that refuse."""
    admin = environment.database_url or _embedded_url(environment)
    app = environment.database_app_url or _role_url(admin, "app", environment)
    return DatabaseUrls(
        admin=admin,
        owner=environment.database_owner_url or _role_url(admin, "owner", environment),
        app=app,
        operator=environment.database_operator_url or _role_url(admin, "operator", environment),
        replica=_as_role_of(app, environment.database_replica_url),
    )


def _as_role_of(app: str, replica: str) -> str:
    """The replica's URL, as the app's role where it names none: roles and passwords are replicated, too."""
    parts = urlsplit(replica)
    if not replica or parts.username:
        return replica
    role = urlsplit(app).netloc.rpartition("@")[0]
    return urlunsplit(parts._replace(netloc=f"{role}@{parts.netloc}"))


def _embedded_url(environment: Environment) -> str:
    server = embedded.find_running(environment.data_dir)
    return server.admin_url if server else NO_SERVER_URL


def _role_url(admin: str, purpose: str, environment: Environment) -> str:
    """The admin URL with the role's own name and derived password in place of the admin's."""
    role = f"{database_of(admin)}_{purpose}"
    password = hmac.new(environment.secret_key.encode(), role.encode(), hashlib.sha256).hexdigest()
    parts = urlsplit(admin)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{role}:{password}@{host}"))


def prepare_database(urls: DatabaseUrls, *, database: str = "", fresh: bool = False) -> None:
    """Make roles, database, extensions and default privileges; harmless when they are there.

    `fresh` drops the database first. Raises psycopg.Error where the admin may not.
    """
    database = database or database_of(urls.admin)
    from_where = MAINTENANCE if fresh else database_of(urls.admin)  # nobody drops what they are connected to
    with psycopg.connect(urls.admin, dbname=from_where, autocommit=True) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", [PREPARING])  # roles belong to the whole server
        _make_roles(connection, urls)
        _make_database(connection, database, urls.roles()["owner"], fresh=fresh)
        with psycopg.connect(urls.admin, dbname=database, autocommit=True) as inside:
            _grant(inside, database, urls.roles())


def _make_roles(connection: psycopg.Connection, urls: DatabaseUrls) -> None:
    """Owner and operator see past row-level security; the app role never may."""
    bypasses = {"owner": "BYPASSRLS", "app": "NOBYPASSRLS", "operator": "BYPASSRLS"}
    for purpose, bypass in bypasses.items():
        url = getattr(urls, purpose)
        verb = "ALTER" if _role_exists(connection, role_of(url)) else "CREATE"
        statement = sql.SQL(
            verb + " ROLE {} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE " + bypass + " PASSWORD {}"
        )
        _alter(connection, statement.format(sql.Identifier(role_of(url)), sql.Literal(password_of(url))))


def _alter(connection: psycopg.Connection, statement: sql.Composed) -> None:
    """Change a role, again if somebody else did so just then: roles belong to the whole server, but the lock to one
    database, and who prepares another one has another lock.
    """
    for _ in range(TRIES - 1):
        try:
            connection.execute(statement)
        except psycopg.errors.InternalError_:  # "tuple concurrently updated"
            time.sleep(secrets.randbelow(LONGEST_PAUSE_MS) / 1000)
        else:
            return
    connection.execute(statement)


def _role_exists(connection: psycopg.Connection, role: str) -> bool:
    return connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone() is not None


def _make_database(connection: psycopg.Connection, database: str, owner: str, *, fresh: bool) -> None:
    name = sql.Identifier(database)
    if fresh:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(name))
    known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [database]).fetchone()
    if not known:
        connection.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(sql.Identifier(owner)))
        connection.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(name, sql.Identifier(owner)))


def _grant(connection: psycopg.Connection, database: str, roles: dict[str, str]) -> None:
    """Extensions, ownership of the schema, and what each role may do with tables made from now on."""
    for extension in EXTENSIONS:
        connection.execute(sql.SQL("CREATE EXTENSION IF NOT EXISTS {}").format(sql.Identifier(extension)))
    names = {key: sql.Identifier(value) for key, value in roles.items()} | {
        "database": sql.Identifier(database)
    }
    for statement in _GRANTS:
        connection.execute(sql.SQL(statement).format(**names))


_GRANTS = (
    "REVOKE ALL ON SCHEMA public FROM PUBLIC",
    "GRANT CONNECT ON DATABASE {database} TO {owner}, {app}, {operator}",
    "GRANT USAGE, CREATE ON SCHEMA public TO {owner}",
    "GRANT USAGE ON SCHEMA public TO {app}, {operator}",
    "GRANT {owner} TO CURRENT_USER",
    "ALTER DEFAULT PRIVILEGES FOR ROLE {owner} IN SCHEMA public"
    " GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {app}, {operator}",
    "ALTER DEFAULT PRIVILEGES FOR ROLE {owner} IN SCHEMA public"
    " GRANT USAGE, SELECT ON SEQUENCES TO {app}, {operator}",
)

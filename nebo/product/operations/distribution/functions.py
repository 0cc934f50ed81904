"""The database's functions as they have to be where tables are shards, derived from the functions' own files.

A trigger runs on a shard, and there it may name shards alone: each name of a table becomes the shard beside the one
that fired (`nebo_beside`). A *door*, a function of the owner, is sent whole to the server of its tenant, by its first
argument. It is copied for each shard of the people, with the names of that shard's neighbours in the copy, so that no
part of it is planned twice; under its own name stands what finds the right copy.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from nebo.postgres.layout import ANCHOR
from nebo.postgres.sql_files import list_function_files
from nebo.product.operations.distribution.plan import tables_of
from nebo.product.operations.distribution.session import Session

SQL = Path(__file__).with_name("sql")
ON_TRANSITION_TABLES = ("search_chunk_added", "search_chunk_removed")
BY_NAME_OF_TABLE = ("memories_append_only",)
DOORS = (
    "nebo_erase_person",
    "nebo_remove_messages",
    "nebo_redact",
    "nebo_remove_audit",
    "nebo_seal_audit",
    "nebo_key_of",
)
PARTS_OF_DOORS = ("nebo_personal_tables", "nebo_owned_by")
CALLED_BY_TRIGGERS = ("events_note",)

Shards = Mapping[str, list[int]]  # the numbers of each table's shards, in one order for all

BODY = re.compile(r"\$\$(.*?)\$\$", re.DOTALL)
COMMENT = re.compile(r"^ *--.*\n", re.MULTILINE)
MADE_TRIGGERS = re.compile(r"CREATE OR REPLACE TRIGGER.*", re.DOTALL)
HEAD = re.compile(r"FUNCTION (\w+)\((.*?)\)\s+RETURNS\s+(.*?)\s+LANGUAGE.*?AS \$\$", re.DOTALL)
NUMBERS = "nextval('search_corpus_person_number_seq')"
# django_admin_log stays on the coordinator: whoever calls the door removes those lines first.
OF_COORDINATOR = re.compile(r" *DELETE FROM django_admin_log.*?'django_admin_log', gone\);\n", re.DOTALL)
ALL_TABLES = "c.relkind IN ('r', 'p')"
COUNTED = "item.rel::text"

DELEGATE = """
SELECT create_distributed_function(%s::regprocedure, '$1', colocate_with => 'tenants_userprofile',
                                   force_delegation => true)
WHERE NOT EXISTS (SELECT FROM pg_dist_object WHERE classid = 'pg_proc'::regclass AND objid = %s::regprocedure
                  AND distribution_argument_index IS NOT NULL)
"""
LIST_SHARDS = (
    "SELECT shardid FROM pg_dist_shard WHERE logicalrelid = %s::regclass ORDER BY shardminvalue::int"
)
CLOSED = """
SELECT p.oid::regprocedure::text FROM pg_proc p
WHERE p.pronamespace = 'public'::regnamespace AND p.proowner = %s::regrole AND p.proacl IS NOT NULL
  AND NOT EXISTS (SELECT FROM aclexplode(p.proacl) AS given WHERE given.grantee = 0)
"""


@dataclass(frozen=True, slots=True)
class Head:
    """What a function's file says before its body."""

    name: str
    arguments: str
    returns: str

    @property
    def types(self) -> list[str]:
        """Of its arguments, in order."""
        return [" ".join(one.split()[1:]) for one in self.arguments.split(",") if one.strip()]


def install(session: Session) -> int:
    """All of them anew, as the owner's; how many statements."""
    statements = list(derive(read_shards(session), session.roles["app"]))
    with session.as_owner():
        session.run("SET check_function_bodies = off")  # the coordinator has no shards
        for statement in statements:
            session.run(statement)
    for name in DOORS:
        head = _head(_file(name))
        signature = f"{name}({', '.join(head.types)})"
        session.connection.execute(DELEGATE, [signature, signature])
    return len(statements) + len(DOORS)


def close(session: Session) -> int:
    """To everybody but those they were granted to, how many: a server that joins is told of grants alone."""
    closed = session.ask(CLOSED, session.roles["owner"])
    with session.as_owner():
        for (signature,) in closed:
            session.run(f"REVOKE ALL ON FUNCTION {signature} FROM PUBLIC")
    return len(closed)


def read_shards(session: Session) -> Shards:
    """A reference table counts as many times as there are shards of the people, each time with its only one."""
    shards = {
        table: [number for (number,) in session.connection.execute(LIST_SHARDS, [table]).fetchall()]
        for table in [*tables_of("distributed"), *tables_of("reference")]
    }
    return {table: numbers * (len(shards[ANCHOR]) // len(numbers)) for table, numbers in shards.items()}


def derive(shards: Shards, app: str) -> Iterator[str]:
    """Every statement that makes them."""
    yield (SQL / "helpers.sql").read_text()
    yield (SQL / "doors.sql").read_text().replace("{app}", app)
    for name in ON_TRANSITION_TABLES:
        yield on_shards(_file(name), shards)
    for name in BY_NAME_OF_TABLE:
        yield _file(name).replace("TG_TABLE_NAME", r"regexp_replace(TG_TABLE_NAME, '_\d+$', '')")
    for name in (*PARTS_OF_DOORS, *DOORS, *CALLED_BY_TRIGGERS):
        for place in range(len(shards[ANCHOR])):
            yield copy_for(_file(name), shards, place)
            if name not in CALLED_BY_TRIGGERS:
                yield f'REVOKE ALL ON FUNCTION "{name}_{shards[ANCHOR][place]}" FROM PUBLIC'
    for name in (*DOORS, *CALLED_BY_TRIGGERS):
        yield dispatcher(_file(name))


def list_derived() -> set[str]:
    """Names of functions that are otherwise in a distributed database than in their own files."""
    written_anew = re.findall(r"FUNCTION (\w+)\(", (SQL / "doors.sql").read_text())
    return {*ON_TRANSITION_TABLES, *BY_NAME_OF_TABLE, *DOORS, *CALLED_BY_TRIGGERS, *written_anew}


def _file(name: str) -> str:
    """A function's file, without its comments and its triggers, which stand already."""
    own = SQL / f"{name}.sql"
    path = own if own.exists() else list_function_files()[name]
    return MADE_TRIGGERS.sub("", COMMENT.sub("", path.read_text(encoding="utf-8")))


def _head(text: str) -> Head:
    found = HEAD.search(text)
    if found is None:
        raise ValueError(f"No function begins so: {text[:80]}")
    return Head(*found.groups())


# --- Triggers --------------------------------------------------------------------------------------------


def on_shards(text: str, tables: Iterable[str]) -> str:
    """A trigger's function whose statements name the shards beside the one that fired."""
    names = sorted(tables, key=len, reverse=True)

    def derived(found: re.Match[str]) -> str:
        body = found[1].replace("BEGIN\n", "", 1).rsplit("END", 1)[0]
        statements = [part.strip() for part in body.split(";") if part.strip()]
        return f"$$\nBEGIN\n{''.join(_on_shards(one, names) for one in statements)}END $$"

    return BODY.sub(derived, text)


def _on_shards(statement: str, names: list[str]) -> str:
    """One statement of it, put together when it runs."""
    if statement.startswith("RETURN"):
        return f"    {statement};\n"
    text = statement.replace("%", "%%").replace(
        NUMBERS, "nebo_new_person_number(a.tenant_id, 'search_corpus')"
    )
    used = [name for name in names if re.search(rf"\b{name}\b", text)]
    for place, name in enumerate(used, start=1):
        text = re.sub(rf"\b{name}\b", f"%{place}$s", text)
    shards = ", ".join(f"nebo_beside('{name}', TG_TABLE_NAME)" for name in used)
    return f"    EXECUTE format($on_shards${text}$on_shards$, {shards});\n"


# --- Doors -----------------------------------------------------------------------------------------------


def copy_for(text: str, shards: Shards, place: int) -> str:
    """The function for one shard of the people: it names that shard, its neighbours, and copies of other functions."""
    text = OF_COORDINATOR.sub("", text).replace(" SECURITY DEFINER", "")
    text = text.replace(COUNTED, rf"regexp_replace({COUNTED}, '_\d+$', '')")
    beside = ", ".join(f"'{table}_{numbers[place]}'" for table, numbers in sorted(shards.items()))
    text = name_shards(text, shards, place)
    for name in (*PARTS_OF_DOORS, *DOORS, *CALLED_BY_TRIGGERS):
        text = re.sub(rf"\b{name}\b", f"{name}_{shards[ANCHOR][place]}", text)
    return text.replace(ALL_TABLES, f"c.relname IN ({beside})")


def name_shards(text: str, shards: Shards, place: int) -> str:
    """Each table's name as that of its shard at a place; names that are counted by stay."""
    for table, numbers in shards.items():
        text = re.sub(rf"(?<!build_object\(')\b{table}\b", f"{table}_{numbers[place]}", text)
    return text


def dispatcher(text: str) -> str:
    """The function under its own name, which finds the copy for the tenant that its first argument names."""
    head = _head(text)
    given = ", ".join(f"${place}" for place in range(1, len(head.types) + 1))
    start = text[: text.index("$$")].replace("LANGUAGE sql", "LANGUAGE plpgsql")
    question = f"SELECT * FROM {head.name}_%s({given})"  # noqa: S608 - of our own functions
    copy = f"format('{question}', get_shard_id_for_distribution_column('{ANCHOR}', $1))"
    if head.returns.startswith("TABLE"):
        return f"{start}$$\nBEGIN\n    RETURN QUERY EXECUTE {copy} USING {given};\nEND $$"
    if head.returns == "void":
        return f"{start}$$\nBEGIN\n    EXECUTE {copy} USING {given};\nEND $$"
    return (
        f"{start}$$\nDECLARE\n    found {head.returns};\nBEGIN\n"
        f"    EXECUTE {copy} INTO found USING {given};\n    RETURN found;\nEND $$"
    )

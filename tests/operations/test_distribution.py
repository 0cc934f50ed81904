"""The plan of a distributed database: everything that this version has is in it."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection

from nebo.postgres.sql_files import list_function_files
from nebo.product.operations.distribution import functions
from nebo.product.operations.distribution.catalog import Rule
from nebo.product.operations.distribution.plan import list_plan, tables_of
from nebo.product.operations.distribution.rules import statements_of
from nebo.tenants.models import Membership, TenantModel

# Functions of the owner that run on the coordinator, and why they may.
ON_COORDINATOR = {
    "nebo_change_settings": "writes the tenant's own row, which every server has",
    "nebo_find_position": "reads the coordinator's own log",
    "nebo_note_position": "the same",
    "nebo_make_tenant": "the same; written anew in doors.sql",
    "nebo_find_key": "asks the directory first; written anew in doors.sql",
    "nebo_memberships_of": "reads what every server has; written anew in doors.sql",
    "nebo_find_invitation": "asks the directory first; written anew in doors.sql",
    "nebo_find_connect_code": "asks the directory first; written anew in doors.sql",
}


def test_every_table_of_a_model_has_a_place() -> None:
    tables = {
        model._meta.db_table
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy
    }

    assert tables <= {one.table for one in list_plan()}


@pytest.mark.django_db
def test_every_table_of_the_database_has_a_place() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        tables = {name for (name,) in cursor.fetchall()}

    assert tables - {"nebo_kept_rule"} <= {one.table for one in list_plan()}


def test_all_of_a_tenant_stands_on_one_server_but_where_a_login_belongs() -> None:
    tenants = {model._meta.db_table for model in apps.get_models() if issubclass(model, TenantModel)}

    assert set(tables_of("distributed")) == tenants - {Membership._meta.db_table}


def test_no_key_leads_from_a_table_that_every_server_has_to_one_that_is_divided() -> None:
    divided = set(tables_of("distributed"))
    kept_whole = {*tables_of("reference"), *tables_of("known")}
    keys = {
        (model._meta.db_table, field.related_model._meta.db_table)
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.local_fields
        if field.remote_field
    }

    assert [key for key in keys if key[0] in kept_whole and key[1] in divided] == []


def _texts() -> dict[str, str]:
    return {name: path.read_text(encoding="utf-8") for name, path in list_function_files().items()}


def test_every_function_of_the_owner_goes_to_its_tenants_server_or_is_known_to_stay() -> None:
    doors = {name for name, text in _texts().items() if "SECURITY DEFINER" in text}

    assert doors <= {*functions.DOORS, *ON_COORDINATOR}
    assert {*functions.DOORS} - {"nebo_key_of"} <= doors


def test_every_door_names_its_tenant_first() -> None:
    for name in functions.DOORS:
        assert functions._head(functions._file(name)).types[0] == "uuid", name


def test_every_function_that_triggers_run_on_tables_is_made_to_name_their_parts() -> None:
    tables = re.compile(rf"\b({'|'.join((*tables_of('distributed'), *tables_of('reference')))})\b")
    texts = {name: functions._file(name) for name in list_function_files()}
    triggered = {name for name, text in texts.items() if "RETURNS trigger" in text}

    naming = {name for name in triggered if tables.search(texts[name])}

    assert naming == {*functions.ON_TRANSITION_TABLES, *functions.BY_NAME_OF_TABLE}


def test_what_is_derived_is_known_by_its_name() -> None:
    derived = functions.list_derived()

    assert {"nebo_find_key", "nebo_make_tenant", "nebo_erase_person", "search_chunk_added"} <= derived
    assert "nebo_change_settings" not in derived


def test_a_copy_names_the_parts_of_one_place_alone() -> None:
    shards = {table: [first, first + 1] for first, table in enumerate(tables_of("distributed"), start=100)}
    shards |= {table: [900, 900] for table in tables_of("reference")}

    copy = functions.copy_for(functions._file("nebo_remove_messages"), shards, 1)

    number = shards["agent_sessions_message"][1]
    assert f"DELETE FROM agent_sessions_message_{number} " in copy
    assert "FROM tenants_tenant_900 " in copy
    assert f"FUNCTION nebo_remove_messages_{shards['tenants_userprofile'][1]}(" in copy
    assert "SECURITY DEFINER" not in copy


def test_a_key_that_unlinks_becomes_one_without_an_action_and_a_trigger() -> None:
    rule = Rule(
        "jobs_run",
        "jobs_run_job_id_tenant_fk",
        "FOREIGN KEY (tenant_id, job_id) REFERENCES jobs_job(tenant_id, id) ON DELETE SET NULL (job_id)",
        "jobs_job",
    )

    key, trigger = statements_of("key", rule)

    assert key.endswith("FOREIGN KEY (tenant_id, job_id) REFERENCES jobs_job(tenant_id, id)")
    assert 'AFTER DELETE ON "jobs_job"' in trigger
    assert "nebo_unlink('jobs_run', 'job_id')" in trigger


def test_the_plan_of_a_database_without_citus_is_told_and_changes_nothing() -> None:
    told = StringIO()

    call_command("distribute", "--plan", stdout=told)

    assert "  distributed  memories_memory\n" in told.getvalue()
    assert "This database has no Citus: all tables stand in one place." in told.getvalue()


def test_every_statement_of_its_own_is_a_function_the_code_knows() -> None:
    files = {path.stem for path in Path(functions.SQL).glob("*.sql")}

    assert files == {"helpers", "doors", "nebo_key_of"}

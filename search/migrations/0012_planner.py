"""What the planner is to believe of tenants, for the tables there are; `IsolateTenant` says it for those to come."""

from django.db import migrations

from nebo.tenants.isolation import POLICY, planner_sql


def tell(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(
            "SELECT tablename FROM pg_policies WHERE schemaname = current_schema() AND policyname = %s", [POLICY]
        )
        for (table,) in cursor.fetchall():
            cursor.execute(planner_sql(table))
        # Nearly every memory is active, and so is all that one index holds.
        cursor.execute(planner_sql("memories_memory", "status"))


class Migration(migrations.Migration):
    dependencies = [
        ("search", "0011_speakers_without_names"),
        ("agent_sessions", "0009_sparse_indexes"),
        ("api", "0006_answer_person"),
        ("governance", "0004_erase_postings"),
        ("jobs", "0005_worker_and_wakes"),
        ("memories", "0012_sparse_indexes"),
        ("personality", "0006_default_persona"),
        ("tenants", "0005_windows"),
    ]

    operations = [migrations.RunPython(tell, migrations.RunPython.noop)]

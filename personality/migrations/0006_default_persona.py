"""Every tenant has its default persona, under the id that follows from the tenant's."""

from typing import Any

from django.db import migrations

from nebo.tenants.ids import default_persona_id

SLUG = "default"
MOVED = "~moved"
REFERENCES = """
    SELECT conrelid::regclass::text, attname FROM pg_constraint
    JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[2]
    WHERE contype = 'f' AND confrelid = 'personality_persona'::regclass AND cardinality(conkey) = 2
"""
COPY = """
    INSERT INTO personality_persona
    SELECT (jsonb_populate_record(p, jsonb_build_object('id', %s::text, 'slug', %s::text))).*
    FROM personality_persona p WHERE p.tenant_id = %s AND p.id = %s
"""


def name_defaults(apps: Any, schema_editor: Any) -> None:
    """Make the ones that are missing; move the others, with all that speaks of them, to their new id."""
    persona, alias = apps.get_model("personality", "Persona"), schema_editor.connection.alias
    rows = persona.unscoped.using(alias).filter(slug=SLUG)
    held = dict(rows.values_list("tenant_id", "id"))
    for tenant_id in apps.get_model("tenants", "Tenant").objects.using(alias).values_list("pk", flat=True):
        wanted = default_persona_id(tenant_id)
        if tenant_id not in held:
            persona.unscoped.using(alias).create(id=wanted, tenant_id=tenant_id, slug=SLUG)
        elif held[tenant_id] != wanted:
            _move(schema_editor, tenant_id, held[tenant_id], wanted)


def _move(schema_editor: Any, tenant_id: Any, old: Any, new: Any) -> None:
    with schema_editor.connection.cursor() as cursor:
        mine = "WHERE tenant_id = %s AND id = %s"
        cursor.execute(f"UPDATE personality_persona SET slug = %s {mine}", [MOVED, tenant_id, old])
        cursor.execute(COPY, [str(new), SLUG, tenant_id, old])
        cursor.execute(REFERENCES)
        for table, column in cursor.fetchall():
            cursor.execute(
                f"UPDATE {table} SET {column} = %s WHERE tenant_id = %s AND {column} = %s",  # noqa: S608 - catalog
                [new, tenant_id, old],
            )
        cursor.execute(f"DELETE FROM personality_persona {mine}", [tenant_id, old])


class Migration(migrations.Migration):
    dependencies = [("personality", "0005_overlays"), ("agent_sessions", "0004_tenant_keys")]

    operations = [migrations.RunPython(name_defaults, migrations.RunPython.noop)]

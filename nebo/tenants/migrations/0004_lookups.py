"""The two questions that must be answered before a tenant is known, each for one exact key only.

Both run as the owner, past row-level security: which key is this, and where is this login a member.
"""

from django.conf import settings
from django.db import migrations

FIND_KEY = """
CREATE FUNCTION nebo_find_key(wanted text)
RETURNS TABLE (id uuid, tenant_id uuid, digest varchar, scopes varchar[], profile_id uuid, persona_id uuid,
               expires_at timestamptz, revoked_at timestamptz, last_used_at timestamptz, tenant_active boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT k.id, k.tenant_id, k.digest, k.scopes, k.profile_id, k.persona_id,
           k.expires_at, k.revoked_at, k.last_used_at, t.is_active
    FROM public.tenants_apikey k JOIN public.tenants_tenant t ON t.id = k.tenant_id
    WHERE k.public_id = wanted
$$;
"""
FIND_MEMBERSHIPS = """
CREATE FUNCTION nebo_memberships_of(wanted uuid)
RETURNS TABLE (tenant_id uuid, slug varchar, name varchar, role varchar)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    SELECT m.tenant_id, t.slug, t.name, m.role
    FROM public.tenants_membership m JOIN public.tenants_tenant t ON t.id = m.tenant_id
    WHERE m.user_id = wanted AND t.is_active ORDER BY t.name
$$;
"""


def grants(apps, schema_editor):
    app, operator = settings.DATABASE_ROLES["app"], settings.DATABASE_ROLES["operator"]
    for function in ("nebo_find_key(text)", "nebo_memberships_of(uuid)"):
        schema_editor.execute(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")
        schema_editor.execute(f'GRANT EXECUTE ON FUNCTION {function} TO "{app}", "{operator}"')
    # The app reads tenants and marks their first call; making and changing them is the operator's.
    schema_editor.execute(f'REVOKE INSERT, UPDATE, DELETE ON tenants_tenant FROM "{app}"')
    schema_editor.execute(f'GRANT UPDATE (first_call_at) ON tenants_tenant TO "{app}"')


class Migration(migrations.Migration):
    dependencies = [("tenants", "0003_tenant_keys")]

    operations = [
        migrations.RunSQL(FIND_KEY, "DROP FUNCTION nebo_find_key(text)"),
        migrations.RunSQL(FIND_MEMBERSHIPS, "DROP FUNCTION nebo_memberships_of(uuid)"),
        migrations.RunPython(grants, migrations.RunPython.noop),
    ]

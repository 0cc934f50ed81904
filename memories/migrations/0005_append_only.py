"""Provenance and audit are append-only: by grant for the app, by trigger for everyone.

Observations and versions go when their memory is purged (a cascade). Audit entries and seals go only where
the retention job says so by `nebo.retention`, which the app role's grant forbids in any case.
"""

from django.db import migrations

from nebo.tenants.isolation import AppendOnly

FORWARD = """
CREATE FUNCTION memories_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND current_setting('nebo.retention', true) = 'on' THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON memories_auditentry
    FOR EACH ROW EXECUTE FUNCTION memories_append_only();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON memories_auditseal
    FOR EACH ROW EXECUTE FUNCTION memories_append_only();
"""
BACKWARD = """
DROP TRIGGER append_only ON memories_auditseal;
DROP TRIGGER append_only ON memories_auditentry;
DROP FUNCTION memories_append_only();
"""


class Migration(migrations.Migration):
    dependencies = [("memories", "0004_tenant_keys")]

    operations = [
        AppendOnly("auditentry"),
        AppendOnly("auditseal"),
        AppendOnly("observation"),
        AppendOnly("version"),
        migrations.RunSQL(FORWARD, BACKWARD),
    ]

"""Who may touch the audit log: nobody but two functions of the owner, which seal it and let the oldest go.

Both work on the tenant of the transaction. `nebo_remove_audit` reads the tenant's window itself, and counts it from
the moment of sealing, which no caller can put back. The trigger keeps everything else out, also the owner's own
hand while it is enabled.
"""

from django.conf import settings
from django.db import migrations

UNSEALED = """
CREATE FUNCTION memories_audit_unsealed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.seal := NULL;
    RETURN NEW;
END $$;

CREATE TRIGGER unsealed BEFORE INSERT ON memories_auditentry
    FOR EACH ROW EXECUTE FUNCTION memories_audit_unsealed();
"""
APPEND_ONLY = """
CREATE OR REPLACE FUNCTION memories_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('nebo.retention', true) = 'on' THEN
        IF TG_OP = 'DELETE' THEN
            RETURN OLD;
        ELSIF TG_TABLE_NAME = 'memories_auditentry' THEN
            IF to_jsonb(OLD)->>'seal' IS NULL AND to_jsonb(NEW) - 'seal' = to_jsonb(OLD) - 'seal' THEN
                RETURN NEW;
            END IF;
        ELSIF TG_TABLE_NAME = 'memories_auditseal' THEN
            IF to_jsonb(NEW)->>'leaves' IS NULL AND to_jsonb(NEW) - 'leaves' = to_jsonb(OLD) - 'leaves' THEN
                RETURN NEW;
            END IF;
        END IF;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON memories_auditgap
    FOR EACH ROW EXECUTE FUNCTION memories_append_only();
"""
LEAF = """
CREATE FUNCTION nebo_audit_leaf(entry public.memories_auditentry) RETURNS bytea LANGUAGE sql STABLE AS $$
    SELECT sha256(convert_to(jsonb_build_array(
        entry.id, to_char(entry.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), entry.actor, entry.action,
        entry.object_type, entry.object_id, entry.profile_id, entry.request_id, entry.detail)::text, 'UTF8'))
$$;
"""
SEAL = """
CREATE FUNCTION nebo_seal_audit(most integer) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    team uuid := current_setting('nebo.tenant_id')::uuid;
    ids uuid[];
    stretch bytea;
    newest timestamptz;
    link public.memories_auditseal;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('nebo.seal:' || team, 0));
    SELECT * INTO link FROM memories_auditseal WHERE tenant_id = team ORDER BY number DESC LIMIT 1;
    SELECT array_agg(id ORDER BY at, id), string_agg(leaf, ''::bytea ORDER BY at, id), max(at)
    INTO ids, stretch, newest
    FROM (SELECT e.id, e.at, nebo_audit_leaf(e) AS leaf FROM memories_auditentry e
          WHERE e.tenant_id = team AND e.seal IS NULL ORDER BY e.at, e.id LIMIT most) chosen;
    IF ids IS NULL THEN
        RETURN 0;
    END IF;
    link.id := gen_random_uuid();
    link.tenant_id := team;
    link.number := coalesce(link.number, 0) + 1;
    link.first_id := ids[1];
    link.last_id := ids[cardinality(ids)];
    link.last_at := newest;
    link.entries := cardinality(ids);
    link.previous := coalesce(link.digest, repeat('0', 64));
    link.leaves := stretch;
    link.root := encode(sha256(stretch), 'hex');
    link.created_at := clock_timestamp();
    link.digest := encode(sha256(convert_to(concat_ws(E'\\n', team, link.number, link.first_id, link.last_id,
        link.entries, link.root, link.previous), 'UTF8')), 'hex');
    INSERT INTO memories_auditseal SELECT link.*;
    PERFORM set_config('nebo.retention', 'on', true);
    UPDATE memories_auditentry SET seal = link.number WHERE tenant_id = team AND id = ANY (ids);
    PERFORM set_config('nebo.retention', 'off', true);
    RETURN link.entries;
END $$;
"""
REMOVE = """
CREATE FUNCTION nebo_remove_audit(most integer, actor text) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    team uuid := current_setting('nebo.tenant_id')::uuid;
    days integer;
    link public.memories_auditseal;
    removed integer := 0;
    gone integer;
    lowest bigint;
    highest bigint;
BEGIN
    SELECT audit_days INTO days FROM tenants_tenant WHERE id = team;
    IF coalesce(days, 0) = 0 THEN
        RETURN 0;
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('nebo.seal:' || team, 0));
    PERFORM set_config('nebo.retention', 'on', true);
    FOR link IN SELECT * FROM memories_auditseal
                WHERE tenant_id = team AND leaves IS NOT NULL ORDER BY number LIMIT most LOOP
        EXIT WHEN greatest(link.last_at, link.created_at) >= clock_timestamp() - make_interval(days => days);
        DELETE FROM memories_auditgap g USING memories_auditentry e
        WHERE g.tenant_id = team AND e.tenant_id = team AND e.seal = link.number AND g.entry_id = e.id;
        DELETE FROM memories_auditentry WHERE tenant_id = team AND seal = link.number;
        GET DIAGNOSTICS gone = ROW_COUNT;
        UPDATE memories_auditseal SET leaves = NULL WHERE tenant_id = team AND number = link.number;
        removed := removed + gone;
        lowest := coalesce(lowest, link.number);
        highest := link.number;
    END LOOP;
    PERFORM set_config('nebo.retention', 'off', true);
    IF highest IS NOT NULL THEN
        INSERT INTO memories_auditentry
            (id, tenant_id, at, actor, action, object_type, object_id, profile_id, request_id, detail)
        VALUES (gen_random_uuid(), team, clock_timestamp(), left(actor, 120), 'audit.removed', 'audit', '', NULL, '',
                jsonb_build_object('first_seal', lowest, 'last_seal', highest, 'entries', removed));
    END IF;
    RETURN removed;
END $$;
"""
FUNCTIONS = {"nebo_seal_audit(integer)": SEAL, "nebo_remove_audit(integer, text)": REMOVE}


def grants(apps, schema_editor):
    app, operator = settings.DATABASE_ROLES["app"], settings.DATABASE_ROLES["operator"]
    for function in FUNCTIONS:
        schema_editor.execute(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")
        schema_editor.execute(f'GRANT EXECUTE ON FUNCTION {function} TO "{app}"')
    schema_editor.execute(
        f'REVOKE UPDATE, DELETE, TRUNCATE ON memories_auditentry, memories_auditseal, memories_auditgap FROM "{operator}"'
    )
    schema_editor.execute(f'REVOKE INSERT ON memories_auditseal, memories_auditgap FROM "{app}", "{operator}"')


class Migration(migrations.Migration):
    dependencies = [("memories", "0009_audit_chain")]

    operations = [
        migrations.RunSQL(
            UNSEALED,
            "DROP TRIGGER unsealed ON memories_auditentry; DROP FUNCTION memories_audit_unsealed()",
        ),
        migrations.RunSQL(APPEND_ONLY, migrations.RunSQL.noop),
        migrations.RunSQL(LEAF, "DROP FUNCTION nebo_audit_leaf(public.memories_auditentry)"),
        *[migrations.RunSQL(sql, f"DROP FUNCTION {name}") for name, sql in FUNCTIONS.items()],
        migrations.RunPython(grants, migrations.RunPython.noop),
    ]

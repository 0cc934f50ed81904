"""The two doors through which messages and people leave; the app's own role may delete neither.

Both are functions of the owner and work on the tenant of the transaction.

`nebo_remove_messages(most)` reads the tenant's window itself. It takes messages that are archived and were recorded
before the window: neither the time of recording nor the window can be written by the app's role.

`nebo_erase_person(erasure)` erases the person an `Erasure` names. It walks the foreign keys of the catalog, so a table
made later is covered without a word here, deletes the leaves first, and counts what it deletes. In the same step it
writes the entry of the audit log that says so. The order of locks is that of a turn (sessions, then the person).
"""

from django.conf import settings
from django.db import migrations

REMOVE_MESSAGES = """
CREATE FUNCTION nebo_remove_messages(most integer) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    team uuid := current_setting('nebo.tenant_id')::uuid;
    days integer;
    before timestamptz;
    removed integer;
BEGIN
    SELECT event_days INTO days FROM tenants_tenant WHERE id = team;
    IF coalesce(days, 0) = 0 THEN
        RETURN 0;
    END IF;
    before := clock_timestamp() - make_interval(days => days);
    WITH gone AS (
        DELETE FROM agent_sessions_message WHERE tenant_id = team AND id IN (
            SELECT id FROM agent_sessions_message
            WHERE tenant_id = team AND archived_at < before AND recorded_at < before
            ORDER BY archived_at, id LIMIT most)
        RETURNING session_id, seq
    ), unfound AS (
        DELETE FROM search_chunk c USING gone g
        WHERE c.tenant_id = team AND c.session_id = g.session_id AND c.source = 'session'
          AND g.seq BETWEEN c.seq_from AND coalesce(c.seq_to, c.seq_from)
    )
    SELECT count(*) INTO removed FROM gone;
    RETURN removed;
END $$;
"""
# Which rows of a table are a person's: by its own key to the person where every row has one, else by any of its keys.
OWNED_BY = """
CREATE FUNCTION nebo_owned_by(rel regclass) RETURNS text LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    link record;
    conditions text[] := '{}';
BEGIN
    FOR link IN
        SELECT a.attname AS name, a.attnotnull AS always, c.confrelid::regclass AS parent,
               c.confrelid = 'public.tenants_userprofile'::regclass AS direct
        FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[2]
        WHERE c.conrelid = rel AND c.contype = 'f' AND c.confdeltype = 'c' AND c.confrelid <> c.conrelid
        ORDER BY c.confrelid = 'public.tenants_userprofile'::regclass DESC
    LOOP
        IF link.direct AND link.always THEN
            RETURN format('%I = $2', link.name);
        ELSIF link.direct THEN
            conditions := conditions || format('%I = $2', link.name);
        ELSIF nebo_owned_by(link.parent) <> 'false' THEN
            conditions := conditions || format('%I IN (SELECT id FROM %s WHERE tenant_id = $1 AND (%s))',
                                               link.name, link.parent, nebo_owned_by(link.parent));
        END IF;
    END LOOP;
    RETURN coalesce(nullif(array_to_string(conditions, ' OR '), ''), 'false');
END $$;
"""
# Tables below the person, the leaves first; `unlinked` ones name a person without a key (search's, by trigger).
PERSONAL_TABLES = """
CREATE FUNCTION nebo_personal_tables() RETURNS TABLE (rel regclass, unlinked boolean) LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    WITH RECURSIVE below(child, depth) AS (
        SELECT conrelid, 1 FROM pg_constraint
        WHERE contype = 'f' AND confdeltype = 'c' AND confrelid = 'public.tenants_userprofile'::regclass
        UNION
        SELECT c.conrelid, b.depth + 1 FROM pg_constraint c JOIN below b ON c.confrelid = b.child
        WHERE c.contype = 'f' AND c.confdeltype = 'c' AND c.conrelid <> c.confrelid AND b.depth < 12
    ), linked AS (
        SELECT child, max(depth) AS depth FROM below GROUP BY child
    ), loose AS (
        SELECT c.oid FROM pg_class c
        WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
          AND (SELECT count(*) FROM pg_attribute a WHERE a.attrelid = c.oid AND NOT a.attisdropped
               AND a.attname IN ('tenant_id', 'profile_id')) = 2
          AND c.oid NOT IN (SELECT child FROM linked)
          AND c.oid NOT IN ('public.memories_auditentry'::regclass, 'public.governance_erasure'::regclass)
    )
    SELECT t.oid::regclass, t.loose
    FROM (SELECT oid, true AS loose, 99 AS depth FROM loose UNION ALL SELECT child, false, depth FROM linked) t
    ORDER BY t.depth DESC, t.oid
$$;
"""
ERASE = """
CREATE FUNCTION nebo_erase_person(wanted uuid) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    team uuid := current_setting('nebo.tenant_id')::uuid;
    erasure public.governance_erasure;
    person uuid;
    item record;
    told uuid := gen_random_uuid();
    gone bigint;
    sealed bigint;
    counts jsonb := '{}';
BEGIN
    SELECT * INTO erasure FROM governance_erasure WHERE tenant_id = team AND id = wanted FOR UPDATE;
    person := erasure.profile_id;
    IF person IS NULL OR erasure.erased_at IS NOT NULL THEN
        RETURN NULL;
    END IF;
    PERFORM 1 FROM agent_sessions_session WHERE tenant_id = team AND profile_id = person
    ORDER BY id FOR NO KEY UPDATE;
    PERFORM 1 FROM tenants_userprofile WHERE tenant_id = team AND id = person AND kind = 'person' FOR UPDATE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    PERFORM 1 FROM agent_sessions_session WHERE tenant_id = team AND profile_id = person
    ORDER BY id FOR NO KEY UPDATE;

    DELETE FROM django_admin_log WHERE object_id = person::text
        OR object_id IN (SELECT id::text FROM tenants_apikey WHERE tenant_id = team AND profile_id = person);
    GET DIAGNOSTICS gone = ROW_COUNT;
    counts := counts || jsonb_build_object('django_admin_log', gone);
    FOR item IN SELECT * FROM nebo_personal_tables() LOOP
        IF item.unlinked THEN
            EXECUTE format('DELETE FROM %s WHERE tenant_id = $1 AND profile_id = $2', item.rel) USING team, person;
        ELSE
            EXECUTE format('DELETE FROM %s WHERE tenant_id = $1 AND (%s)', item.rel, nebo_owned_by(item.rel))
            USING team, person;
        END IF;
        GET DIAGNOSTICS gone = ROW_COUNT;
        counts := counts || jsonb_build_object(item.rel::text, gone);
    END LOOP;
    DELETE FROM search_cachedembedding WHERE tenant_id = team;
    GET DIAGNOSTICS gone = ROW_COUNT;
    counts := counts || jsonb_build_object('search_cachedembedding', gone);
    DELETE FROM tenants_userprofile WHERE tenant_id = team AND id = person;
    counts := counts || jsonb_build_object('tenants_userprofile', 1);

    PERFORM pg_advisory_xact_lock(hashtextextended('nebo.seal:' || team, 0));
    PERFORM set_config('nebo.retention', 'on', true);
    INSERT INTO memories_auditgap (id, tenant_id, seal, entries, leaves, entry_id, created_at)
    SELECT gen_random_uuid(), team, e.seal, count(*), string_agg(nebo_audit_leaf(e), ''::bytea), told, clock_timestamp()
    FROM memories_auditentry e
    WHERE e.tenant_id = team AND e.seal IS NOT NULL AND e.profile_id = person GROUP BY e.seal;
    SELECT count(*) INTO sealed FROM memories_auditentry
    WHERE tenant_id = team AND seal IS NOT NULL AND profile_id = person;
    DELETE FROM memories_auditentry WHERE tenant_id = team AND profile_id = person;
    GET DIAGNOSTICS gone = ROW_COUNT;
    PERFORM set_config('nebo.retention', 'off', true);
    counts := counts || jsonb_build_object('memories_auditentry', gone);
    SELECT jsonb_object_agg(key, value) INTO counts FROM jsonb_each(counts) WHERE value::bigint > 0;

    INSERT INTO memories_auditentry
        (id, tenant_id, at, actor, action, object_type, object_id, profile_id, request_id, detail)
    VALUES (told, team, clock_timestamp(), erasure.requested_by, 'person.erased', 'erasure', erasure.id::text, NULL, '',
            jsonb_build_object('person', erasure.person, 'counts', counts, 'audit_entries', sealed));
    RETURN counts;
END $$;
"""
DOORS = {"nebo_remove_messages(integer)": REMOVE_MESSAGES, "nebo_erase_person(uuid)": ERASE}
PARTS = {"nebo_owned_by(regclass)": OWNED_BY, "nebo_personal_tables()": PERSONAL_TABLES}


def grants(apps, schema_editor):
    app = settings.DATABASE_ROLES["app"]
    for function in (*DOORS, *PARTS):
        schema_editor.execute(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC")
    for function in DOORS:
        schema_editor.execute(f'GRANT EXECUTE ON FUNCTION {function} TO "{app}"')
    # Sessions and people take their messages and memories along: they leave by the doors alone.
    schema_editor.execute(f'REVOKE DELETE ON agent_sessions_session, tenants_userprofile FROM "{app}"')


class Migration(migrations.Migration):
    dependencies = [
        ("governance", "0001_initial"),
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("agent_sessions", "0007_message_ages"),
        ("memories", "0010_audit_functions"),
        ("search", "0007_exchange"),
        ("tenants", "0005_windows"),
    ]

    operations = [
        *[migrations.RunSQL(sql, f"DROP FUNCTION {name}") for name, sql in {**PARTS, **DOORS}.items()],
        migrations.RunPython(grants, migrations.RunPython.noop),
    ]

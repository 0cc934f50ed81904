-- Remove sealed entries that are older than the tenant's window, and say how many. It reads the window itself, and counts
-- from the moment of sealing, which no caller can put back. It leaves an entry that says so.

CREATE OR REPLACE FUNCTION nebo_remove_audit(team uuid, most integer, actor text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    days integer;
    link public.memories_auditseal;
    removed integer := 0;
    gone integer;
    lowest bigint;
    highest bigint;
BEGIN
    IF team IS DISTINCT FROM current_setting('nebo.tenant_id')::uuid THEN
        RAISE EXCEPTION 'the open scope is another tenant''s' USING ERRCODE = 'insufficient_privilege';
    END IF;
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
            (id, tenant_id, at, actor, action, object_type, object_id, person_id, request_id, detail)
        VALUES (gen_random_uuid(), team, clock_timestamp(), left(actor, 120), 'audit.removed', 'audit', '', NULL, '',
                jsonb_build_object('first_seal', lowest, 'last_seal', highest, 'entries', removed));
    END IF;
    RETURN removed;
END $$;

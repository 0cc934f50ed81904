-- Seal the tenant's oldest entries that have no seal yet, at most so many, and say how many they were. Each seal names
-- the one before it by its digest. The lock keeps sealing, removing, erasing and checking apart.

CREATE OR REPLACE FUNCTION nebo_seal_audit(team uuid, most integer) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    ids uuid[];
    stretch bytea;
    newest timestamptz;
    link public.memories_auditseal;
BEGIN
    IF team IS DISTINCT FROM current_setting('nebo.tenant_id')::uuid THEN
        RAISE EXCEPTION 'the open scope is another tenant''s' USING ERRCODE = 'insufficient_privilege';
    END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('nebo.seal:' || team, 0));
    SELECT * INTO link FROM memories_auditseal WHERE tenant_id = team ORDER BY number DESC LIMIT 1;
    SELECT array_agg(id ORDER BY at, id), string_agg(leaf, ''::bytea ORDER BY at, id), max(at)
    INTO ids, stretch, newest
    FROM (SELECT e.id, e.at, nebo_audit_leaf(e.id, e.at, e.actor, e.action, e.object_type, e.object_id, e.person_id,
                                             e.request_id, e.detail) AS leaf
          FROM memories_auditentry e
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
    link.digest := encode(sha256(convert_to(concat_ws(E'\n', team, link.number, link.first_id, link.last_id,
        link.entries, link.root, link.previous), 'UTF8')), 'hex');
    INSERT INTO memories_auditseal SELECT link.*;
    PERFORM set_config('nebo.retention', 'on', true);
    UPDATE memories_auditentry SET seal = link.number WHERE tenant_id = team AND id = ANY (ids);
    PERFORM set_config('nebo.retention', 'off', true);
    RETURN link.entries;
END $$;

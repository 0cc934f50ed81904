-- The door through which a team's settings are changed; the app's own role may not write them. It writes the entry of the
-- audit log in the same step: nobody shortens a window, and so has messages removed, without leaving a line.

CREATE OR REPLACE FUNCTION nebo_change_settings(changes jsonb, who text, request text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    team uuid := current_setting('nebo.tenant_id')::uuid;
    known text[] := ARRAY['auto_extract', 'compaction_tokens', 'review_share', 'sensitive_classes', 'user_memory',
                          'recall', 'relevance_floor', 'team_memory', 'admins_look', 'archive_days', 'event_days', 'trash_days',
                          'audit_days', 'job_days', 'candidate_days', 'export_days'];
    held public.tenants_tenant;
    before jsonb;
    moved jsonb;
BEGIN
    SELECT * INTO STRICT held FROM tenants_tenant WHERE id = team FOR NO KEY UPDATE;
    before := to_jsonb(held);
    SELECT jsonb_object_agg(key, jsonb_build_array(before -> key, value)) INTO moved
    FROM jsonb_each(changes) WHERE key = ANY (known) AND before -> key IS DISTINCT FROM value;
    IF moved IS NULL THEN
        RETURN;
    END IF;
    held := jsonb_populate_record(held, changes);
    UPDATE tenants_tenant SET
        auto_extract = held.auto_extract, compaction_tokens = held.compaction_tokens,
        review_share = held.review_share, sensitive_classes = held.sensitive_classes, user_memory = held.user_memory, recall = held.recall,
        relevance_floor = held.relevance_floor, team_memory = held.team_memory, admins_look = held.admins_look,
        archive_days = held.archive_days, event_days = held.event_days, trash_days = held.trash_days,
        audit_days = held.audit_days, job_days = held.job_days, candidate_days = held.candidate_days, export_days = held.export_days
    WHERE id = team;
    INSERT INTO memories_auditentry
        (id, tenant_id, at, actor, action, object_type, object_id, person_id, request_id, detail)
    VALUES (gen_random_uuid(), team, clock_timestamp(), left(who, 120), 'settings.changed', 'tenant', team::text, NULL,
            left(request, 64), jsonb_build_object('changes', moved));
END $$;

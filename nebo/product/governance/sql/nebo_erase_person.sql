-- The door through which people leave: the app's own role may delete none.
--
-- It erases the person whom an `Erasure` of the tenant names, deletes the leaves first, and counts what it deletes. In the
-- same step it writes the entry of the audit log that says so. Postings name a person by their number in the corpus, so
-- they go while the corpus still has it. The order of locks is that of a turn: sessions, then the person.

CREATE OR REPLACE FUNCTION nebo_erase_person(team uuid, wanted uuid) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    erasure public.governance_erasure;
    person uuid;
    item record;
    entry uuid := gen_random_uuid();
    gone bigint;
    sealed bigint;
    counts jsonb := '{}';
BEGIN
    IF team IS DISTINCT FROM current_setting('nebo.tenant_id')::uuid THEN
        RAISE EXCEPTION 'the open scope is another tenant''s' USING ERRCODE = 'insufficient_privilege';
    END IF;
    SELECT * INTO erasure FROM governance_erasure WHERE tenant_id = team AND id = wanted FOR UPDATE;
    person := erasure.person_id;
    IF person IS NULL OR erasure.erased_at IS NOT NULL THEN
        RETURN NULL;
    END IF;
    PERFORM 1 FROM agent_sessions_session WHERE tenant_id = team AND person_id = person
    ORDER BY id FOR NO KEY UPDATE;
    PERFORM 1 FROM tenants_userprofile WHERE tenant_id = team AND id = person AND kind = 'person' FOR UPDATE;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    PERFORM 1 FROM agent_sessions_session WHERE tenant_id = team AND person_id = person
    ORDER BY id FOR NO KEY UPDATE;

    DELETE FROM django_admin_log WHERE object_id = person::text
        OR object_id IN (SELECT id::text FROM tenants_apikey WHERE tenant_id = team AND person_id = person);
    GET DIAGNOSTICS gone = ROW_COUNT;
    counts := counts || jsonb_build_object('django_admin_log', gone);
    DELETE FROM search_posting p USING search_corpus c
    WHERE p.tenant_id = team AND p.person_number = c.person_number AND c.tenant_id = team AND c.person_id = person;
    GET DIAGNOSTICS gone = ROW_COUNT;
    counts := counts || jsonb_build_object('search_posting', gone);
    FOR item IN SELECT * FROM nebo_personal_tables() LOOP
        IF item.unlinked THEN
            EXECUTE format('DELETE FROM %s WHERE tenant_id = $1 AND person_id = $2', item.rel) USING team, person;
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
    SELECT gen_random_uuid(), team, e.seal, count(*), string_agg(nebo_audit_leaf(
               e.id, e.at, e.actor, e.action, e.object_type, e.object_id, e.person_id, e.request_id, e.detail), ''::bytea),
           entry, clock_timestamp()
    FROM memories_auditentry e
    WHERE e.tenant_id = team AND e.seal IS NOT NULL AND e.person_id = person GROUP BY e.seal;
    SELECT count(*) INTO sealed FROM memories_auditentry
    WHERE tenant_id = team AND seal IS NOT NULL AND person_id = person;
    DELETE FROM memories_auditentry WHERE tenant_id = team AND person_id = person;
    GET DIAGNOSTICS gone = ROW_COUNT;
    PERFORM set_config('nebo.retention', 'off', true);
    counts := counts || jsonb_build_object('memories_auditentry', gone);
    SELECT jsonb_object_agg(key, value) INTO counts FROM jsonb_each(counts) WHERE value::bigint > 0;

    INSERT INTO memories_auditentry
        (id, tenant_id, at, actor, action, object_type, object_id, person_id, request_id, detail)
    VALUES (entry, team, clock_timestamp(), erasure.requested_by, 'person.erased', 'erasure', erasure.id::text, NULL, '',
            jsonb_build_object('person', erasure.person_digest, 'counts', counts, 'audit_entries', sealed));
    RETURN counts;
END $$;

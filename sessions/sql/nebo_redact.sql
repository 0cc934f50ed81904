-- The door through which words leave a message: the app's own role may change none.
--
-- It puts a mark in the place of stretches of a session's messages, and can put nothing else there. With the words go the
-- sightings that quote them, versions of the person's memories that have one of `words`, these words in what the person's
-- personas became, and what the compaction journal of the session says of that time. It leaves the entry of the audit log
-- itself, which holds ids and counts. Offsets are in characters; `cuts` is [{"message": id, "spans": [[start, end], …]}].

CREATE OR REPLACE FUNCTION nebo_redact(team uuid, wanted uuid, cuts jsonb, words text[], actor text, request text)
RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    mark constant text := '[redacted]';
    person uuid;
    cut record;
    span record;
    said text;
    since timestamptz;
    changed integer := 0;
BEGIN
    IF team IS DISTINCT FROM current_setting('nebo.tenant_id')::uuid THEN
        RAISE EXCEPTION 'the open scope is another tenant''s' USING ERRCODE = 'insufficient_privilege';
    END IF;
    SELECT person_id INTO person FROM agent_sessions_session WHERE tenant_id = team AND id = wanted;
    IF person IS NULL THEN
        RETURN 0;
    END IF;
    FOR cut IN SELECT (c->>'message')::uuid AS message, c->'spans' AS spans FROM jsonb_array_elements(cuts) c LOOP
        SELECT content INTO said FROM agent_sessions_message
        WHERE tenant_id = team AND session_id = wanted AND id = cut.message FOR NO KEY UPDATE;
        CONTINUE WHEN NOT FOUND;
        DELETE FROM memories_observation o WHERE o.tenant_id = team AND o.message_id = cut.message AND (
            o.quote_start IS NULL OR o.quote_end IS NULL OR EXISTS (
                SELECT FROM jsonb_array_elements(cut.spans) s
                WHERE (s->>0)::int < o.quote_end AND o.quote_start < (s->>1)::int));
        FOR span IN SELECT (s->>0)::int AS low, (s->>1)::int AS high FROM jsonb_array_elements(cut.spans) s
                    ORDER BY 1 DESC LOOP
            said := left(said, span.low) || mark || substr(said, span.high + 1);
        END LOOP;
        UPDATE agent_sessions_message SET content = said, shown = NULL
        WHERE tenant_id = team AND id = cut.message;
        changed := changed + 1;
        SELECT least(since, recorded_at) INTO since FROM agent_sessions_message
        WHERE tenant_id = team AND id = cut.message;
    END LOOP;
    DELETE FROM memories_observation o USING memories_memory m
    WHERE o.tenant_id = team AND m.tenant_id = team AND m.id = o.memory_id AND m.person_id = person
      AND EXISTS (SELECT FROM unnest(words) w WHERE strpos(lower(o.quote || ' ' || o.value), w) > 0);
    DELETE FROM memories_version v USING memories_memory m
    WHERE v.tenant_id = team AND m.tenant_id = team AND m.id = v.memory_id AND m.person_id = person
      AND EXISTS (SELECT FROM unnest(words) w WHERE strpos(lower(concat_ws(' ', v.before, v.after, v.reason)), w) > 0);
    UPDATE personality_personarevision r
    SET before = nebo_without_words(r.before, words), after = nebo_without_words(r.after, words)
    WHERE r.tenant_id = team AND r.person_id = person
      AND EXISTS (SELECT FROM unnest(words) w WHERE strpos(lower(concat_ws(' ', r.before, r.after)), w) > 0);
    UPDATE agent_sessions_compaction SET summary_before = '', summary_after = ''
    WHERE tenant_id = team AND session_id = wanted AND created_at >= since;
    INSERT INTO memories_auditentry
        (id, tenant_id, at, actor, action, object_type, object_id, person_id, request_id, detail)
    VALUES (gen_random_uuid(), team, clock_timestamp(), actor, 'message.redacted', 'session', wanted::text, person,
            request, jsonb_build_object('messages',
                (SELECT jsonb_agg(c->'message') FROM jsonb_array_elements(cuts) c), 'changed', changed));
    RETURN changed;
END $$;

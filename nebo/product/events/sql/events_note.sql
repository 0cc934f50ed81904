-- Notes an event for those who want it, in the transaction that made it so: without its commit nothing is told, and with it
-- nothing is lost. They are the team's endpoints that asked for its kind, and the stream if it was read within the last day.
-- Where nobody listens, nothing is written; nor of what was told long ago and comes back with an export (nebo.restoring).
--
-- It is called by triggers, and so in whatever role the change is made.

CREATE OR REPLACE FUNCTION events_note(team uuid, what text, whose uuid, about jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    noted uuid := gen_random_uuid();
    happened timestamptz := clock_timestamp();
BEGIN
    IF current_setting('nebo.restoring', true) = 'on' THEN
        RETURN;
    END IF;
    IF NOT EXISTS (SELECT FROM events_endpoint e WHERE e.tenant_id = team AND e.state <> 'disabled'
                   AND (e.events = '{}' OR what = ANY (e.events)))
       AND NOT EXISTS (SELECT FROM events_eventstream s WHERE s.tenant_id = team AND s.read_at > now() - interval '1 day')
    THEN
        RETURN;
    END IF;
    INSERT INTO events_event (id, tenant_id, type, person_id, data, created_at, xact)
    VALUES (noted, team, what, whose, about, happened, pg_current_xact_id()::text::bigint);
    INSERT INTO events_delivery (id, tenant_id, event_id, endpoint_id, state, due_at, attempts, log, created_at)
    SELECT gen_random_uuid(), team, noted, e.id, 'pending', happened, 0, '[]', happened
    FROM events_endpoint e
    WHERE e.tenant_id = team AND e.state <> 'disabled' AND (e.events = '{}' OR what = ANY (e.events));
END $$;

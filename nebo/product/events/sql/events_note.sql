-- Notes an event for those endpoints of a team that want it, in the transaction that made it so: without its commit nothing
-- is told, and with it nothing is lost. Where nobody listens, nothing is written.
--
-- It is called by triggers, and so in whatever role the change is made.

CREATE OR REPLACE FUNCTION events_note(team uuid, what text, whose uuid, about jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    noted uuid := gen_random_uuid();
    happened timestamptz := clock_timestamp();
BEGIN
    IF NOT EXISTS (SELECT FROM events_endpoint e WHERE e.tenant_id = team AND e.state <> 'disabled'
                   AND (e.events = '{}' OR what = ANY (e.events))) THEN
        RETURN;
    END IF;
    INSERT INTO events_event (id, tenant_id, type, person_id, data, created_at)
    VALUES (noted, team, what, whose, about, happened);
    INSERT INTO events_delivery (id, tenant_id, event_id, endpoint_id, state, due_at, attempts, log, created_at)
    SELECT gen_random_uuid(), team, noted, e.id, 'pending', happened, 0, '[]', happened
    FROM events_endpoint e
    WHERE e.tenant_id = team AND e.state <> 'disabled' AND (e.events = '{}' OR what = ANY (e.events));
END $$;

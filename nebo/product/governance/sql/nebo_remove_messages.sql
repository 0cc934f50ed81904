-- The door through which old messages leave: the app's own role may delete none.
--
-- It reads the tenant's window itself, and takes at most so many messages that are archived and were recorded before the
-- window: neither the time of recording nor the window can be written by the app's role. It says how many went.

CREATE OR REPLACE FUNCTION nebo_remove_messages(team uuid, most integer) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    days integer;
    before timestamptz;
    removed integer;
BEGIN
    IF team IS DISTINCT FROM current_setting('nebo.tenant_id')::uuid THEN
        RAISE EXCEPTION 'the open scope is another tenant''s' USING ERRCODE = 'insufficient_privilege';
    END IF;
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

-- Something of a team has just been committed: what replicas must have replayed before they show it. Asked after the commit,
-- so that its record is below the position. A position that the log hasn't reached is of another server's log.

CREATE OR REPLACE FUNCTION nebo_note_position(written uuid) RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
    INSERT INTO public.tenants_position AS held (team, position) VALUES (written, pg_current_wal_insert_lsn())
    ON CONFLICT (team) DO UPDATE
    SET position = greatest(excluded.position, least(held.position, pg_current_wal_insert_lsn()))
$$;

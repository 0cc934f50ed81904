-- What a replica must have replayed to show a team all that was written of it, and how far the log is now, both in bytes
-- since its beginning. A team of which nothing is noted counts as written to just now.

CREATE OR REPLACE FUNCTION nebo_find_position(wanted uuid) RETURNS TABLE (needed bigint, reached bigint)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
    now_at pg_lsn := pg_current_wal_insert_lsn();
    everybody uuid := '00000000-0000-0000-0000-000000000000';
    known integer;
    newest pg_lsn;
BEGIN
    SELECT count(*), max(position) INTO known, newest FROM public.tenants_position WHERE team IN (wanted, everybody);
    IF known < 2 THEN
        INSERT INTO public.tenants_position (team, position) VALUES (wanted, now_at), (everybody, now_at)
        ON CONFLICT DO NOTHING;
        newest := now_at;
    END IF;
    RETURN QUERY SELECT (least(newest, now_at) - '0/0')::bigint, (now_at - '0/0')::bigint;
END $$;

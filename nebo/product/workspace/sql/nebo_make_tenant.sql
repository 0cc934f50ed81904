-- The door through which somebody who signs up gets a team of their own; the app's own role may not add one. It takes the
-- row as the model fills it in, so a setting that is new needs no word here, and lets nobody decide on its id's neighbours:
-- what belongs to the team is added in its scope, behind the walls, in the same transaction.

CREATE OR REPLACE FUNCTION nebo_make_tenant(given jsonb) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
    INSERT INTO public.tenants_tenant
    SELECT (jsonb_populate_record(NULL::public.tenants_tenant, given || jsonb_build_object('created_at', clock_timestamp()))).*
$$;

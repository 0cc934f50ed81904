-- The condition that says which rows of a table are a person's ($2), of a tenant ($1): by its own key to the person where
-- every row has one, else by any of its keys.

CREATE OR REPLACE FUNCTION nebo_owned_by(rel regclass) RETURNS text LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    link record;
    conditions text[] := '{}';
BEGIN
    FOR link IN
        SELECT a.attname AS name, a.attnotnull AS always, c.confrelid::regclass AS parent,
               c.confrelid = 'public.tenants_userprofile'::regclass AS direct
        FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[2]
        WHERE c.conrelid = rel AND c.contype = 'f' AND c.confdeltype = 'c' AND c.confrelid <> c.conrelid
        ORDER BY c.confrelid = 'public.tenants_userprofile'::regclass DESC
    LOOP
        IF link.direct AND link.always THEN
            RETURN format('%I = $2', link.name);
        ELSIF link.direct THEN
            conditions := conditions || format('%I = $2', link.name);
        ELSIF nebo_owned_by(link.parent) <> 'false' THEN
            conditions := conditions || format('%I IN (SELECT id FROM %s WHERE tenant_id = $1 AND (%s))',
                                               link.name, link.parent, nebo_owned_by(link.parent));
        END IF;
    END LOOP;
    RETURN coalesce(nullif(array_to_string(conditions, ' OR '), ''), 'false');
END $$;

-- The digest of one entry, of which seals are made: SHA-256 of its fields as JSON. It takes them one by one: a row of a part
-- of the table, as a distributed database has it, is of another type.

CREATE OR REPLACE FUNCTION nebo_audit_leaf(id uuid, at timestamptz, actor text, action text, object_type text, object_id text,
                                           person_id uuid, request_id text, detail jsonb)
RETURNS bytea LANGUAGE sql STABLE AS $$
    SELECT sha256(convert_to(jsonb_build_array(
        id, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), actor, action,
        object_type, object_id, person_id, request_id, detail)::text, 'UTF8'))
$$;

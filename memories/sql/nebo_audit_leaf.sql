-- The digest of one entry, of which seals are made: SHA-256 of its fields as JSON.

CREATE OR REPLACE FUNCTION nebo_audit_leaf(entry public.memories_auditentry) RETURNS bytea LANGUAGE sql STABLE AS $$
    SELECT sha256(convert_to(jsonb_build_array(
        entry.id, to_char(entry.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), entry.actor, entry.action,
        entry.object_type, entry.object_id, entry.person_id, entry.request_id, entry.detail)::text, 'UTF8'))
$$;

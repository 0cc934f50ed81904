-- Tables below the person, the leaves first; `unlinked` ones name a person without a key (search's, by trigger). They are
-- found by the catalog's foreign keys, so a table made later is among them without a word here.

CREATE OR REPLACE FUNCTION nebo_personal_tables() RETURNS TABLE (rel regclass, unlinked boolean) LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    WITH RECURSIVE below(child, depth) AS (
        SELECT conrelid, 1 FROM pg_constraint
        WHERE contype = 'f' AND confdeltype = 'c' AND confrelid = 'public.tenants_userprofile'::regclass
        UNION
        SELECT c.conrelid, b.depth + 1 FROM pg_constraint c JOIN below b ON c.confrelid = b.child
        WHERE c.contype = 'f' AND c.confdeltype = 'c' AND c.conrelid <> c.confrelid AND b.depth < 12
    ), linked AS (
        SELECT child, max(depth) AS depth FROM below GROUP BY child
    ), loose AS (
        SELECT c.oid FROM pg_class c
        WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
          AND (SELECT count(*) FROM pg_attribute a WHERE a.attrelid = c.oid AND NOT a.attisdropped
               AND a.attname IN ('tenant_id', 'person_id')) = 2
          AND c.oid NOT IN (SELECT child FROM linked)
          AND c.oid NOT IN ('public.memories_auditentry'::regclass, 'public.governance_erasure'::regclass)
    )
    SELECT t.oid::regclass, t.loose
    FROM (SELECT oid, true AS loose, 99 AS depth FROM loose UNION ALL SELECT child, false, depth FROM linked) t
    ORDER BY t.depth DESC, t.oid
$$;

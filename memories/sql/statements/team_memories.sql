-- What others of the team shared that may answer a question, found by words and, if it has one, by vector; with the names
-- of who shared it. What is shared is little, so both legs start from it. Nothing of a login that may no
-- longer enter, and of somebody who is to be erased.

WITH shared AS MATERIALIZED (
    SELECT m.id, m.person_id, m.shared_by
    FROM (
        SELECT * FROM memories_memory
        WHERE tenant_id = %(tenant_id)s AND shared_at >= '-infinity'
        ORDER BY shared_at DESC LIMIT %(most)s OFFSET 0
    ) m
    WHERE m.person_id <> %(person_id)s AND m.status = 'active' AND m.scope = 'user' AND m.persona_id IS NULL
      AND (m.expires_at IS NULL OR m.expires_at > now())
      AND (m.confidence >= %(gate)s OR m.pinned OR m.confirmed_at IS NOT NULL)
),

-- Who shared it, and the key that did where one did.
authors AS MATERIALIZED (
    SELECT p.id, p.display_name, p.external_id FROM (SELECT DISTINCT person_id FROM shared) s
    CROSS JOIN LATERAL (
        SELECT * FROM tenants_userprofile WHERE tenant_id = %(tenant_id)s AND id = s.person_id OFFSET 0) p
    WHERE p.kind = 'person' AND NOT starts_with(p.external_id, 'erased:')
      AND (p.login_id IS NULL OR EXISTS (SELECT FROM tenants_user WHERE id = p.login_id AND is_active))
), keys AS MATERIALIZED (
    SELECT k.id, k.shown FROM (
        SELECT DISTINCT substr(shared_by, 5)::uuid AS id FROM shared WHERE starts_with(shared_by, 'key:')) s
    CROSS JOIN LATERAL (
        SELECT id, coalesce(nullif(name, ''), public_id) AS shown
        FROM tenants_apikey WHERE tenant_id = %(tenant_id)s AND id = s.id OFFSET 0) k
),

wanted AS MATERIALIZED (
    SELECT c.id, s.id AS memory_id, s.person_id FROM shared s CROSS JOIN LATERAL (
        SELECT id FROM search_chunk WHERE tenant_id = %(tenant_id)s AND memory_id = s.id OFFSET 0) c
    WHERE (s.person_id IN (SELECT id FROM authors)) IS TRUE
),

-- By words: how many of the question's a passage holds. Postings name their person by a number.
numbers AS MATERIALIZED (
    SELECT ARRAY(
        SELECT person_number FROM search_corpus
        WHERE tenant_id = %(tenant_id)s AND person_id = ANY(ARRAY(SELECT id FROM authors))) AS all
), by_words AS MATERIALIZED (
    SELECT p.chunk_id AS id, count(*)::int AS words FROM (
        SELECT DISTINCT left(lexeme, 255) AS lexeme FROM unnest(%(languages)s::text[]) AS language,
               unnest(to_tsvector(language::regconfig, %(text)s))
    ) w CROSS JOIN LATERAL (
        SELECT chunk_id FROM search_posting
        WHERE tenant_id = %(tenant_id)s AND person_number = ANY((SELECT n.all FROM numbers n)::int[])
          AND lexeme = w.lexeme OFFSET 0) p
    WHERE (p.chunk_id IN (SELECT id FROM wanted)) IS TRUE
    GROUP BY p.chunk_id ORDER BY words DESC, p.chunk_id DESC LIMIT %(leg)s
),

by_vector AS MATERIALIZED (
    SELECT w.id, w.memory_id, e.similarity FROM wanted w CROSS JOIN LATERAL (
        SELECT -(vector <#> %(vector)s::halfvec) AS similarity FROM search_embedding
        WHERE %(vector)s::halfvec IS NOT NULL
          AND tenant_id = %(tenant_id)s AND person_id = w.person_id AND model_id = %(model_id)s
          AND chunk_id = w.id OFFSET 0) e
), found AS (
    SELECT id FROM by_words
    UNION
    (SELECT id FROM by_vector ORDER BY similarity DESC, id LIMIT %(leg)s)
),

-- `IS TRUE` keeps the planner from making joins of such conditions: it probes a hash whatever it believes of the sizes.
best AS MATERIALIZED (
    SELECT id, memory_id, person_id FROM wanted WHERE (id IN (SELECT id FROM found)) IS TRUE
)

SELECT m.id, m.value, m.trust, m.shared_at, a.display_name, a.external_id, coalesce(k.shown, ''),
       max(v.similarity)::float8, coalesce(max(w.words), 0)
FROM best b CROSS JOIN LATERAL (
    SELECT id, value, trust, shared_at, shared_by FROM memories_memory
    WHERE tenant_id = %(tenant_id)s AND id = b.memory_id OFFSET 0) m
JOIN authors a ON a.id = b.person_id
LEFT JOIN keys k ON m.shared_by = 'key:' || k.id
LEFT JOIN by_vector v ON v.id = b.id
LEFT JOIN by_words w ON w.id = b.id
GROUP BY m.id, m.value, m.trust, m.shared_at, a.display_name, a.external_id, k.shown

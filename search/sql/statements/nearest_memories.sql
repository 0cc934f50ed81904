-- Live memories by cosine, the nearest first. A memory has two chunks at most, so a few more than asked for are looked
-- at: some may have run out.

WITH
-- The person and everyone's profile, whose memories are each person's too.
people AS MATERIALIZED (
    SELECT ARRAY[%(person_id)s::uuid, (
        SELECT id FROM tenants_userprofile WHERE tenant_id = %(tenant_id)s AND kind = 'shared')] AS ids
), wanted AS MATERIALIZED (
    SELECT c.id, c.person_id, c.memory_id FROM search_chunk c
    WHERE c.tenant_id = %(tenant_id)s AND c.person_id = ANY((SELECT ids FROM people)::uuid[])
      AND c.memory_id IS NOT NULL AND (c.persona_id IS NULL OR c.persona_id = %(persona_id)s)
      AND (c.session_id IS NULL OR c.session_id = %(session_id)s)
), near AS (
    SELECT w.memory_id, e.similarity
    FROM wanted w CROSS JOIN LATERAL (
        SELECT -(vector <#> %(vector)s::halfvec) AS similarity FROM search_embedding
        WHERE tenant_id = %(tenant_id)s AND person_id = w.person_id AND model_id = %(model_id)s
          AND chunk_id = w.id OFFSET 0) e
    ORDER BY e.similarity DESC LIMIT %(limit)s * 4
)
SELECT m.id, max(near.similarity) AS similarity
FROM near CROSS JOIN LATERAL (
    SELECT * FROM memories_memory WHERE tenant_id = %(tenant_id)s AND id = near.memory_id OFFSET 0) m
WHERE m.status = 'active' AND (m.scope <> 'session' OR m.session_id = %(session_id)s)
  AND (m.expires_at IS NULL OR m.expires_at > now())
GROUP BY m.id ORDER BY similarity DESC, m.id LIMIT %(limit)s

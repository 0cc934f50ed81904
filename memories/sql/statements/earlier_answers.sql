-- What each of these memories has replaced, and what that had replaced, as far back as it goes. A memory that came in
-- the place of several has them all.

WITH RECURSIVE answers AS (
    SELECT head.id AS head, head.id, 0 AS steps FROM unnest(%(memory_ids)s::uuid[]) AS head (id)
    UNION ALL
    SELECT a.head, m.id, a.steps + 1
    FROM answers a CROSS JOIN LATERAL (
        SELECT id FROM memories_memory WHERE tenant_id = %(tenant_id)s AND superseded_by_id = a.id OFFSET 0) m
    WHERE a.steps < %(most_steps)s
)
SELECT id, head FROM answers WHERE steps > 0 LIMIT %(limit)s

-- The results as they are shown: text, address, and the messages a passage is about.

SELECT c.id, c.text, c.start, c."end", coalesce(m.namespace, '') AS namespace, coalesce(m.key, '') AS key,
       coalesce(m.created_at, c.occurred_at) AS created_at, said.ids AS message_ids, said.external_ids
FROM unnest(%(ids)s::bigint[]) AS wanted(id)
CROSS JOIN LATERAL (
    SELECT id, text, start, "end", memory_id, session_id, seq_from, seq_to, occurred_at
    FROM search_chunk WHERE tenant_id = %(tenant_id)s AND id = wanted.id AND text <> '' OFFSET 0) c
LEFT JOIN LATERAL (
    SELECT namespace, key, created_at FROM memories_memory
    WHERE tenant_id = %(tenant_id)s AND id = c.memory_id OFFSET 0) m ON true
LEFT JOIN LATERAL (
    SELECT array_agg(id ORDER BY seq) AS ids, array_agg(external_id ORDER BY seq) AS external_ids
    FROM agent_sessions_message
    WHERE tenant_id = %(tenant_id)s AND c.memory_id IS NULL
      AND session_id = c.session_id AND seq >= c.seq_from AND seq <= c.seq_to OFFSET 0) said ON true

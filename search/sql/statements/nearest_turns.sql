-- Turns by cosine, the nearest first, whoever may find them: for what is done on a person's behalf, never for an answer.

SELECT c.session_id, c.seq_from, n.similarity
FROM (
    SELECT chunk_id, -(vector <#> %(vector)s::halfvec) AS similarity FROM search_embedding
    WHERE tenant_id = %(tenant_id)s AND person_id = %(person_id)s AND model_id = %(model_id)s
    ORDER BY similarity DESC LIMIT %(limit)s
) n
CROSS JOIN LATERAL (
    SELECT session_id, seq_from, memory_id FROM search_chunk
    WHERE tenant_id = %(tenant_id)s AND id = n.chunk_id OFFSET 0) c
WHERE c.memory_id IS NULL

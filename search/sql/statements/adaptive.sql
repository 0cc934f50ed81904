-- The candidates of `ranking=adaptive`. Full text first: every word of the question, by the rules of one of its
-- languages. Patterns where it finds nothing. The over-fetch counts for memories and transcripts apart.
--
-- Its first parts and `by_vector` are those of candidates.sql, which says why they stand so.

WITH
people AS MATERIALIZED (
    SELECT p.ids, ARRAY(
        SELECT person_number FROM search_corpus WHERE tenant_id = %(tenant_id)s AND person_id = ANY(p.ids)) AS numbers
    FROM (SELECT ARRAY[%(person_id)s::uuid, (
        SELECT id FROM tenants_userprofile WHERE tenant_id = %(tenant_id)s AND kind = 'shared')] AS ids OFFSET 0) p
), hidden AS MATERIALIZED (
    SELECT id FROM search_chunk
    WHERE NOT %(memories_alone)s::bool
      AND tenant_id = %(tenant_id)s AND person_id = ANY((SELECT ids FROM people)::uuid[])
      AND (persona_id IS NOT NULL OR (memory_id IS NOT NULL AND session_id IS NOT NULL))
      AND (persona_id <> %(persona_id)s OR (memory_id IS NOT NULL AND session_id <> %(session_id)s))
    UNION ALL
    SELECT id FROM search_chunk
    WHERE %(turns_alone)s::bool
      AND tenant_id = %(tenant_id)s AND person_id = ANY((SELECT ids FROM people)::uuid[]) AND memory_id IS NOT NULL
), wanted AS MATERIALIZED (
    SELECT c.id, c.person_id, c.memory_id FROM search_chunk c
    WHERE %(memories_alone)s::bool
      AND c.tenant_id = %(tenant_id)s AND c.person_id = ANY((SELECT ids FROM people)::uuid[])
      AND c.memory_id IS NOT NULL AND (c.persona_id IS NULL OR c.persona_id = %(persona_id)s)
      AND (c.session_id IS NULL OR c.session_id = %(session_id)s)
      AND (NOT %(filtered)s::bool OR EXISTS (
          SELECT FROM memories_memory m
          WHERE m.tenant_id = %(tenant_id)s AND m.id = c.memory_id
            AND (%(layer)s = '' OR m.layer = %(layer)s)
            AND (%(namespace)s = '' OR m.namespace = %(namespace)s OR starts_with(m.namespace, %(namespace)s || '/'))
            AND (cardinality(%(types)s::text[]) = 0 OR m.type = ANY(%(types)s::text[])) OFFSET 0))
),

-- By words.
terms AS MATERIALIZED (
    SELECT DISTINCT language, left(lexeme, 255) AS lexeme FROM unnest(%(languages)s::text[]) AS language,
           unnest(to_tsvector(language::regconfig, %(text)s))
), corpus AS MATERIALIZED (
    SELECT greatest(sum(chunks), 1)::float8 AS n,
           greatest(sum(length)::float8 / greatest(sum(chunks), 1)::float8, 1) AS mean_length
    FROM search_corpus WHERE tenant_id = %(tenant_id)s AND person_id = ANY((SELECT ids FROM people)::uuid[])
), hits AS (
    SELECT p.chunk_id, t.language, p.tf, p.length / c.mean_length AS length,
           ln(1::float8 + (greatest(c.n, p.df) - p.df + 0.5::float8) / (p.df + 0.5::float8)) AS idf
    FROM corpus c CROSS JOIN terms t CROSS JOIN LATERAL (
        SELECT chunk_id, tf::float8, length, (count(*) OVER ())::float8 AS df FROM search_posting
        WHERE tenant_id = %(tenant_id)s AND person_number = ANY((SELECT numbers FROM people)::int[])
          AND lexeme = t.lexeme OFFSET 0) p
), matched AS (
    SELECT h.chunk_id, sum(h.idf * h.tf * (%(k1)s::float8 + 1)
           / (h.tf + %(k1)s::float8 * (1 - %(b)s::float8 + %(b)s::float8 * h.length))) AS bm25
    FROM hits h
    WHERE CASE WHEN %(memories_alone)s::bool THEN h.chunk_id IN (SELECT id FROM wanted)
               ELSE h.chunk_id NOT IN (SELECT id FROM hidden) END
    GROUP BY h.chunk_id, h.language
    HAVING count(*) = (SELECT count(*) FROM terms t WHERE t.language = h.language)
), best AS (
    SELECT chunk_id, max(bm25) AS bm25 FROM matched GROUP BY chunk_id
), ordered AS (
    SELECT b.chunk_id, b.bm25,
           row_number() OVER (PARTITION BY c.memory_id IS NULL ORDER BY b.bm25 DESC, b.chunk_id) AS place
    FROM best b CROSS JOIN LATERAL (
        SELECT memory_id FROM search_chunk WHERE tenant_id = %(tenant_id)s AND id = b.chunk_id OFFSET 0) c
), by_words AS MATERIALIZED (
    SELECT chunk_id, bm25 FROM ordered WHERE place <= %(leg)s
),

-- By the question as it is written.
by_pattern AS MATERIALIZED (
    SELECT id AS chunk_id FROM search_chunk
    WHERE tenant_id = %(tenant_id)s AND person_id = ANY((SELECT ids FROM people)::uuid[])
      AND memory_id IS NOT NULL
      AND CASE WHEN %(memories_alone)s::bool THEN id IN (SELECT id FROM wanted)
               ELSE id NOT IN (SELECT id FROM hidden) END
      AND (heading ILIKE %(pattern)s OR text ILIKE %(pattern)s)
      AND NOT EXISTS (SELECT FROM by_words) ORDER BY id LIMIT %(leg)s
),

-- By vector.
indexed AS MATERIALIZED (
    SELECT person_id AS id FROM search_corpus
    WHERE NOT %(memories_alone)s::bool AND %(vector)s::halfvec IS NOT NULL AND %(leg)s <= 1000
      AND tenant_id = %(tenant_id)s AND person_id = ANY((SELECT ids FROM people)::uuid[])
      AND indexed_model_id = %(model_id)s
), by_vector AS (
    SELECT chunk_id FROM (
        SELECT e.chunk_id, e.distance FROM unnest((SELECT ids FROM people)) AS o(id) CROSS JOIN LATERAL (
            SELECT chunk_id, vector <#> %(vector)s::halfvec AS distance FROM search_embedding
            WHERE tenant_id = %(tenant_id)s AND person_id >= o.id AND person_id <= o.id
              AND model_id = %(model_id)s AND chunk_id NOT IN (SELECT id FROM hidden)
            ORDER BY distance, chunk_id LIMIT %(leg)s) e
        WHERE NOT %(memories_alone)s::bool AND %(vector)s::halfvec IS NOT NULL AND o.id NOT IN (SELECT id FROM indexed)
        UNION ALL
        SELECT n.chunk_id, n.distance FROM indexed AS o CROSS JOIN LATERAL search_nearest(
            %(tenant_id)s, o.id, %(model_id)s::smallint, %(vector)s::halfvec,
            ARRAY(SELECT id FROM hidden), %(leg)s::int) n
        UNION ALL
        SELECT w.id, e.distance FROM wanted w CROSS JOIN LATERAL (
            SELECT vector <#> %(vector)s::halfvec AS distance FROM search_embedding
            WHERE tenant_id = %(tenant_id)s AND person_id = w.person_id AND model_id = %(model_id)s
              AND chunk_id = w.id OFFSET 0) e
        WHERE %(vector)s::halfvec IS NOT NULL
        ORDER BY distance, chunk_id LIMIT %(leg)s) best
),

found AS (
    SELECT chunk_id FROM by_words UNION SELECT chunk_id FROM by_pattern UNION SELECT chunk_id FROM by_vector
)
SELECT c.id, c.memory_id, c.session_id, c.seq_from, c.seq_to, c.speaker, m.namespace, m.key, w.bm25,
       p.chunk_id IS NOT NULL AS has_pattern, e.similarity AS vector
FROM found f
CROSS JOIN LATERAL (SELECT * FROM search_chunk WHERE tenant_id = %(tenant_id)s AND id = f.chunk_id OFFSET 0) c
LEFT JOIN LATERAL (
    SELECT * FROM memories_memory WHERE tenant_id = %(tenant_id)s AND id = c.memory_id OFFSET 0) m
    ON m.status = 'active' AND (m.scope <> 'session' OR m.session_id = %(session_id)s)
   AND (m.expires_at IS NULL OR m.expires_at > now())
LEFT JOIN by_words w ON w.chunk_id = c.id
LEFT JOIN by_pattern p ON p.chunk_id = c.id
LEFT JOIN LATERAL (
    SELECT -(vector <#> %(vector)s::halfvec) AS similarity FROM search_embedding
    WHERE %(vector)s::halfvec IS NOT NULL AND tenant_id = %(tenant_id)s AND person_id = c.person_id
      AND model_id = %(model_id)s AND chunk_id = c.id AND c.id IN (SELECT chunk_id FROM by_vector) OFFSET 0) e ON true
WHERE c.memory_id IS NULL OR m.key IS NOT NULL

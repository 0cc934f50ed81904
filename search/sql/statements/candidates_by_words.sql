-- What may answer a question by its words alone: it has no vector, or isn't to be asked by it.
--
-- Its parts read as in candidates.sql, which says why they are written so.

WITH
-- The person and everyone's profile, whose memories are each person's too: their ids, and the numbers that their
-- postings name them by, which are none before their first chunk.
people AS MATERIALIZED (
    SELECT p.ids, ARRAY(
        SELECT person_number FROM search_corpus WHERE tenant_id = %(tenant_id)s AND person_id = ANY(p.ids)) AS numbers
    FROM (SELECT ARRAY[%(person_id)s::uuid, (
        SELECT id FROM tenants_userprofile WHERE tenant_id = %(tenant_id)s AND kind = 'shared')] AS ids OFFSET 0) p
),

-- Other personas' chunks, and memories of other sessions: entered by an index of nothing but such chunks. And all
-- memories, where transcripts alone are asked for.
hidden AS MATERIALIZED (
    SELECT id FROM search_chunk
    WHERE tenant_id = %(tenant_id)s AND person_id = ANY((SELECT ids FROM people)::uuid[])
      AND (persona_id IS NOT NULL OR (memory_id IS NOT NULL AND session_id IS NOT NULL))
      AND (persona_id <> %(persona_id)s OR (memory_id IS NOT NULL AND session_id <> %(session_id)s))
    UNION ALL
    SELECT id FROM search_chunk
    WHERE %(turns_alone)s::bool
      AND tenant_id = %(tenant_id)s AND person_id = ANY((SELECT ids FROM people)::uuid[]) AND memory_id IS NOT NULL
),

-- A name that the person's corpus doesn't hold stands for those it holds one letter away: left out, put in, exchanged
-- or swapped. All of them are looked up in one scan of the index, and only for such names.
strange AS MATERIALIZED (
    SELECT n.lexeme FROM (
        SELECT DISTINCT left(lexeme, %(name_letters)s) AS lexeme FROM unnest(%(names)s::text[]) AS name,
               unnest(to_tsvector((%(languages)s::text[])[1]::regconfig, name))
    ) n CROSS JOIN LATERAL (
        SELECT count(*) AS times FROM (
            SELECT FROM search_posting
            WHERE tenant_id = %(tenant_id)s AND person_number = ANY((SELECT numbers FROM people)::int[])
              AND lexeme = n.lexeme LIMIT 1) p OFFSET 0) known
    WHERE known.times = 0 AND length(n.lexeme) > 3 LIMIT %(strange_names)s
), slips AS MATERIALIZED (
    SELECT overlay(s.lexeme PLACING '' FROM at FOR 1) AS lexeme
    FROM strange s, generate_series(1, length(s.lexeme)) AS at
    UNION ALL
    SELECT overlay(s.lexeme PLACING reverse(substr(s.lexeme, at, 2)) FROM at FOR 2)
    FROM strange s, generate_series(1, length(s.lexeme) - 1) AS at
    UNION ALL
    SELECT overlay(s.lexeme PLACING letter FROM at FOR width)
    FROM strange s, generate_series(1, length(s.lexeme) + 1) AS at, unnest(ARRAY[0, 1]) AS width,
         string_to_table(%(letters)s, NULL) AS letter
), near_names AS MATERIALIZED (
    SELECT DISTINCT p.lexeme FROM (SELECT array_agg(DISTINCT lexeme) AS all FROM slips) s
    CROSS JOIN unnest((SELECT numbers FROM people)) AS o(number) CROSS JOIN LATERAL (
        SELECT lexeme FROM search_posting
        WHERE tenant_id = %(tenant_id)s AND person_number >= o.number AND person_number <= o.number
          AND lexeme = ANY(s.all) OFFSET 0) p
),

-- By words: BM25 over the person's own corpus. df comes with the postings, N and the mean length from the counters.
-- Forms of one word that no stem joins (“go went gone”) are one term.
words AS (
    SELECT left(lexeme, 255) AS lexeme FROM unnest(%(languages)s::text[]) AS language,
           unnest(to_tsvector(language::regconfig, %(text)s))
    UNION
    SELECT lexeme FROM near_names
), forms AS MATERIALIZED (
    SELECT DISTINCT ON (l.lexeme) l.lexeme, f.word
    FROM unnest(%(forms)s::text[]) WITH ORDINALITY AS f(forms, word), unnest(to_tsvector('english', f.forms)) AS l
    ORDER BY l.lexeme, f.word
), terms AS MATERIALIZED (
    SELECT array_agg(lexeme) AS lexemes, (row_number() OVER (ORDER BY min(lexeme)))::int AS number FROM (
        SELECT lexeme, word FROM words LEFT JOIN forms USING (lexeme)
        UNION
        SELECT lexeme, word FROM forms) w
    GROUP BY word, CASE WHEN word IS NULL THEN lexeme END
), corpus AS MATERIALIZED (
    SELECT greatest(sum(chunks), 1)::float8 AS n,
           greatest(sum(length)::float8 / greatest(sum(chunks), 1)::float8, 1) AS mean_length
    FROM search_corpus WHERE tenant_id = %(tenant_id)s AND person_id = ANY((SELECT ids FROM people)::uuid[])
), found AS (
    SELECT p.chunk_id, t.number, p.tf, p.length / c.mean_length AS length,
           ln(1::float8 + (greatest(c.n, p.df) - p.df + 0.5::float8) / (p.df + 0.5::float8)) AS idf
    FROM corpus c CROSS JOIN terms t CROSS JOIN LATERAL (
        SELECT chunk_id, tf::float8, length, (count(*) OVER ())::float8 AS df FROM search_posting
        WHERE tenant_id = %(tenant_id)s AND person_number = ANY((SELECT numbers FROM people)::int[])
          AND lexeme = ANY(t.lexemes) OFFSET 0) p
), hits AS MATERIALIZED (
    SELECT chunk_id, number, idf * tf * (%(k1)s::float8 + 1)
           / (tf + %(k1)s::float8 * (1 - %(b)s::float8 + %(b)s::float8 * length)) AS points
    FROM found
), by_words AS (
    SELECT chunk_id, row_number() OVER (ORDER BY score DESC, chunk_id) AS place FROM (
        SELECT chunk_id, sum(points) AS score FROM hits
        WHERE chunk_id NOT IN (SELECT id FROM hidden)
        GROUP BY chunk_id ORDER BY score DESC, chunk_id LIMIT %(leg)s) best
),

-- Where the question asks when: the chunks with a word for a time.
timed AS (
    SELECT p.chunk_id FROM (
        SELECT DISTINCT lexeme FROM unnest(%(languages)s::text[]) AS language,
               unnest(to_tsvector(language::regconfig, %(times)s))
    ) t CROSS JOIN LATERAL (
        SELECT chunk_id FROM search_posting
        WHERE tenant_id = %(tenant_id)s AND person_number = ANY((SELECT numbers FROM people)::int[])
          AND lexeme = t.lexeme OFFSET 0) p
),

-- What the legs brought; of the better part of a transcript's also the messages next to it, itself among them.
anchor AS MATERIALIZED (
    SELECT c.* FROM (
        SELECT chunk_id, CASE WHEN min(place) <= %(near)s THEN %(gap)s::int ELSE 0 END AS gap
        FROM by_words GROUP BY chunk_id) f
    CROSS JOIN LATERAL (
        SELECT id, person_id, memory_id, session_id, seq_from - f.gap AS low, seq_to + f.gap AS high, occurred_at
        FROM search_chunk WHERE tenant_id = %(tenant_id)s AND id = f.chunk_id OFFSET 0) c
), beside AS MATERIALIZED (
    SELECT DISTINCT ON (n.id) n.* FROM anchor a CROSS JOIN LATERAL (
        SELECT id, person_id, session_id, seq_from, seq_to, speaker, by_agent, occurred_at, length,
               right(rtrim(text), 1) IN ('?', '？', '؟', '՞') AS asks FROM search_chunk
        WHERE tenant_id = %(tenant_id)s AND session_id = a.session_id
          AND seq_from >= a.low AND seq_from <= a.high AND memory_id IS NULL
          AND (persona_id IS NULL OR persona_id = %(persona_id)s) OFFSET 0) n
    WHERE a.memory_id IS NULL ORDER BY n.id
),

-- Whether a memory is live is asked of the row that was found by its id, outside of what finds it: an index of nothing
-- but such rows, entered by the tenant alone, would look as good to the planner before the first ANALYZE.
pool AS (
    SELECT id, person_id, NULL::uuid AS memory_id, session_id, seq_from, seq_to, speaker AS about, occurred_at,
           occurred_at AS confirmed_at, 1::smallint AS importance, length, asks, '' AS kind, by_agent
    FROM beside
    UNION ALL
    SELECT a.id, a.person_id, a.memory_id, NULL, NULL, NULL,
           array_to_string(array_append(m.entity_refs, m.entity_label), E'\n'), a.occurred_at,
           m.last_reinforced, m.importance, NULL, false,
           concat_ws(' ', m.namespace, m.type, m.fact_type, array_to_string(m.tags, ' ')), false
    FROM anchor a CROSS JOIN LATERAL (
        SELECT * FROM memories_memory WHERE tenant_id = %(tenant_id)s AND id = a.memory_id OFFSET 0) m
    WHERE a.memory_id IS NOT NULL
      AND m.status = 'active' AND (m.scope <> 'session' OR m.session_id = %(session_id)s)
      AND (m.expires_at IS NULL OR m.expires_at > now())
)

-- `IS TRUE` keeps the planner from making a join of the first condition: it probes a hash whatever it believes.
SELECT p.id, p.memory_id, p.session_id, p.seq_from, p.seq_to, p.about,
       date_part('epoch', now() - p.confirmed_at) / 86400 AS age_days, p.importance, p.length, p.asks,
       s.score AS lexical, NULL::float8 AS vector, s.terms, s.points, p.id IN (SELECT chunk_id FROM timed) AS names_time,
       floor(date_part('epoch', p.occurred_at) / 86400)::int AS day, p.kind, p.by_agent
FROM pool p
LEFT JOIN (
    SELECT chunk_id, sum(points) AS score, array_agg(number) AS terms, array_agg(points) AS points FROM (
        SELECT chunk_id, number, sum(points) AS points FROM hits
        WHERE (chunk_id IN (SELECT id FROM pool)) IS TRUE GROUP BY chunk_id, number) each
    GROUP BY chunk_id OFFSET 0
) s ON s.chunk_id = p.id

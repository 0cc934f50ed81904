-- Postings, vectors and counters follow chunks that go, by whatever cascade.
--
-- It looks through the postings of the chunks' own lexemes. Each OFFSET 0 keeps a lookup a lookup, and IS TRUE keeps the
-- planner from making a join of the last condition. No table is read from end to end for having been small when it was
-- last counted.

CREATE OR REPLACE FUNCTION search_chunk_removed() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off AS $$
BEGIN
    DELETE FROM search_posting WHERE tenant_id IN (SELECT tenant_id FROM removed) AND ctid = ANY(ARRAY(
        SELECT p.ctid
        FROM (SELECT DISTINCT o.tenant_id, c.person_number, left(l.lexeme, 255) AS lexeme FROM removed o
              CROSS JOIN LATERAL (
                  SELECT person_number FROM search_corpus
                  WHERE tenant_id = o.tenant_id AND person_id = o.person_id OFFSET 0) c,
              unnest(to_tsvector(o.language::regconfig, concat_ws(' ', o.heading, o.text, o.terms))) AS l) w
        CROSS JOIN LATERAL (
            SELECT ctid, chunk_id FROM search_posting
            WHERE tenant_id = w.tenant_id AND person_number = w.person_number AND lexeme = w.lexeme OFFSET 0) p
        WHERE (p.chunk_id IN (SELECT id FROM removed)) IS TRUE));

    DELETE FROM search_embedding e USING removed o, search_embeddingmodel m
    WHERE e.tenant_id = o.tenant_id AND e.person_id = o.person_id AND e.model_id = m.id AND e.chunk_id = o.id;

    UPDATE search_corpus c SET chunks = c.chunks - o.chunks, length = c.length - o.length
    FROM (SELECT tenant_id, person_id, count(*) AS chunks, sum(length) AS length FROM removed GROUP BY 1, 2) o
    WHERE c.tenant_id = o.tenant_id AND c.person_id = o.person_id;
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER removed AFTER DELETE ON search_chunk REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION search_chunk_removed();

-- Postings and counters follow new chunks, whoever writes them.
--
-- The counters come first: they give each person's number, a new one only to the new. (A plain INSERT would take a number
-- from the sequence at every conflict, and a sequence of four bytes has an end.)

CREATE OR REPLACE FUNCTION search_chunk_added() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off AS $$
BEGIN
    WITH counted AS (
        INSERT INTO search_corpus AS c (tenant_id, person_id, person_number, chunks, length)
        SELECT a.tenant_id, a.person_id,
               coalesce((SELECT person_number FROM search_corpus WHERE tenant_id = a.tenant_id AND person_id = a.person_id),
                        nextval('search_corpus_person_number_seq')),
               a.chunks, a.length
        FROM (SELECT tenant_id, person_id, count(*) AS chunks, sum(length) AS length FROM added GROUP BY 1, 2) a
        ORDER BY 1, 2
        ON CONFLICT (tenant_id, person_id)
        DO UPDATE SET chunks = c.chunks + excluded.chunks, length = c.length + excluded.length
        RETURNING c.tenant_id, c.person_id, c.person_number
    )
    INSERT INTO search_posting (tenant_id, chunk_id, person_number, length, tf, lexeme)
    SELECT n.tenant_id, n.id, o.person_number, least(n.length, 32767)::smallint,
           max(least(coalesce(cardinality(l.positions), 1), 32767))::smallint, left(l.lexeme, 255)
    FROM added n JOIN counted o USING (tenant_id, person_id),
         unnest(to_tsvector(n.language::regconfig, concat_ws(' ', n.heading, n.text, n.terms))) AS l
    GROUP BY n.tenant_id, n.id, o.person_number, n.length, left(l.lexeme, 255);
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER added AFTER INSERT ON search_chunk REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION search_chunk_added();

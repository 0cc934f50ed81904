"""Postings, corpus counters and vectors follow the chunks, whoever writes them and by whatever cascade.

`to_tsvector` gives the lexemes with their positions; the number of positions is the term frequency and
their sum the length of the chunk, which is what BM25 needs.
"""

from django.db import migrations

FORWARD = """
ALTER TABLE search_embedding ALTER COLUMN vector SET STORAGE PLAIN;

CREATE FUNCTION search_chunk_measure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.length := coalesce((
        SELECT sum(coalesce(cardinality(positions), 1))
        FROM unnest(to_tsvector(NEW.language::regconfig, concat_ws(' ', NEW.heading, NEW.text, NEW.terms)))), 0);
    RETURN NEW;
END $$;

CREATE FUNCTION search_chunk_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO search_posting (tenant_id, profile_id, lexeme, chunk_id, tf, length)
    SELECT n.tenant_id, n.profile_id, left(l.lexeme, 255), n.id,
           max(least(coalesce(cardinality(l.positions), 1), 32767))::smallint, n.length
    FROM added n, unnest(to_tsvector(n.language::regconfig, concat_ws(' ', n.heading, n.text, n.terms))) AS l
    GROUP BY n.tenant_id, n.profile_id, left(l.lexeme, 255), n.id, n.length;

    INSERT INTO search_corpus AS c (tenant_id, profile_id, chunks, length)
    SELECT tenant_id, profile_id, count(*), sum(length) FROM added GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (tenant_id, profile_id)
    DO UPDATE SET chunks = c.chunks + excluded.chunks, length = c.length + excluded.length;
    RETURN NULL;
END $$;

CREATE FUNCTION search_chunk_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM search_posting p
    USING removed o, unnest(to_tsvector(o.language::regconfig, concat_ws(' ', o.heading, o.text, o.terms))) AS l
    WHERE p.tenant_id = o.tenant_id AND p.profile_id = o.profile_id
      AND p.lexeme = left(l.lexeme, 255) AND p.chunk_id = o.id;

    DELETE FROM search_embedding e USING removed o, search_embeddingmodel m
    WHERE e.tenant_id = o.tenant_id AND e.profile_id = o.profile_id AND e.model_id = m.id AND e.chunk_id = o.id;

    UPDATE search_corpus c SET chunks = c.chunks - o.chunks, length = c.length - o.length
    FROM (SELECT tenant_id, profile_id, count(*) AS chunks, sum(length) AS length FROM removed GROUP BY 1, 2) o
    WHERE c.tenant_id = o.tenant_id AND c.profile_id = o.profile_id;
    RETURN NULL;
END $$;

CREATE FUNCTION search_chunk_unchanging() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a chunk''s text, language and owner do not change: delete it and write another';
END $$;

CREATE TRIGGER measure BEFORE INSERT ON search_chunk FOR EACH ROW EXECUTE FUNCTION search_chunk_measure();
CREATE TRIGGER added AFTER INSERT ON search_chunk REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION search_chunk_added();
CREATE TRIGGER removed AFTER DELETE ON search_chunk REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION search_chunk_removed();
CREATE TRIGGER unchanging BEFORE UPDATE OF tenant_id, profile_id, heading, text, terms, language, length ON search_chunk
    FOR EACH ROW EXECUTE FUNCTION search_chunk_unchanging();
"""
BACKWARD = """
DROP TRIGGER unchanging ON search_chunk;
DROP TRIGGER removed ON search_chunk;
DROP TRIGGER added ON search_chunk;
DROP TRIGGER measure ON search_chunk;
DROP FUNCTION search_chunk_unchanging();
DROP FUNCTION search_chunk_removed();
DROP FUNCTION search_chunk_added();
DROP FUNCTION search_chunk_measure();
"""


class Migration(migrations.Migration):
    dependencies = [("search", "0004_tenant_keys")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]

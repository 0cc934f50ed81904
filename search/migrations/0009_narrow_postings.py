"""Fewer bytes: postings are entered by an index that folds equal keys into one, which a unique one can't.

The trigger that removes a chunk's postings looks through those of its lexemes. Whoever enters chunks by their person
asks for memories, which have an index of their own; an erasure alone reads all chunks of the tenant.
"""

from django.db import migrations, models

FORWARD = """
ALTER TABLE search_posting DROP CONSTRAINT search_posting_pkey;
ALTER TABLE search_posting REPLICA IDENTITY FULL;

CREATE OR REPLACE FUNCTION search_chunk_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM search_posting WHERE tenant_id IN (SELECT tenant_id FROM removed) AND ctid = ANY(ARRAY(
        SELECT p.ctid
        FROM (SELECT DISTINCT o.tenant_id, o.profile_id, left(l.lexeme, 255) AS lexeme FROM removed o,
                  unnest(to_tsvector(o.language::regconfig, concat_ws(' ', o.heading, o.text, o.terms))) AS l) w
        CROSS JOIN LATERAL (
            SELECT ctid, chunk_id FROM search_posting
            WHERE tenant_id = w.tenant_id AND profile_id = w.profile_id AND lexeme = w.lexeme OFFSET 0) p
        WHERE (p.chunk_id IN (SELECT id FROM removed)) IS TRUE));

    DELETE FROM search_embedding e USING removed o, search_embeddingmodel m
    WHERE e.tenant_id = o.tenant_id AND e.profile_id = o.profile_id AND e.model_id = m.id AND e.chunk_id = o.id;

    UPDATE search_corpus c SET chunks = c.chunks - o.chunks, length = c.length - o.length
    FROM (SELECT tenant_id, profile_id, count(*) AS chunks, sum(length) AS length FROM removed GROUP BY 1, 2) o
    WHERE c.tenant_id = o.tenant_id AND c.profile_id = o.profile_id;
    RETURN NULL;
END $$;
"""
BACKWARD = """
ALTER TABLE search_posting REPLICA IDENTITY DEFAULT;
ALTER TABLE search_posting ADD PRIMARY KEY (tenant_id, profile_id, lexeme, chunk_id) INCLUDE (tf, length);

CREATE OR REPLACE FUNCTION search_chunk_removed() RETURNS trigger LANGUAGE plpgsql AS $$
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
"""


class Migration(migrations.Migration):
    dependencies = [
        ("agent_sessions", "0008_curated_elsewhere"),
        ("memories", "0011_forget_requests"),
        ("tenants", "0005_windows"),
        ("search", "0008_answers_in_memory"),
    ]

    operations = [
        migrations.RunSQL(FORWARD, BACKWARD),
        migrations.AddIndex(
            "posting", models.Index(fields=["tenant", "profile", "lexeme"], name="posting_by_lexeme")
        ),
        migrations.AddIndex(
            "chunk",
            models.Index(
                fields=["tenant", "memory"],
                condition=models.Q(memory__isnull=False),
                name="chunk_by_its_memory",
            ),
        ),
        migrations.RemoveIndex("chunk", "chunk_by_profile"),
        migrations.RemoveIndex("chunk", "chunk_by_memory"),
    ]

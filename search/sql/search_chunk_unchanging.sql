-- What the index was made of stays as it is for as long as the chunk is there.

CREATE OR REPLACE FUNCTION search_chunk_unchanging() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a chunk''s text, language and person do not change: delete it and write another';
END $$;

CREATE OR REPLACE TRIGGER unchanging BEFORE UPDATE OF tenant_id, person_id, heading, text, terms, language, length ON search_chunk
    FOR EACH ROW EXECUTE FUNCTION search_chunk_unchanging();

-- A chunk's length in lexemes, which BM25 needs: `to_tsvector` gives the lexemes with their positions, whose number is the
-- term frequency and their sum the length.

CREATE OR REPLACE FUNCTION search_chunk_measure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.length := coalesce((
        SELECT sum(coalesce(cardinality(positions), 1))
        FROM unnest(to_tsvector(NEW.language::regconfig, concat_ws(' ', NEW.heading, NEW.text, NEW.terms)))), 0);
    RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER measure BEFORE INSERT ON search_chunk FOR EACH ROW EXECUTE FUNCTION search_chunk_measure();

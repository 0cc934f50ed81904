-- A JSON value with a mark in the place of each of `words`, which come in lower case and escaped as regular expressions.
-- In texts alone: a number of JSON has no letter, and takes no mark.

CREATE OR REPLACE FUNCTION nebo_without_words(data jsonb, words text[]) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    word text;
    said text := data::text;
BEGIN
    FOREACH word IN ARRAY words LOOP
        IF word ~ '[[:alpha:]]' THEN
            said := regexp_replace(said, '\m' || word || '\M', '[redacted]', 'gi');
        END IF;
    END LOOP;
    RETURN said::jsonb;
END $$;

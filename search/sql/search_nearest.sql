-- What asks the index that a person with very many vectors has of their own (search/indexing/hnsw.py).
--
-- Its statement is made of literals, since an index of some rows alone is used only by who names those rows when the plan
-- is made. Without that index it reads all of the person's vectors: slower, never wrong. pgvector's settings are set
-- inside: as settings of the function nobody but a superuser could bring it back from a dump.

CREATE OR REPLACE FUNCTION search_nearest(
    tenant uuid, person uuid, model smallint, question halfvec, hidden bigint[], amount integer)
RETURNS TABLE (chunk_id bigint, distance double precision) LANGUAGE plpgsql STABLE ROWS 100
SET enable_sort = off AS $$
BEGIN
    PERFORM set_config('hnsw.ef_search', '400', true), set_config('hnsw.iterative_scan', 'relaxed_order', true);
    RETURN QUERY EXECUTE format(
        'SELECT chunk_id, vector::halfvec(%1$s) <#> $1::halfvec(%1$s) FROM search_embedding '
        'WHERE tenant_id = %2$L AND person_id = %3$L AND model_id = %4$s AND chunk_id <> ALL($2) '
        'ORDER BY 2 LIMIT $3', vector_dims(question), tenant, person, model)
    USING question, hidden, amount;
END $$;

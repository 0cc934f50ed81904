-- What the other functions of a distributed database need. A shard is a table named for its table and a number.

-- The shard of `wanted` that stands beside a shard: it holds the same tenants, or is what every server has of a table.
CREATE OR REPLACE FUNCTION nebo_beside(wanted text, shard text) RETURNS text LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public AS $$
BEGIN
    RETURN (
        SELECT wanted || '_' || other.shardid
        FROM pg_dist_shard own
        JOIN pg_dist_shard other ON other.shardminvalue IS NULL OR other.shardminvalue = own.shardminvalue
        WHERE own.shardid = substring(shard FROM '\d+$')::bigint AND other.logicalrelid = wanted::regclass);
END $$;

-- Takes the place of ON DELETE SET NULL (column), which a key that holds the tenant may not have. Like a key's own action it
-- runs as the owner: whoever may delete a row need not be allowed to change those that point at it.
CREATE OR REPLACE FUNCTION nebo_unlink() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    EXECUTE format('UPDATE %1$I SET %2$I = NULL WHERE tenant_id = $1 AND %2$I = $2',
                   nebo_beside(TG_ARGV[0], TG_TABLE_NAME), TG_ARGV[1])
    USING OLD.tenant_id, OLD.id;
    RETURN NULL;
END $$;

REVOKE ALL ON FUNCTION nebo_unlink() FROM PUBLIC;

-- The number of a new person of a tenant's search index. The lock keeps two new ones apart; they are numbered in the
-- tenant, since servers have no sequence in common.
CREATE OR REPLACE FUNCTION nebo_new_person_number(team uuid, corpus text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    found integer;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('nebo.person_number:' || team, 0));
    EXECUTE format('SELECT coalesce(max(person_number), 0) + 1 FROM %I WHERE tenant_id = $1', corpus)
    INTO found USING team;
    RETURN found;
END $$;

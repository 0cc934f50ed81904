-- How far the write-ahead log had come when something of a tenant was last written: a replica that has replayed as much
-- shows it. Without a log of its own: after a crash it is empty, and a tenant that isn't in it counts as written to just
-- now. Nobody but the two functions below it touches it. The row of nobody (zeros) stands for everybody's.

CREATE UNLOGGED TABLE tenants_position (team uuid PRIMARY KEY, position pg_lsn NOT NULL) WITH (fillfactor = 50);

DO $revoke$
DECLARE
    grantee regrole;
BEGIN
    FOR grantee IN
        SELECT DISTINCT a.grantee::regrole FROM pg_class c, aclexplode(c.relacl) a
        WHERE c.oid = 'tenants_position'::regclass AND a.grantee NOT IN (0, c.relowner)
    LOOP
        EXECUTE format('REVOKE ALL ON tenants_position FROM %s', grantee);
    END LOOP;
END $revoke$;

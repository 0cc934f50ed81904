-- An entry comes without a seal, whatever its writer says.

CREATE OR REPLACE FUNCTION memories_audit_unsealed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.seal := NULL;
    RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER unsealed BEFORE INSERT ON memories_auditentry
    FOR EACH ROW EXECUTE FUNCTION memories_audit_unsealed();

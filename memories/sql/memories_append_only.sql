-- Entries, seals and gaps of the audit log change for nobody, not for the owner's own hand while the trigger is enabled.
-- Only where `nebo.retention` is on, which the functions that seal, remove and erase switch on, a row may go, an entry
-- take the number of its seal, and a seal lose its leaves.

CREATE OR REPLACE FUNCTION memories_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('nebo.retention', true) = 'on' THEN
        IF TG_OP = 'DELETE' THEN
            RETURN OLD;
        ELSIF TG_TABLE_NAME = 'memories_auditentry' THEN
            IF to_jsonb(OLD)->>'seal' IS NULL AND to_jsonb(NEW) - 'seal' = to_jsonb(OLD) - 'seal' THEN
                RETURN NEW;
            END IF;
        ELSIF TG_TABLE_NAME = 'memories_auditseal' THEN
            IF to_jsonb(NEW)->>'leaves' IS NULL AND to_jsonb(NEW) - 'leaves' = to_jsonb(OLD) - 'leaves' THEN
                RETURN NEW;
            END IF;
        END IF;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE ON memories_auditentry
    FOR EACH ROW EXECUTE FUNCTION memories_append_only();

CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE ON memories_auditseal
    FOR EACH ROW EXECUTE FUNCTION memories_append_only();

CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE ON memories_auditgap
    FOR EACH ROW EXECUTE FUNCTION memories_append_only();

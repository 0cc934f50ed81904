-- What leaves no row behind but a line in the audit log: a memory that is removed for good, and an erased person.

CREATE OR REPLACE FUNCTION events_of_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.action = 'person.erased' THEN
        PERFORM events_note(NEW.tenant_id, 'person.erased', NULL, jsonb_build_object('erasure', NEW.object_id));
    ELSE
        PERFORM events_note(NEW.tenant_id, 'memory.deleted', NEW.person_id,
                            jsonb_build_object('memory', NEW.object_id, 'version', NEW.detail -> 'version'));
    END IF;
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER event AFTER INSERT ON memories_auditentry
    FOR EACH ROW WHEN (NEW.action IN ('memory.purged', 'person.erased')) EXECUTE FUNCTION events_of_audit();

-- Every change of a memory leaves a version with before and after; what its state was and has become says what happened.

CREATE OR REPLACE FUNCTION events_of_memory() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    was text := NEW.before ->> 'status';
    is_now text := NEW.after ->> 'status';
    what text := CASE
        WHEN is_now = was THEN 'memory.updated'
        WHEN is_now = 'quarantined' THEN 'review.waiting'
        WHEN is_now = 'superseded' THEN 'memory.superseded'
        WHEN is_now IN ('deleted', 'wrong', 'unmentioned') THEN 'memory.deleted'
        WHEN was IS NULL OR was = 'quarantined' THEN 'memory.created'
        WHEN is_now = 'active' THEN 'memory.restored'
        ELSE 'memory.updated'
    END;
BEGIN
    PERFORM events_note(NEW.tenant_id, what, (NEW.after ->> 'person_id')::uuid,
                        jsonb_build_object('memory', NEW.memory_id, 'version', NEW.number));
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER event AFTER INSERT ON memories_version
    FOR EACH ROW EXECUTE FUNCTION events_of_memory();

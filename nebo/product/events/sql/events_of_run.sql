-- A run of learning that would change more than a team lets pass waits for a decision.

CREATE OR REPLACE FUNCTION events_of_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM events_note(NEW.tenant_id, 'review.waiting', NEW.person_id, jsonb_build_object('run', NEW.id));
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER event AFTER INSERT ON memories_extractionrun
    FOR EACH ROW WHEN (NEW.status = 'review') EXECUTE FUNCTION events_of_run();

-- A job was given up. Not one whose work goes on in another, and not one that delivers events, which would tell of itself.

CREATE OR REPLACE FUNCTION events_of_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM events_note(NEW.tenant_id, 'job.parked', NEW.person_id,
                        jsonb_build_object('job', NEW.id, 'kind', NEW.kind));
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER event AFTER UPDATE OF state ON jobs_job
    FOR EACH ROW WHEN (NEW.state = 'dead' AND OLD.state <> 'dead' AND NEW.kind <> 'deliver-events'
                       AND NOT NEW.result ? 'merged_into')
    EXECUTE FUNCTION events_of_job();

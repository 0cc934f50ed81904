-- Somebody asked to forget something; nothing goes before it is confirmed.

CREATE OR REPLACE FUNCTION events_of_forget_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM events_note(NEW.tenant_id, 'forget.requested', NEW.person_id,
                        jsonb_build_object('forget_request', NEW.id));
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER event AFTER INSERT ON memories_forgetrequest
    FOR EACH ROW WHEN (NEW.status = 'open') EXECUTE FUNCTION events_of_forget_request();

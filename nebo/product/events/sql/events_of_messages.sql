-- A turn: the messages of a conversation that are stored in one statement.

CREATE OR REPLACE FUNCTION events_of_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM events_note(turn.tenant_id, 'turn.recorded', turn.person_id,
                        jsonb_build_object('session', turn.session_id, 'seq_from', turn.seq_from, 'seq_to', turn.seq_to))
    FROM (SELECT tenant_id, person_id, session_id, min(seq) AS seq_from, max(seq) AS seq_to
          FROM added GROUP BY tenant_id, person_id, session_id) AS turn;
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER event AFTER INSERT ON agent_sessions_message
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION events_of_messages();

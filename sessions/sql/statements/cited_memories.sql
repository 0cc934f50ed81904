-- The memories, in any state, that a person's newest spine rests on, and those that it says word for word: what a context
-- needs to leave out lines that hold no longer. Each id and each wording is looked up by itself, so that it takes the same
-- however much is known of the person (sessions/spine/selectors.py has the same as a queryset).

WITH newest AS MATERIALIZED (
    SELECT sections, cites FROM agent_sessions_spine
    WHERE tenant_id = %(tenant_id)s AND person_id = %(person_id)s ORDER BY version DESC LIMIT 1
)
SELECT m.id, m.value, m.status
FROM (SELECT DISTINCT (jsonb_path_query(cites, '$.*.memories[*]') #>> '{}')::uuid AS id FROM newest) c
CROSS JOIN LATERAL (
    SELECT id, value, status, person_id FROM memories_memory WHERE tenant_id = %(tenant_id)s AND id = c.id OFFSET 0) m
WHERE m.person_id = %(person_id)s
UNION
SELECT m.id, m.value, m.status
FROM (SELECT DISTINCT md5(jsonb_path_query(sections, '$.*.*[*]') #>> '{}') AS words FROM newest) s
CROSS JOIN LATERAL (
    SELECT id, value, status FROM memories_memory
    WHERE tenant_id = %(tenant_id)s AND person_id = %(person_id)s AND md5(value) = s.words OFFSET 0) m

-- For the questions that are asked all the time of django-q2's table: what is due first, by a worker, and whether anything
-- is, by a cluster. The table is django-q2's own: it stays when our migrations go back.

CREATE INDEX IF NOT EXISTS django_q_ormq_due ON django_q_ormq (key, lock, id);
CREATE INDEX IF NOT EXISTS django_q_ormq_lock ON django_q_ormq (lock);

-- For the question a worker asks all the time of django-q2's table: what is due first?

CREATE INDEX django_q_ormq_due ON django_q_ormq (key, lock, id);

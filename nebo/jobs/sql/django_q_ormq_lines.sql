-- For the question a cluster asks all the time of django-q2's table: is anything due?

CREATE INDEX django_q_ormq_lock ON django_q_ormq (lock);

-- Wakes of before stand in no line. The next sweeps make them anew, each soon after it is due.

DELETE FROM django_q_ormq;

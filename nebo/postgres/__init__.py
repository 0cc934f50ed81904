"""Django's PostgreSQL backend, with a cheaper look at whether a connection still stands."""

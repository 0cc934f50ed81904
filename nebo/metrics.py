"""What Nebo counts about itself, for Prometheus: names and numbers, never ids or texts of a person.

Each process counts for itself. Where `PROMETHEUS_MULTIPROC_DIR` names a folder, as `manage.py start` sets it, processes
keep their counts in files there, and one answer holds them all.
"""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

REQUEST_SECONDS = Histogram(
    "nebo_request_seconds",
    "Time of requests in seconds, by route (the pattern, not the address).",
    ("method", "route", "status"),
    buckets=(0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.2, 0.5, 1.0, 2.5, 10.0, 60.0),
)
RETRIEVALS = Counter("nebo_retrievals", "Searches and contexts answered anew or from the cache.", ("source",))
JOB_SECONDS = Histogram(
    "nebo_job_seconds",
    "Time of attempts at jobs in seconds, by kind and how they ended.",
    ("kind", "outcome"),
    buckets=(0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 150.0),
)
PROVIDER_ERRORS = Counter(
    "nebo_provider_errors", "Calls of a model that failed.", ("use", "provider", "model", "kind")
)
BREAKER_OPEN = Gauge(
    "nebo_provider_breaker_open",
    "1 while a model is left alone because it failed.",
    ("use", "provider", "model"),
    multiprocess_mode="livemax",
)
REPLICA_READS = Counter(
    "nebo_replica_reads",
    "Reads that a replica may answer: by it, or by the primary, and why.",
    ("by",),
)
REPLICA_LEFT_ALONE = Gauge(
    "nebo_replica_left_alone",
    "1 while the replica is left alone because it failed.",
    multiprocess_mode="livemax",
)
REPLICA_BEHIND = Gauge(
    "nebo_replica_behind_bytes",
    "What the replica has yet to replay of the primary's log, when it was asked last.",
    multiprocess_mode="livemax",
)

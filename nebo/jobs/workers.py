"""Which worker this process is: `host/cluster/process id`, where a cluster is one start of the workers."""

from __future__ import annotations

import os
import socket

HOST_CHARS = 60  # of a host's name; the columns hold 100 and more
_place = {"cluster": "inline"}


def host_name() -> str:
    """This machine, as operators know it."""
    return socket.gethostname()[:HOST_CHARS]


def join_cluster(cluster: str) -> None:
    """Called once in the cluster's first process; those forked from it belong to it too."""
    _place["cluster"] = cluster


def cluster_name() -> str:
    """`host/cluster`."""
    return f"{host_name()}/{_place['cluster']}"


def worker_name() -> str:
    """`host/cluster/process id`, as jobs name who runs them."""
    return f"{cluster_name()}/{os.getpid()}"

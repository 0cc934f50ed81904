"""A client for our own HTTP server, from this machine."""

from __future__ import annotations

import httpx

from nebo.env import Environment, env

EVERY_ADDRESS = ("0.0.0.0", "::", "")  # noqa: S104  compared with, not bound to
TIMEOUT_S = 40.0  # above the longest `?wait=`


def open_client(environment: Environment = env) -> httpx.Client:
    """A client for this very server, with a host name it serves and past its redirect to HTTPS."""
    host = "127.0.0.1" if environment.host in EVERY_ADDRESS else environment.host
    shown = f"[{host}]" if ":" in host else host
    return httpx.Client(
        base_url=f"http://{shown}:{environment.port}",
        headers={"Host": served_host(environment), "X-Forwarded-Proto": "https"},
        timeout=TIMEOUT_S,
        trust_env=False,
    )


def served_host(environment: Environment) -> str:
    """A name out of ALLOWED_HOSTS; the loopback address where it is among them."""
    hosts = environment.allowed_hosts
    if not hosts or {"127.0.0.1", "*"} & set(hosts):
        return "127.0.0.1"
    return hosts[0].lstrip(".")

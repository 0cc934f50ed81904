"""Kinds of job that must not run beside each other on one session, since they read the same messages."""

from __future__ import annotations

_lanes: list[frozenset[str]] = []


def exclude_each_other(*kinds: str) -> None:
    """Of these kinds one runs at a time on a session; another that is due waits a second and asks again."""
    _lanes.append(frozenset(kinds))


def kinds_excluding(kind: str) -> frozenset[str]:
    """The kinds that share a lane with `kind`, itself among them; empty for one that runs freely."""
    return next((lane for lane in _lanes if kind in lane), frozenset())

"""What can be told to another system, and how the pages say it. Triggers in `sql/` note each as it happens."""

from __future__ import annotations

from collections.abc import Mapping

TEST = "webhook.test"

# Each with what its `data` names besides the person.
EVENTS: Mapping[str, str] = {
    "memory.created": "A memory is there: stored, learned, or approved",
    "memory.updated": "A memory changed: its value, status, confidence or pin",
    "memory.superseded": "A newer memory took its place",
    "memory.deleted": "A memory went to the trash, was marked wrong, or was removed for good",
    "memory.restored": "A memory is back",
    "review.waiting": "A memory or a run of learning waits for a decision",
    "forget.requested": "Somebody asked to forget something, and it has to be confirmed",
    "turn.recorded": "Messages of a conversation were stored",
    "person.erased": "Everything about a person is gone",
    "job.parked": "A job was given up and needs a hand",
}

"""What can be told to another system, and how the pages say it. Triggers in `sql/` note each as it happens."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext_noop as _

TEST = "webhook.test"

# Each with what its `data` names besides the person.
EVENTS: Mapping[str, str] = {
    "memory.created": _("A memory is there: stored, learned, or approved"),
    "memory.updated": _("A memory changed: its value, status, confidence or pin"),
    "memory.superseded": _("A newer memory took its place"),
    "memory.deleted": _("A memory went to the trash, was marked wrong, or was removed for good"),
    "memory.restored": _("A memory is back"),
    "review.waiting": _("A memory or a run of learning waits for a decision"),
    "forget.requested": _("Somebody asked to forget something, and it has to be confirmed"),
    "turn.recorded": _("Messages of a conversation were stored"),
    "person.erased": _("Everything about a person is gone"),
    "job.parked": _("A job was given up and needs a hand"),
}

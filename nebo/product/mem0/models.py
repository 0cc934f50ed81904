"""What callers of mem0's API said of the messages they brought."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from nebo.tenants.isolation import APPEND_ONLY, TenantForeignKey
from nebo.tenants.models import TenantModel, UserProfile

NAME_CHARS = 255  # characters of an agent's or an app's id


class Addition(TenantModel):
    """One call that added something; mem0 names it an event.

    Either a stretch of a session, from which memories are learned then or later, or the memories that were stored as
    they came.
    """

    person = TenantForeignKey(UserProfile, models.CASCADE, related_name="+", db_index=False)
    session = TenantForeignKey(
        "agent_sessions.Session", models.CASCADE, null=True, related_name="+", db_index=False
    )
    seq_from = models.PositiveIntegerField(null=True)
    seq_to = models.PositiveIntegerField(null=True)
    memory_ids = ArrayField(models.UUIDField(), default=list)
    agent_id = models.CharField(max_length=NAME_CHARS, blank=True)
    app_id = models.CharField(max_length=NAME_CHARS, blank=True)
    metadata = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True)
    kept_from_app = APPEND_ONLY

    class Meta(TenantModel.Meta):
        indexes = [
            models.Index(fields=["tenant", "person", "-created_at"], name="addition_newest_first"),
            models.Index(
                fields=["tenant", "session", "seq_to"],
                condition=models.Q(session__isnull=False),
                name="addition_of_session",
            ),
        ]

"""A request to forget that could mean several memories or todos, or one that somebody decided to keep."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from nebo.tenants.isolation import TenantForeignKey
from nebo.tenants.models import TenantModel, UserProfile

WHAT_CHARS = 200  # characters of what is to be forgotten


class ForgetRequest(TenantModel):
    """What exactly would be forgotten, until a person or their agent decides; nothing goes before that."""

    class Status(models.TextChoices):
        OPEN = "open"
        FORGOTTEN = "forgotten"
        KEPT = "kept"

    person = TenantForeignKey(UserProfile, models.CASCADE, related_name="+", db_index=False)
    session = TenantForeignKey("agent_sessions.Session", models.SET_NULL, null=True, related_name="+")
    message = TenantForeignKey("agent_sessions.Message", models.SET_NULL, null=True, related_name="+")
    todo = TenantForeignKey("memories.Todo", models.SET_NULL, null=True, related_name="+")
    what = models.CharField(max_length=WHAT_CHARS)
    memory_ids = ArrayField(models.UUIDField(), help_text="What it could mean when it was said.")
    todo_ids = ArrayField(models.UUIDField(), default=list, help_text="Open todos that it could mean.")
    passages = models.JSONField(default=list, help_text="Places of conversations that it could mean, by id.")
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    forgotten_ids = ArrayField(models.UUIDField(), default=list)
    created_at = models.DateTimeField(default=timezone.now)
    decided_at = models.DateTimeField(null=True)
    decided_by = models.CharField(max_length=120, blank=True)

    class Meta(TenantModel.Meta):
        indexes = [
            models.Index(fields=["tenant", "person", "status", "-created_at"], name="forget_newest_first")
        ]

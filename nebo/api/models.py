"""What the API remembers about calls: the first answer to each Idempotency-Key, and how many there were a day."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from nebo.tenants.isolation import TenantForeignKey
from nebo.tenants.models import ApiKey, TenantModel, UserProfile


class IdempotencyRecord(TenantModel):
    """The first answer to a POST, by its key; written in the same transaction as what the POST did."""

    api_key = TenantForeignKey(ApiKey, models.CASCADE, related_name="+", db_index=False)
    key = models.CharField(max_length=255)
    person = TenantForeignKey(
        UserProfile,
        models.CASCADE,
        null=True,
        related_name="+",
        db_index=False,
        help_text="Whom it is about.",
    )
    fingerprint = models.CharField(max_length=64, help_text="SHA-256 of method, path, query and body.")
    status = models.PositiveSmallIntegerField(null=True)
    headers = models.JSONField(default=dict)
    body = models.TextField(blank=True, help_text="The answer as it was sent; empty for none.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant", "api_key", "key"], name="one_answer_an_idempotency_key")
        ]
        indexes = [models.Index(fields=["tenant", "created_at"], name="idempotency_by_age")]


class CallsOfDay(TenantModel):
    """How often a key called for something on one day, and how long it took; no word of what."""

    day = models.DateField()
    key_id = models.UUIDField(help_text="No foreign key: what was counted outlives the key.")
    what = models.CharField(max_length=80, help_text="The operation, as the API reference names it.")
    calls = models.PositiveIntegerField()
    errors = models.PositiveIntegerField(help_text="Those answered with a status from 400 on.")
    times = ArrayField(models.PositiveIntegerField(), help_text="Calls by nebo.api.usage.BOUNDS_MS.")

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant", "day", "key_id", "what"], name="one_count_a_day")
        ]

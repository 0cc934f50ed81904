"""What the API remembers about calls: the first answer to each Idempotency-Key."""

from __future__ import annotations

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

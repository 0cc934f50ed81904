"""The audit log: its entries, and the hash chain that seals them."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from nebo.tenants.isolation import APPEND_ONLY, OWNER_ALONE
from nebo.tenants.models import TenantModel


class AuditEntry(TenantModel):
    """Who did what to whose memory; written in the change's own transaction, never changed."""

    at = models.DateTimeField(default=timezone.now)
    actor = models.CharField(max_length=120)
    action = models.CharField(max_length=40)
    object_type = models.CharField(max_length=40)
    object_id = models.CharField(max_length=64, blank=True)
    person_id = models.UUIDField(null=True, help_text="No foreign key: the trail outlives the person's data.")
    request_id = models.CharField(max_length=64, blank=True)
    detail = models.JSONField(default=dict)
    seal = models.PositiveBigIntegerField(null=True, editable=False, help_text="Set once, when it is sealed.")
    kept_from_app = APPEND_ONLY

    class Meta(TenantModel.Meta):
        verbose_name_plural = "audit entries"
        indexes = [
            models.Index(fields=["tenant", "at"], name="audit_by_time"),
            models.Index(fields=["tenant", "person_id", "at"], name="audit_by_person"),
            models.Index(fields=["tenant", "seal"], name="audit_by_seal"),
            models.Index(fields=["tenant", "at"], condition=models.Q(seal=None), name="audit_unsealed"),
        ]

    def __str__(self) -> str:
        return f"{self.action} by {self.actor}"


class AuditSeal(TenantModel):
    """A link of the hash chain over the audit log; memories/audit/chain.py says how it is made and checked.

    Written by a function of the owner alone. `leaves` are empty once retention has removed the entries.
    """

    number = models.PositiveBigIntegerField()
    first_id = models.UUIDField()
    last_id = models.UUIDField()
    last_at = models.DateTimeField(default=timezone.now, help_text="When its newest entry was made.")
    entries = models.PositiveIntegerField()
    previous = models.CharField(max_length=64)
    root = models.CharField(max_length=64, default="", help_text="SHA-256 of the leaves.")
    digest = models.CharField(max_length=64)
    leaves = models.BinaryField(null=True, help_text="SHA-256 of each entry, 32 bytes each.")
    created_at = models.DateTimeField(auto_now_add=True)
    kept_from_app = OWNER_ALONE

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "number"], name="one_seal_a_number")]


class AuditGap(TenantModel):
    """Sealed entries that an erasure took out, by their leaves; `entry_id` is the entry that accounts for it."""

    seal = models.PositiveBigIntegerField()
    entries = models.PositiveIntegerField()
    leaves = models.BinaryField()
    entry_id = models.UUIDField()
    created_at = models.DateTimeField(auto_now_add=True)
    kept_from_app = OWNER_ALONE

    class Meta(TenantModel.Meta):
        indexes = [models.Index(fields=["tenant", "seal"], name="gap_by_seal")]

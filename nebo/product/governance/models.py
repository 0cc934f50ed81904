"""A person's data as a whole: exports to download, and erasures with their receipts."""

from __future__ import annotations

from django.db import models

from nebo.tenants.isolation import TenantForeignKey
from nebo.tenants.models import TenantModel, UserProfile


class Export(TenantModel):
    """Everything known about a person at one time, as a ZIP file kept in parts."""

    person = TenantForeignKey(UserProfile, models.CASCADE, related_name="+", db_index=False)
    requested_by = models.CharField(max_length=120)
    requested_at = models.DateTimeField(auto_now_add=True)
    ready_at = models.DateTimeField(null=True, help_text="Empty while it is being made.")
    size = models.PositiveBigIntegerField(default=0, help_text="Bytes.")
    sha256 = models.CharField(max_length=64, blank=True)
    records = models.JSONField(default=dict, help_text="How many of what stand in it.")

    class Meta(TenantModel.Meta):
        indexes = [
            models.Index(fields=["tenant", "person", "-requested_at"], name="export_newest_first"),
            models.Index(fields=["tenant", "requested_at"], name="export_by_age"),
        ]


class ExportPart(TenantModel):
    """A stretch of an export's file."""

    export = TenantForeignKey(Export, models.CASCADE, related_name="parts", db_index=False)
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant", "export", "number"], name="one_part_a_number")
        ]


class Erasure(TenantModel):
    """That a person was erased: when, by whom, how much; of the person only a digest of their name stays."""

    person = TenantForeignKey(UserProfile, models.SET_NULL, null=True, related_name="+", db_index=False)
    job = TenantForeignKey("jobs.Job", models.SET_NULL, null=True, related_name="+", db_index=False)
    person_digest = models.CharField(max_length=64, help_text="Keyed digest of the external id.")
    requested_by = models.CharField(max_length=120)
    requested_at = models.DateTimeField(auto_now_add=True)
    erased_at = models.DateTimeField(null=True)
    receipt = models.JSONField(default=dict)

    class Meta(TenantModel.Meta):
        indexes = [
            models.Index(fields=["tenant", "person_digest", "-requested_at"], name="erasure_by_digest"),
            models.Index(fields=["tenant", "person"], name="erasure_by_person"),
        ]

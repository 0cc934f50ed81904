"""Jobs: our own rows are the truth about work to be done; the broker only wakes a worker."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from nebo.jobs.lanes import Lane
from nebo.tenants.isolation import TenantForeignKey
from nebo.tenants.models import TenantModel, UserProfile


class Job(TenantModel):
    """A piece of work with its state, lease and outcome. Payloads carry ids only."""

    class State(models.TextChoices):
        QUEUED = "queued", _("Waiting")
        RUNNING = "running", _("Running")
        SUCCEEDED = "succeeded", _("Done")
        FAILED = "failed", _("Will retry")
        DEAD = "dead", _("Given up")

    kind = models.CharField(max_length=40)
    payload = models.JSONField(default=dict)
    person = TenantForeignKey(
        UserProfile, models.CASCADE, null=True, blank=True, related_name="+", db_index=False
    )
    session = TenantForeignKey(
        "agent_sessions.Session", models.CASCADE, null=True, blank=True, related_name="+", db_index=False
    )
    dedupe_key = models.CharField(max_length=120, blank=True)
    lane = models.PositiveSmallIntegerField(default=Lane.SESSION)
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    due_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    crashes = models.PositiveSmallIntegerField(default=0)
    interruptions = models.PositiveSmallIntegerField(
        default=0, help_text="How often its worker was taken away by something else than the job."
    )
    lease_token = models.UUIDField(null=True, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    worker = models.CharField(max_length=120, blank=True, help_text="Who runs it: host/cluster/process id.")
    wake_id = models.BigIntegerField(
        null=True, blank=True, help_text="The broker's row that will wake a worker."
    )
    error = models.TextField(blank=True)
    result = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "dedupe_key"],
                condition=models.Q(state__in=["queued", "failed"]) & ~models.Q(dedupe_key=""),
                name="one_waiting_job_a_dedupe_key",
            ),
            models.UniqueConstraint(
                fields=["tenant", "dedupe_key"],
                condition=models.Q(state="running") & ~models.Q(dedupe_key=""),
                name="one_running_job_a_dedupe_key",
            ),
        ]
        indexes = [
            models.Index(fields=["tenant", "-created_at"], name="job_newest_first"),
            models.Index(fields=["tenant", "session", "kind"], name="job_by_session"),
            models.Index(fields=["tenant", "person", "-created_at"], name="job_by_person"),
            models.Index(
                fields=["due_at"],
                condition=models.Q(state__in=["queued", "failed", "running"]),
                name="job_due",
            ),
            models.Index(fields=["tenant"], condition=models.Q(state="dead"), name="job_parked"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.state}"


class Heartbeat(models.Model):
    """The last sign of life of each part of the service; belongs to no tenant."""

    name = models.CharField(max_length=100, primary_key=True)
    beat_at = models.DateTimeField()
    detail = models.JSONField(default=dict)

    def __str__(self) -> str:
        return self.name


class Turn(models.Model):
    """When a tenant last had its turn in a lane; holds ids only, like the wakes, and belongs to no tenant."""

    line = models.CharField(max_length=100, primary_key=True)
    lane = models.PositiveSmallIntegerField()
    taken_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["lane", "taken_at"], name="turn_newest_of_lane")]

    def __str__(self) -> str:
        return self.line

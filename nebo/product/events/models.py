"""What happened, and whom it is told: endpoints of other systems, events, and their deliveries."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from nebo.outbound.addresses import URL_LENGTH
from nebo.tenants.isolation import TenantForeignKey, sparse_index
from nebo.tenants.models import TenantModel, UserProfile
from nebo.tenants.sealing import SealedField


class Endpoint(TenantModel):
    """An address of another system that is told what happens in a team. Its secrets are kept encrypted."""

    class State(models.TextChoices):
        ACTIVE = "active", _("Active")
        PAUSED = "paused", _("Paused")
        DISABLED = "disabled", _("Switched off")

    url = models.CharField(max_length=URL_LENGTH)
    description = models.CharField(max_length=200, blank=True)
    events = ArrayField(models.CharField(max_length=40), default=list, help_text="Empty: all.")
    state = models.CharField(max_length=10, choices=State, default=State.ACTIVE)
    disabled_reason = models.CharField(max_length=200, blank=True)
    sealed_secret = SealedField()
    sealed_old_secret = SealedField(blank=True, help_text="Signs too, until its time is over.")
    old_secret_until = models.DateTimeField(null=True)
    failing_since = models.DateTimeField(null=True, help_text="The first failure since the last success.")
    failures = models.PositiveIntegerField(default=0, help_text="How many since the last success.")
    hold_until = models.DateTimeField(null=True, help_text="Nothing is sent before.")
    is_slow = models.BooleanField(default=False, help_text="Whether the last answer was long in coming.")
    delivered_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        indexes = [models.Index(fields=["tenant", "-created_at"], name="endpoint_newest_first")]

    def __str__(self) -> str:
        return self.description or urlsplit(self.url).netloc


class Event(TenantModel):
    """Something that happened, by ids; written by a trigger in the transaction that made it so."""

    type = models.CharField(max_length=40)
    person = TenantForeignKey(UserProfile, models.CASCADE, null=True, related_name="+", db_index=False)
    data = models.JSONField(default=dict, help_text="Ids and counts, never what was said.")
    created_at = models.DateTimeField()
    xact = models.BigIntegerField(default=0, help_text="Number of the transaction; 0 for tests of a webhook.")

    class Meta(TenantModel.Meta):
        indexes = [
            models.Index(fields=["tenant", "created_at"], name="event_by_age"),
            models.Index(fields=["tenant", "xact", "created_at", "id"], name="event_in_order"),
            sparse_index("person", name="event_by_person"),
        ]

    def __str__(self) -> str:
        return self.type


class EventStream(TenantModel):
    """That a team's events are read as a stream, and so are noted although no endpoint wants them."""

    read_at = models.DateTimeField()

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant"], name="one_event_stream_a_tenant")]


class Delivery(TenantModel):
    """An event on its way to one endpoint; `log` has each attempt with its time, status and duration."""

    class State(models.TextChoices):
        PENDING = "pending", _("Waiting")
        DELIVERED = "delivered", _("Delivered")
        FAILED = "failed", _("Given up")

    event = TenantForeignKey(Event, models.CASCADE, related_name="deliveries", db_index=False)
    endpoint = TenantForeignKey(Endpoint, models.CASCADE, related_name="deliveries", db_index=False)
    state = models.CharField(max_length=10, choices=State, default=State.PENDING)
    due_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0, help_text="Since it was last asked for.")
    status = models.PositiveSmallIntegerField(null=True, help_text="Of the last answer.")
    log = models.JSONField(default=list)
    finished_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "event", "endpoint"], name="one_delivery_an_event_and_endpoint"
            )
        ]
        indexes = [
            models.Index(fields=["tenant", "endpoint", "-created_at"], name="delivery_newest_first"),
            models.Index(
                fields=["tenant", "endpoint", "due_at"],
                condition=models.Q(state="pending"),
                name="delivery_due",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event_id} {self.state}"

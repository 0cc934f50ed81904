"""Invitations, by which somebody joins a team, and codes, by which an agent gets a key."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from nebo.tenants.isolation import TenantForeignKey, sparse_index
from nebo.tenants.models import Membership, TenantModel, User, UserProfile

OPEN = Q(accepted_at=None, revoked_at=None, expires_at__gt=Now())


class Invitation(TenantModel):
    """A link that opens once, until it expires or is taken back; of its secret only a digest is kept."""

    public_id = models.CharField(max_length=16, unique=True, editable=False)
    digest = models.CharField(max_length=64, editable=False)
    role = models.CharField(max_length=10, choices=Membership.Role, default=Membership.Role.MEMBER)
    label = models.CharField(
        max_length=200, blank=True, help_text="Whom it is for, as the inviter knows them."
    )
    person = TenantForeignKey(
        UserProfile,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        help_text="Whom the login stands for: as chosen, or as made when it was accepted.",
    )
    created_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    accepted_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    accepted_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta(TenantModel.Meta):
        indexes = [
            models.Index(fields=["tenant", "expires_at"], name="invitation_by_age"),
            sparse_index("person", name="invitation_by_person"),
        ]

    def __str__(self) -> str:
        return self.label or self.public_id


class ConnectCode(TenantModel):
    """A short code that a command exchanges, once and within minutes, for a key of its person; a digest is kept."""

    digest = models.CharField(max_length=64, unique=True, editable=False)
    person = TenantForeignKey(UserProfile, models.CASCADE, related_name="+", db_index=False)
    created_by = models.ForeignKey(User, models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta(TenantModel.Meta):
        indexes = [
            models.Index(fields=["tenant", "expires_at"], name="connect_code_by_age"),
            models.Index(fields=["tenant", "person"], name="connect_code_by_person"),
        ]

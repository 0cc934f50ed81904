"""What was made one and can be taken apart again: two names of one entity, and several memories of one subject."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from nebo.tenants.isolation import TenantForeignKey
from nebo.tenants.models import TenantModel, UserProfile


class MergeProposal(TenantModel):
    """Two entities that may be one, by their names; `first` has the smaller reference. Dismissed is for good."""

    class Status(models.TextChoices):
        OPEN = "open"
        MERGED = "merged"
        DISMISSED = "dismissed"

    person = TenantForeignKey(UserProfile, models.CASCADE, related_name="+", db_index=False)
    first = TenantForeignKey("memories.Entity", models.CASCADE, related_name="+", db_index=False)
    second = TenantForeignKey("memories.Entity", models.CASCADE, related_name="+")
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    evidence = models.JSONField(default=dict, help_text="Why: how alike they sound and are spelled.")
    created_at = models.DateTimeField(default=timezone.now)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.CharField(max_length=120, blank=True)

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant", "first", "second"], name="one_proposal_a_pair")
        ]
        indexes = [
            models.Index(fields=["tenant", "person", "status", "-created_at"], name="proposal_newest_first")
        ]


class EntityMerge(TenantModel):
    """A person's decision that `entity` is another name of `into`; undone by a split."""

    person = TenantForeignKey(UserProfile, models.CASCADE, related_name="+", db_index=False)
    entity = TenantForeignKey("memories.Entity", models.CASCADE, related_name="+", db_index=False)
    into = TenantForeignKey("memories.Entity", models.CASCADE, related_name="+")
    actor = models.CharField(max_length=120)
    memories = models.PositiveIntegerField(default=0, help_text="How many it moved.")
    created_at = models.DateTimeField(default=timezone.now)
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.CharField(max_length=120, blank=True)

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "entity"], condition=models.Q(undone_at=None), name="one_merge_an_entity"
            )
        ]
        indexes = [models.Index(fields=["tenant", "person", "-created_at"], name="merge_newest_first")]


class UnmergedRefs(TenantModel):
    """The references of a memory before a merge made others of them: what a split gives back."""

    memory = TenantForeignKey("memories.Memory", models.CASCADE, related_name="+", db_index=False)
    entity_refs = ArrayField(models.CharField(max_length=160), default=list)
    memory_key = models.CharField(max_length=300, blank=True)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "memory"], name="one_unmerged_a_memory")]


class Fold(TenantModel):
    """Several memories folded into `memory`, which supersedes them; undone as a whole."""

    person = TenantForeignKey(UserProfile, models.CASCADE, related_name="+", db_index=False)
    memory = TenantForeignKey("memories.Memory", models.CASCADE, related_name="+", db_index=False)
    kind = models.CharField(max_length=10, help_text="same or scattered")
    worded_by = models.CharField(max_length=240, help_text="rules, or the model")
    prompt_hash = models.CharField(max_length=64, blank=True)
    actor = models.CharField(max_length=120)
    created_at = models.DateTimeField(default=timezone.now)
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.CharField(max_length=120, blank=True)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "memory"], name="one_fold_a_memory")]
        indexes = [models.Index(fields=["tenant", "person", "-created_at"], name="fold_newest_first")]


class FoldMember(TenantModel):
    """A memory that a fold holds: `direct`, or as part of a fold that was folded in turn."""

    fold = TenantForeignKey(Fold, models.CASCADE, related_name="members", db_index=False)
    memory = TenantForeignKey("memories.Memory", models.CASCADE, related_name="+", db_index=False)
    direct = models.BooleanField(default=True)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "fold", "memory"], name="one_member_a_fold")]
        indexes = [models.Index(fields=["tenant", "memory"], name="folds_of_memory")]


class Curation(TenantModel):
    """When a person's memories were last looked through, how many there were, and what came of it."""

    person = TenantForeignKey(UserProfile, models.CASCADE, related_name="+", db_index=False)
    last_run_at = models.DateTimeField()
    last_memory_count = models.PositiveIntegerField(help_text="Live memories at that moment.")
    last_memory_version = models.PositiveBigIntegerField()
    counts = models.JSONField(default=dict)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "person"], name="one_curation_a_person")]

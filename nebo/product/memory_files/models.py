"""What an assistant keeps in files about a person, and what stood there before."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from nebo.tenants.isolation import TenantForeignKey, sparse_index
from nebo.tenants.models import TenantModel, UserProfile

PATH_CHARS = 255


class MemoryFile(TenantModel):
    """A file below `/memories`. Agents of a persona have a folder of their own; all others share one."""

    person = TenantForeignKey(UserProfile, models.CASCADE, related_name="memory_files", db_index=False)
    persona = TenantForeignKey(
        "personality.Persona", models.CASCADE, null=True, related_name="+", db_index=False
    )
    path = models.CharField(max_length=PATH_CHARS, help_text="Below /memories/, without it.")
    text = models.TextField(blank=True)
    held = ArrayField(
        models.TextField(), default=list, help_text="Passages that read like orders; no agent is shown them."
    )
    allowed = ArrayField(
        models.TextField(), default=list, help_text="Passages that the person lets agents read all the same."
    )
    number = models.PositiveIntegerField(default=1, help_text="Of its newest version.")
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField()
    deleted_at = models.DateTimeField(null=True)

    class Meta(TenantModel.Meta):
        verbose_name = "memory file"
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "person", "persona", "path"],
                condition=models.Q(deleted_at=None),
                nulls_distinct=False,
                name="one_memory_file_a_path",
            )
        ]
        indexes = [
            models.Index(fields=["tenant", "person", "-updated_at"], name="memory_file_newest_first"),
            models.Index(
                fields=["tenant", "deleted_at"],
                condition=models.Q(deleted_at__isnull=False),
                name="memory_file_in_trash",
            ),
            sparse_index("persona", name="memory_file_by_persona"),
        ]

    def __str__(self) -> str:
        return self.path


class MemoryFileVersion(TenantModel):
    """A file as one change left it."""

    class Action(models.TextChoices):
        CREATED = "created", _("Created")
        EDITED = "edited", _("Edited")
        RENAMED = "renamed", _("Renamed")
        DELETED = "deleted", _("Moved to the trash")
        RESTORED = "restored", _("Restored")
        ALLOWED = "allowed", _("Let agents read what was held back")

    file = TenantForeignKey(MemoryFile, models.CASCADE, related_name="versions", db_index=False)
    number = models.PositiveIntegerField()
    action = models.CharField(max_length=10, choices=Action)
    path = models.CharField(max_length=PATH_CHARS)
    text = models.TextField(blank=True)
    actor = models.CharField(max_length=120)
    created_at = models.DateTimeField()

    class Meta(TenantModel.Meta):
        verbose_name = "memory file version"
        constraints = [
            models.UniqueConstraint(fields=["tenant", "file", "number"], name="one_memory_file_version")
        ]

    def __str__(self) -> str:
        return f"{self.path} {self.number}"

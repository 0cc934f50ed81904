"""A person’s data as a whole: exports to download, files that come in, and erasures with their receipts."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from nebo.tenants.isolation import TenantForeignKey, sparse_index
from nebo.tenants.models import BroughtWords, TenantModel, UserProfile


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


class Import(TenantModel):
    """A file that somebody brought along for a person, and how far it has come in."""

    class Source(models.TextChoices):
        NEBO = "nebo", _("Nebo")
        CHATGPT = "chatgpt", _("ChatGPT")
        CLAUDE = "claude", _("Claude")
        OPENAI = "openai", _("Messages as OpenAI’s API takes them")
        MEM0 = "mem0", _("Mem0")
        ZEP = "zep", _("Zep")
        MARKDOWN = "markdown", _("Markdown: CLAUDE.md, AGENTS.md, a folder of notes")

    class Outcome(models.TextChoices):
        DONE = "done", _("Done")
        FAILED = "failed", _("Failed")
        CANCELLED = "cancelled", _("Cancelled")

    person = TenantForeignKey(UserProfile, models.CASCADE, related_name="+", db_index=False)
    job = TenantForeignKey("jobs.Job", models.SET_NULL, null=True, related_name="+", db_index=False)
    source = models.CharField(max_length=10, choices=Source)
    name = models.CharField(max_length=200, blank=True, help_text="The file’s.")
    size = models.PositiveBigIntegerField(help_text="Bytes.")
    dry_run = models.BooleanField(default=False)
    manages = models.BooleanField(default=False, help_text="Whether who asked may change what all share.")
    after_erasure = models.BooleanField(
        default=False, help_text="Whether somebody who was erased may come back."
    )
    requested_by = models.CharField(max_length=120)
    trust = models.CharField(max_length=10, blank=True, choices=BroughtWords)
    requested_at = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True, help_text="Since when the file is known to be whole.")
    ended_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=10, blank=True, choices=Outcome)
    fault = models.JSONField(null=True, help_text="field and detail, where the file was refused.")
    total = models.PositiveIntegerField(default=0, help_text="Messages, notes and rows in it.")
    done = models.PositiveIntegerField(default=0, help_text="Of them, those that were looked at.")
    counts = models.JSONField(default=dict, help_text="What came of them.")
    left_out = models.JSONField(default=dict, help_text="What was not taken over, by reason.")
    aliases = models.JSONField(
        default=dict, help_text="By id in the file: what it is here, under another one."
    )

    class Meta(TenantModel.Meta):
        indexes = [
            models.Index(fields=["tenant", "person", "-requested_at"], name="import_newest_first"),
            models.Index(fields=["tenant", "requested_at"], name="import_by_age"),
        ]

    @property
    def state(self) -> str:
        """In one word: waiting, reading, running, or how it ended."""
        if self.outcome:
            return self.outcome
        return "running" if self.read_at else "waiting"

    @property
    def percent(self) -> int:
        """How far it has come."""
        if self.outcome == self.Outcome.DONE:
            return 100
        return self.done * 100 // self.total if self.total else 0


class ImportPart(TenantModel):
    """A stretch of the file, until it has been read."""

    incoming = TenantForeignKey(Import, models.CASCADE, related_name="parts", db_index=False)
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant", "incoming", "number"], name="one_import_part_a_number")
        ]


class ImportBatch(TenantModel):
    """A piece of what was read, until it is stored."""

    incoming = TenantForeignKey(Import, models.CASCADE, related_name="batches", db_index=False)
    number = models.PositiveIntegerField()
    content = models.JSONField()

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant", "incoming", "number"], name="one_import_batch_a_number")
        ]


class ImportedNote(TenantModel):
    """That a note came in once, by its name in its source: it doesn't again, whatever became of the memory."""

    person = TenantForeignKey(UserProfile, models.CASCADE, related_name="+", db_index=False)
    memory = TenantForeignKey("memories.Memory", models.SET_NULL, null=True, related_name="+", db_index=False)
    origin = models.CharField(max_length=200)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant", "person", "origin"], name="one_note_an_origin")
        ]
        indexes = [sparse_index("memory", name="imported_note_of_memory")]

"""Who the agent is: personas, how they change, and on what evidence."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from nebo.tenants.isolation import APPEND_ONLY, TenantForeignKey
from nebo.tenants.models import TenantModel, UserProfile


class Persona(TenantModel):
    """A character an agent speaks as. What of it a prompt shows stands in docs/context.md#the-stable-prefix."""

    class FileSync(models.TextChoices):
        EXPORT_ONLY = "export_only", _("Export Only")
        IMPORT_EXPORT = "import_export", _("Import Export")
        DISABLED = "disabled", _("Disabled")

    class MemoryScope(models.TextChoices):
        SHARED = "shared", _("Shared")
        OWN = "own", _("Own")

    slug = models.SlugField(max_length=63)
    name = models.CharField(max_length=200, default="Nebo")
    preset = models.CharField(max_length=40, blank=True)
    custom_personality = models.TextField(blank=True, help_text="{name} stands for the name.")
    voice_style = models.CharField(max_length=40, default="neutral")
    response_length = models.CharField(max_length=40, default="adaptive")
    emoji_usage = models.CharField(max_length=40, default="moderate")
    formality = models.CharField(max_length=40, default="adaptive")
    proactivity = models.CharField(max_length=40, default="moderate")
    emoji = models.CharField(max_length=16, blank=True)
    creature = models.CharField(max_length=200, blank=True)
    vibe = models.CharField(max_length=200, blank=True)
    role = models.CharField(max_length=200, blank=True)
    language = models.CharField(max_length=40, blank=True, help_text="Empty: the person's own.")
    rules = models.TextField(blank=True, help_text="Versioned JSON sections, or Markdown.")
    tool_notes = models.TextField(blank=True, help_text="Versioned JSON sections, or Markdown.")
    file_sync = models.CharField(max_length=20, choices=FileSync, default=FileSync.EXPORT_ONLY)
    memory_scope = models.CharField(
        max_length=10,
        choices=MemoryScope,
        default=MemoryScope.SHARED,
        help_text="Who may know what is learned in its sessions: every persona, or this one alone.",
    )
    locked = ArrayField(
        models.CharField(max_length=40),
        default=list,
        blank=True,
        help_text="Fields that a person's wishes can't change.",
    )
    archived_at = models.DateTimeField(null=True, blank=True, help_text="Since when nobody speaks as it.")
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "slug"], name="one_persona_a_slug")]

    def __str__(self) -> str:
        return self.name


class PersonaFile(TenantModel):
    """A file of a persona: AGENTS.md, MEMORY.md, SOUL.md or HEARTBEAT.md."""

    persona = TenantForeignKey(Persona, models.CASCADE, related_name="files", db_index=False)
    name = models.CharField(max_length=40)
    content = models.TextField(blank=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "persona", "name"], name="one_file_a_name")]


class PersonaOverlay(TenantModel):
    """How one persona is to one person: the fields their wishes changed. It covers the persona for them alone."""

    persona = TenantForeignKey(Persona, models.CASCADE, related_name="overlays", db_index=False)
    person = TenantForeignKey(UserProfile, models.CASCADE, related_name="+", db_index=False)
    fields = models.JSONField(default=dict)
    rule_topics = models.JSONField(default=dict, help_text="By rule of theirs: the question it answers.")
    version = models.PositiveIntegerField(default=0)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant", "person", "persona"], name="one_overlay_a_person")
        ]


class PersonaCandidate(TenantModel):
    """A change somebody asked of a persona, and what was decided. With a `person` it is about their overlay."""

    class Decision(models.TextChoices):
        ACCEPTED = "accepted", _("Accepted")
        REJECTED = "rejected", _("Not accepted")
        DEFERRED = "deferred", _("Waiting")

    class Source(models.TextChoices):
        RULE = "rule", _("Rule")
        MODEL = "model", _("Model")
        FILE = "file", _("File")

    persona = TenantForeignKey(Persona, models.CASCADE, related_name="candidates", db_index=False)
    person = TenantForeignKey(
        UserProfile, models.CASCADE, null=True, blank=True, related_name="+", db_index=False
    )
    field = models.CharField(max_length=40)
    value = models.TextField()
    confidence = models.FloatField(default=0.0)
    decision = models.CharField(max_length=10, choices=Decision)
    reason = models.CharField(max_length=60)
    source = models.CharField(max_length=10, choices=Source, default=Source.RULE)
    about = models.CharField(
        max_length=20, blank=True, help_text="The question it answers: length, language, …"
    )
    turn_key = models.CharField(max_length=120, blank=True, help_text="Makes a turn's decisions idempotent.")
    place = models.PositiveSmallIntegerField(default=0, help_text="Among those of its turn.")
    decided_by = models.CharField(max_length=120, blank=True, help_text="Who decided last.")
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta(TenantModel.Meta):
        indexes = [
            models.Index(fields=["tenant", "persona", "-created_at"], name="candidate_newest_first"),
            models.Index(fields=["tenant", "person", "-created_at"], name="candidate_by_person"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "persona", "turn_key", "place"],
                condition=~models.Q(turn_key=""),
                name="one_decision_a_turn_and_place",
            )
        ]


class PersonaEvidence(TenantModel):
    """A signal that speaks for a candidate: the message, its words, and how much they weigh (0 to 1)."""

    candidate = TenantForeignKey(PersonaCandidate, models.CASCADE, related_name="evidence", db_index=False)
    message = TenantForeignKey("agent_sessions.Message", models.SET_NULL, null=True, related_name="+")
    quote = models.TextField(blank=True)
    weight = models.FloatField(default=0.0)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "candidate", "message"], name="one_piece_of_evidence_a_message"
            )
        ]


class PersonaRevision(TenantModel):
    """What a persona, or with a `person` a person's overlay, was and became; any of them can be brought back."""

    persona = TenantForeignKey(Persona, models.CASCADE, related_name="revisions", db_index=False)
    person = TenantForeignKey(
        UserProfile, models.CASCADE, null=True, blank=True, related_name="+", db_index=False
    )
    number = models.PositiveIntegerField()
    before = models.JSONField(null=True)
    after = models.JSONField()
    actor = models.CharField(max_length=120)
    reason = models.CharField(max_length=300, blank=True)
    candidate = TenantForeignKey(PersonaCandidate, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    kept_from_app = APPEND_ONLY

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "persona", "person", "number"],
                nulls_distinct=False,
                name="one_revision_a_number",
            )
        ]

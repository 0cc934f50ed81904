"""Memories, and everything that says why they are there: observations, versions and runs."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memories.models.context_indexes import CONTEXT_INDEXES
from nebo.tenants.isolation import APPEND_ONLY, TenantForeignKey, sparse_index
from nebo.tenants.models import TenantModel, UserProfile

KEY_LIMIT = 128  # characters; docs/design.md#memory-numbers
VALUE_LIMIT = 2048  # characters


class Memory(TenantModel):
    """One thing known about one person (or, for `global`, about everyone in the tenant)."""

    class Layer(models.TextChoices):
        TACIT = "tacit", _("Lasting")
        DAILY = "daily", _("Day to day")
        ENTITY = "entity", _("People & things")

    class Scope(models.TextChoices):
        SESSION = "session", _("This session only")
        USER = "user", _("Everywhere")
        GLOBAL = "global", _("Everyone in the team")

    class Type(models.TextChoices):
        PROFILE = "profile", _("Profile")
        PEOPLE = "people", _("People")
        PROJECT = "project", _("Project")

    class FactType(models.TextChoices):
        FACT = "fact", _("Fact")
        PREFERENCE = "preference", _("Preference")
        RELATIONSHIP = "relationship", _("Relationship")
        FRICTION = "friction", _("Friction")
        HABIT = "habit", _("Habit")

    class Source(models.TextChoices):
        EXTRACTION = "extraction", _("Learned from a conversation")
        SEEDED_PROFILE = "seeded_profile", _("From the profile")
        CURATED_FOLD = "curated_fold", _("Folded together from others")
        AGENT = "agent", _("Stored by an agent")
        USER = "user", _("Written by hand")
        IMPORT = "import", _("Imported")
        SIGNAL = "signal", _("Said in so many words")

    class Trust(models.TextChoices):
        USER = "user", _("In their own words")
        AGENT = "agent", _("An agent’s note")
        ASSISTANT = "assistant", _("Inferred by the agent")
        TOOL = "tool", _("From a tool")
        WEB = "web", _("From the web")

    class Status(models.TextChoices):
        ACTIVE = "active", _("Active")
        ARCHIVED = "archived", _("Archived")
        SUPERSEDED = "superseded", _("Replaced")
        QUARANTINED = "quarantined", _("In review")
        DELETED = "deleted", _("In the trash")
        WRONG = "wrong", _("Marked wrong")
        UNMENTIONED = "unmentioned", _("Never mentioned")

    BLOCKED = (Status.WRONG, Status.UNMENTIONED)  # what says the same isn't learned again
    FORGOTTEN = (Status.DELETED, *BLOCKED)  # no agent is shown the words
    PAST = (
        Status.ARCHIVED,
        Status.SUPERSEDED,
        Status.QUARANTINED,
    )  # served to whoever asks for that state alone

    person = TenantForeignKey(UserProfile, models.CASCADE, related_name="memories", db_index=False)
    persona = TenantForeignKey(
        "personality.Persona", models.CASCADE, null=True, blank=True, related_name="+", db_index=False
    )
    session = TenantForeignKey(
        "agent_sessions.Session", models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    scope = models.CharField(max_length=10, choices=Scope, default=Scope.USER)
    layer = models.CharField(max_length=10, choices=Layer, blank=True)
    namespace = models.CharField(max_length=160, help_text="Effective: layer/namespace.")
    key = models.CharField(max_length=KEY_LIMIT)
    value = models.CharField(max_length=VALUE_LIMIT)
    tags = ArrayField(models.CharField(max_length=64), default=list, blank=True)

    type = models.CharField(max_length=10, choices=Type, default=Type.PROFILE)
    entity_refs = ArrayField(models.CharField(max_length=160), default=list, blank=True)
    entity_label = models.CharField(max_length=200, blank=True)
    entity_type = models.CharField(max_length=20, blank=True)
    fact_type = models.CharField(max_length=20, choices=FactType, default=FactType.FACT)
    memory_key = models.CharField(max_length=300, blank=True)

    importance = models.PositiveSmallIntegerField(default=1)
    pinned = models.BooleanField(default=False)
    confirmed_at = models.DateTimeField(null=True, blank=True, help_text="A person confirmed it.")
    source = models.CharField(max_length=20, choices=Source)
    trust = models.CharField(max_length=10, choices=Trust, default=Trust.USER)
    status = models.CharField(max_length=12, choices=Status, default=Status.ACTIVE)
    quarantine_reason = models.CharField(max_length=200, blank=True)
    confidence = models.FloatField(default=0.75)
    reinforced_count = models.PositiveIntegerField(default=1)
    first_observed = models.DateTimeField(default=timezone.now)
    last_reinforced = models.DateTimeField(default=timezone.now)
    access_count = models.PositiveIntegerField(default=0)
    accessed_at = models.DateTimeField(default=timezone.now)
    valid_from = models.DateTimeField(null=True, blank=True)
    valid_to = models.DateTimeField(null=True, blank=True)
    superseded_by = TenantForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="supersedes", db_index=False
    )
    expires_at = models.DateTimeField(null=True, blank=True)
    deleted_at = models.DateTimeField(null=True, blank=True)
    shared_at = models.DateTimeField(null=True, blank=True, help_text="Since when the team may recall it.")
    shared_by = models.CharField(max_length=120, blank=True, default="", help_text="Who shared it.")
    metadata = models.JSONField(default=dict, blank=True)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "person", "persona", "scope", "session", "namespace", "key"],
                condition=models.Q(status="active"),
                nulls_distinct=False,
                name="one_live_memory_a_key",
            ),
            models.CheckConstraint(condition=models.Q(importance__lte=3), name="importance_0_to_3"),
            models.CheckConstraint(
                condition=models.Q(pinned=False) | models.Q(importance=3), name="pinned_forces_importance_3"
            ),
            models.CheckConstraint(
                condition=models.Q(confidence__gte=0) & models.Q(confidence__lte=1), name="confidence_0_to_1"
            ),
        ]
        indexes = [
            models.Index(fields=["tenant", "person", "status", "-updated_at"], name="memory_newest_first"),
            models.Index(fields=["tenant", "person", "namespace", "key"], name="memory_by_key"),
            models.Index(
                fields=["tenant", "person", "memory_key"],
                condition=~models.Q(memory_key=""),
                name="memory_by_memory_key",
            ),
            models.Index(
                fields=["tenant", "deleted_at"], condition=models.Q(status="deleted"), name="memory_trash"
            ),
            *CONTEXT_INDEXES,
            sparse_index("persona", name="memory_of_persona"),
            sparse_index("session", name="memory_of_session"),
            sparse_index("superseded_by", name="memory_superseded"),
            sparse_index("shared_at", name="memory_shared"),
        ]

    def __str__(self) -> str:
        return f"{self.namespace}:{self.key}"

    @property
    def is_shared(self) -> bool:
        """Whether it is the team's, where the team's policy allows (`memories/team/`)."""
        return self.shared_at is not None

    @property
    def is_editable(self) -> bool:
        """Whether it can be corrected as it stands; else it is restored first."""
        return self.status not in (*self.FORGOTTEN, self.Status.SUPERSEDED)


class ExtractionRun(TenantModel):
    """One pass of an extractor over a session: what read what, and what came of it."""

    class Status(models.TextChoices):
        APPLIED = "applied", _("Applied")
        REVIEW = "review", _("Review")
        REJECTED = "rejected", _("Rejected")
        REVERTED = "reverted", _("Reverted")

    person = TenantForeignKey(UserProfile, models.CASCADE, related_name="+", db_index=False)
    session = TenantForeignKey(
        "agent_sessions.Session", models.SET_NULL, null=True, related_name="+", db_index=False
    )
    job = TenantForeignKey("jobs.Job", models.SET_NULL, null=True, related_name="+", db_index=False)
    trigger = models.CharField(max_length=20, help_text="idle, flush, signal or request")
    provider = models.CharField(max_length=40)
    model = models.CharField(max_length=200)
    prompt_hash = models.CharField(max_length=64, blank=True)
    seq_from = models.PositiveIntegerField(null=True)
    seq_to = models.PositiveIntegerField(null=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.APPLIED)
    counts = models.JSONField(default=dict)
    proposals = models.JSONField(default=list, help_text="What waits for review.")
    outcome = models.JSONField(default=dict, help_text="What approving, rejecting or undoing it did.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        indexes = [models.Index(fields=["tenant", "person", "-created_at"], name="run_newest_first")]


class Observation(TenantModel):
    """An immutable trace of where a memory came from: who said so, in which message, in which words."""

    memory = TenantForeignKey(Memory, models.CASCADE, related_name="observations", db_index=False)
    run = TenantForeignKey(ExtractionRun, models.SET_NULL, null=True, related_name="observations")
    message = TenantForeignKey("agent_sessions.Message", models.SET_NULL, null=True, related_name="+")
    extractor = models.CharField(max_length=40, help_text="model, rules, signal, agent, user or import")
    model = models.CharField(max_length=240, blank=True)
    prompt_hash = models.CharField(max_length=64, blank=True)
    value = models.CharField(max_length=VALUE_LIMIT, help_text="The wording of this observation.")
    quote = models.TextField(blank=True, help_text="Verbatim, checked against the message.")
    quote_start = models.PositiveIntegerField(null=True)
    quote_end = models.PositiveIntegerField(null=True)
    confidence = models.FloatField(default=0.75)
    trust = models.CharField(max_length=10, choices=Memory.Trust, default=Memory.Trust.USER)
    actor = models.CharField(max_length=120, blank=True)
    observed_at = models.DateTimeField(default=timezone.now)
    created_at = models.DateTimeField(auto_now_add=True)
    kept_from_app = APPEND_ONLY

    class Meta(TenantModel.Meta):
        indexes = [models.Index(fields=["tenant", "memory", "created_at"], name="observation_by_memory")]


class Version(TenantModel):
    """One change of a memory: before, after, who and why. `before` is null for the first."""

    memory = TenantForeignKey(Memory, models.CASCADE, related_name="versions", db_index=False)
    number = models.PositiveIntegerField()
    action = models.CharField(max_length=20)
    before = models.JSONField(null=True)
    after = models.JSONField()
    actor = models.CharField(max_length=120)
    reason = models.CharField(max_length=300, blank=True)
    run = TenantForeignKey(ExtractionRun, models.SET_NULL, null=True, related_name="versions")
    message_id = models.UUIDField(
        null=True, help_text="The message that told it. No foreign key: a version never changes."
    )
    created_at = models.DateTimeField(auto_now_add=True)
    kept_from_app = APPEND_ONLY

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant", "memory", "number"], name="one_version_a_number"),
        ]
        indexes = [
            models.Index(
                fields=["tenant", "message_id"],
                condition=models.Q(message_id__isnull=False),
                name="version_by_message",
            ),
        ]


class Entity(TenantModel):
    """Someone or something a person's memories speak of; `merged_into` when two names are one."""

    person = TenantForeignKey(UserProfile, models.CASCADE, related_name="+", db_index=False)
    ref = models.CharField(max_length=160)
    type = models.CharField(max_length=20)
    label = models.CharField(max_length=200, blank=True)
    merged_into = TenantForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="aliases")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "person", "ref"], name="one_entity_a_ref")]


class MemoryEntity(TenantModel):
    """Which memory speaks of which entity, entered from either side."""

    memory = TenantForeignKey(Memory, models.CASCADE, related_name="+", db_index=False)
    entity = TenantForeignKey(Entity, models.CASCADE, related_name="links", db_index=False)

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant", "entity", "memory"], name="one_link_a_memory")
        ]
        indexes = [models.Index(fields=["tenant", "memory"], name="entities_of_memory")]


class Todo(TenantModel):
    """Something open: a promise, a habit, a thread of conversation or a friction."""

    class Kind(models.TextChoices):
        COMMITMENT = "commitment", _("Promise")
        HABIT = "habit", _("Habit")
        THREAD = "thread", _("To come back to")
        FRICTION = "friction", _("Friction")

    class Status(models.TextChoices):
        OPEN = "open", _("Open")
        DONE = "done", _("Done")
        DROPPED = "dropped", _("Dropped")
        EXPIRED = "expired", _("Expired")

    person = TenantForeignKey(UserProfile, models.CASCADE, related_name="todos", db_index=False)
    persona = TenantForeignKey(
        "personality.Persona", models.CASCADE, null=True, blank=True, related_name="+", db_index=False
    )
    session = TenantForeignKey(
        "agent_sessions.Session", models.SET_NULL, null=True, blank=True, related_name="+"
    )
    message = TenantForeignKey(
        "agent_sessions.Message", models.SET_NULL, null=True, blank=True, related_name="+"
    )
    run = TenantForeignKey(
        ExtractionRun, models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    kind = models.CharField(max_length=12, choices=Kind, default=Kind.COMMITMENT)
    text = models.CharField(max_length=500)
    quote = models.TextField(blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    due_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.CharField(max_length=120, blank=True)
    closed_message = TenantForeignKey(
        "agent_sessions.Message", models.SET_NULL, null=True, blank=True, related_name="+"
    )
    closed_quote = models.TextField(blank=True, help_text="The words that said it is settled.")
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta(TenantModel.Meta):
        indexes = [
            models.Index(fields=["tenant", "person", "status", "-created_at"], name="todo_newest_first"),
            sparse_index("persona", name="todo_of_persona"),
        ]

    @property
    def is_overdue(self) -> bool:
        """Whether it is open past its day."""
        return (
            self.effective_status == self.Status.OPEN
            and self.due_at is not None
            and self.due_at < timezone.now()
        )

    @property
    def effective_status(self) -> str:
        """Its status; expired from the moment its time is over, before the daily sweep says so."""
        is_over = self.expires_at is not None and self.expires_at <= timezone.now()
        return self.Status.EXPIRED if is_over and self.status == self.Status.OPEN else self.status

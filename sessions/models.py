"""Conversations: sessions, their append-only messages, and what is written about them."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from nebo.tenants.isolation import APPEND_ONLY, TenantForeignKey, sparse_index
from nebo.tenants.models import BroughtWords, TenantModel, UserProfile


class Session(TenantModel):
    """One conversation of one person with one persona."""

    person = TenantForeignKey(UserProfile, models.CASCADE, related_name="sessions", db_index=False)
    persona = TenantForeignKey(
        "personality.Persona", models.CASCADE, null=True, blank=True, related_name="+", db_index=False
    )
    key = models.CharField(max_length=255)
    identity = models.JSONField(default=dict, help_text="workspace, channel, conversation, actor")
    auto_extract = models.BooleanField(default=True)
    recall = models.BooleanField(null=True, help_text="Null: as the tenant has it.")
    index_turns = models.BooleanField(default=True)

    next_seq = models.PositiveIntegerField(default=1)
    turn_count = models.PositiveIntegerField(default=0)
    live_tokens = models.PositiveIntegerField(default=0, help_text="Estimate over messages not compacted.")
    extracted_seq = models.PositiveIntegerField(default=0, help_text="Extraction has read up to here.")
    rolled_seq = models.PositiveIntegerField(default=0, help_text="The rolling summary has read up to here.")
    spine_seq = models.PositiveIntegerField(default=0, help_text="The spine has read up to here.")
    turns_to_roll = models.PositiveIntegerField(
        default=0, help_text="Messages of the person that no rolling summary speaks for yet."
    )

    summary = models.TextField(blank=True)
    compaction_count = models.PositiveIntegerField(default=0)
    flush_compaction_count = models.IntegerField(default=-1, help_text="The cycle whose flush has run.")
    recovering = models.BooleanField(default=False, help_text="Compacted since the last context.")
    active_task = models.TextField(blank=True)
    memory_tool_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When the agent last used its memory here."
    )

    started_at = models.DateTimeField(default=timezone.now)
    last_activity_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True, blank=True)
    kept_from_app = frozenset({"DELETE"})

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "person", "key"], name="one_session_a_key")]
        indexes = [
            models.Index(fields=["tenant", "person", "-last_activity_at"], name="session_newest_first"),
            sparse_index("persona", name="session_of_persona"),
            models.Index(
                fields=["last_activity_at"],
                condition=models.Q(ended_at__isnull=True),
                name="session_idle_sweep",
            ),
        ]

    def __str__(self) -> str:
        return self.key

    @property
    def served_summary(self) -> str:
        """The summary, unless it may say what was withheld since; of a session read `with_withheld`."""
        return self.summary if self.summary and not self.__dict__["summary_withheld"] else ""

    @property
    def served_task(self) -> str:
        """The active task, unless it says what is withheld; of a session read `with_withheld`."""
        return self.active_task if self.active_task and not self.__dict__["task_withheld"] else ""


class Message(TenantModel):
    """One message, never changed but by a redaction; `compacted` says that the summary speaks for it now.

    Whatever an agent or a model reads is `words`; `content` is for the person's own pages, and for finding quotes.
    """

    class Role(models.TextChoices):
        USER = "user", _("Person")
        ASSISTANT = "assistant", _("Assistant")
        SYSTEM = "system", _("System")
        TOOL = "tool", _("Tool")

    session = TenantForeignKey(Session, models.CASCADE, related_name="messages", db_index=False)
    person = TenantForeignKey(UserProfile, models.CASCADE, related_name="+", db_index=False)
    seq = models.PositiveIntegerField()
    role = models.CharField(max_length=10, choices=Role)
    name = models.CharField(max_length=200, blank=True)
    trust = models.CharField(
        max_length=10,
        blank=True,
        choices=BroughtWords,
        help_text="Whose words the key that brought it said it brings. Empty: those of its role.",
    )
    content = models.TextField()
    shown = models.TextField(
        null=True, help_text="What agents are shown instead; null where nothing is withheld."
    )
    external_id = models.CharField(max_length=255, null=True, blank=True)
    tokens = models.PositiveIntegerField(default=0)
    compacted = models.BooleanField(default=False)
    archived_at = models.DateTimeField(null=True, blank=True)
    read_in_turn = models.BooleanField(default=False, help_text="Whether all of it was read in the turn.")
    passing = models.BooleanField(
        default=False, help_text="A mere mood or remark, as far as it was read in the turn."
    )
    created_at = models.DateTimeField(default=timezone.now, help_text="When it was said.")
    recorded_at = models.DateTimeField(auto_now_add=True, help_text="When Nebo was told.")
    kept_from_app = APPEND_ONLY

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant", "session", "seq"], name="one_message_a_seq"),
            models.UniqueConstraint(
                fields=["tenant", "session", "external_id"],
                condition=models.Q(external_id__isnull=False),
                name="one_message_an_external_id",
            ),
        ]
        indexes = [
            models.Index(fields=["tenant", "person", "-created_at"], name="message_by_person"),
            models.Index(
                fields=["tenant", "recorded_at"],
                condition=models.Q(archived_at=None),
                name="message_to_archive",
            ),
            models.Index(
                fields=["tenant", "archived_at"],
                condition=models.Q(archived_at__isnull=False),
                name="message_to_remove",
            ),
        ]

    @property
    def is_own(self) -> bool:
        """Whether it is what a person said, as far as its bringer says."""
        return self.role == self.Role.USER and self.trust in ("", BroughtWords.USER)

    @property
    def words(self) -> str:
        """What agents are shown of it."""
        return self.content if self.shown is None else self.shown


class SessionState(TenantModel):
    """What carries over between the sessions of one person with one persona."""

    person = TenantForeignKey(UserProfile, models.CASCADE, related_name="+", db_index=False)
    persona = TenantForeignKey("personality.Persona", models.CASCADE, null=True, related_name="+")
    message_count = models.PositiveIntegerField(default=0)
    last_interaction_at = models.DateTimeField(null=True)
    last_user_message = models.CharField(max_length=200, blank=True)
    spine_message_count = models.PositiveIntegerField(default=0, help_text="Messages since the last spine.")
    rolling_attempt_at = models.DateTimeField(null=True)
    rolling_success_at = models.DateTimeField(null=True)
    rolling_error = models.JSONField(null=True, help_text="reason and detail; null once it went well.")

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "person", "persona"], nulls_distinct=False, name="one_state_a_persona"
            )
        ]


class RollingSummary(TenantModel):
    """The running summary every few turns, kept as a history; the newest speaks."""

    state = TenantForeignKey(SessionState, models.CASCADE, related_name="rolling_summaries", db_index=False)
    session = TenantForeignKey(Session, models.SET_NULL, null=True, related_name="+")
    text = models.CharField(max_length=600)
    seq_from = models.PositiveIntegerField(default=1)
    seq_to = models.PositiveIntegerField()
    model = models.CharField(max_length=240, blank=True)
    prompt_hash = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(default=timezone.now, help_text="When what it tells was read.")

    class Meta(TenantModel.Meta):
        indexes = [models.Index(fields=["tenant", "state", "-created_at"], name="rolling_newest_first")]


class SessionSummary(TenantModel):
    """What a closed session was about."""

    session = TenantForeignKey(Session, models.CASCADE, related_name="summaries", db_index=False)
    one_liner = models.CharField(max_length=400)
    what_mattered = models.JSONField(default=list)
    open_loops = models.JSONField(default=list)
    commitments = models.JSONField(default=list)
    people = models.JSONField(default=list)
    tone = models.CharField(max_length=200, blank=True)
    seq_to = models.PositiveIntegerField(default=0, help_text="The last message it speaks for.")
    said_from = models.DateTimeField(null=True, help_text="When the first of its messages was said.")
    said_to = models.DateTimeField(null=True, help_text="When the last of its messages was said.")
    model = models.CharField(max_length=240, blank=True)
    prompt_hash = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(default=timezone.now, help_text="When what it tells was read.")

    class Meta(TenantModel.Meta):
        indexes = [models.Index(fields=["tenant", "session", "-created_at"], name="summary_newest_first")]


class Spine(TenantModel):
    """The long-term summary of a person, versioned, in four sections.

    `sections` has the lists PROFILE, PROJECTS and PEOPLE, true for every persona, and OPEN_LOOPS as a list by persona
    (its id, or "" for the default one): what one was promised is none of another's business.
    """

    person = TenantForeignKey(UserProfile, models.CASCADE, related_name="+", db_index=False)
    version = models.PositiveIntegerField()
    sections = models.JSONField(default=dict)
    cites = models.JSONField(
        default=dict, help_text="By line, what it rests on: ids of memories and of messages."
    )
    message_count = models.PositiveIntegerField(default=0, help_text="Messages since the version before.")
    model = models.CharField(max_length=240, blank=True)
    prompt_hash = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant", "person", "version"], name="one_spine_a_version")
        ]


class Compaction(TenantModel):
    """A line of the compaction journal: what was folded into the summary, and the summary before and after."""

    session = TenantForeignKey(Session, models.CASCADE, related_name="compactions", db_index=False)
    number = models.PositiveIntegerField()
    seq_from = models.PositiveIntegerField()
    seq_to = models.PositiveIntegerField()
    kept = models.PositiveSmallIntegerField()
    tokens_before = models.PositiveIntegerField()
    tokens_after = models.PositiveIntegerField()
    summary_before = models.TextField(blank=True)
    summary_after = models.TextField()
    model = models.CharField(max_length=240, blank=True)
    created_at = models.DateTimeField(default=timezone.now, help_text="When what it tells was read.")
    kept_from_app = APPEND_ONLY

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(fields=["tenant", "session", "number"], name="one_compaction_a_number")
        ]


class Snapshot(TenantModel):
    """What stood when a compaction ran: facts, preferences, tasks, open loops and constraints."""

    compaction = TenantForeignKey(Compaction, models.CASCADE, related_name="snapshots", db_index=False)
    facts = models.JSONField(default=list)
    preferences = models.JSONField(default=list)
    tasks = models.JSONField(default=list)
    open_loops = models.JSONField(default=list)
    constraints = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        indexes = [models.Index(fields=["tenant", "compaction"], name="snapshot_by_compaction")]

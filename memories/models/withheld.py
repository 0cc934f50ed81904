"""Words of a conversation that no agent is shown any more, and whose forgetting withholds them."""

from __future__ import annotations

from django.db import models
from django.db.models import Exists, OuterRef

from nebo.tenants.isolation import TenantForeignKey, sparse_index
from nebo.tenants.models import TenantModel, UserProfile


class Withheld(TenantModel):
    """`message.content[start:end]`, withheld since somebody forgot or corrected a memory; gone when that is undone.

    Without a memory, which was erased meanwhile, it is withheld for good. `recorded_at` is when Nebo got the words:
    summaries written between that moment and `created_at` may say them.
    """

    class Found(models.TextChoices):
        QUOTE = "quote"
        WORDS = "words"
        MEANING = "meaning"
        REQUEST = "request"

    person = TenantForeignKey(UserProfile, models.CASCADE, related_name="+", db_index=False)
    session = TenantForeignKey("agent_sessions.Session", models.CASCADE, related_name="+", db_index=False)
    message = TenantForeignKey("agent_sessions.Message", models.CASCADE, related_name="+", db_index=False)
    memory = TenantForeignKey("memories.Memory", models.SET_NULL, null=True, related_name="+", db_index=False)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    found = models.CharField(max_length=10, choices=Found, help_text="What told that these are the words.")
    recorded_at = models.DateTimeField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "message", "memory", "start", "end"],
                name="one_withholding_a_stretch",
            )
        ]
        indexes = [
            models.Index(fields=["tenant", "person", "-created_at"], name="withheld_of_person"),
            models.Index(fields=["tenant", "session", "-created_at"], name="withheld_in_session"),
            sparse_index("memory", name="withheld_of_memory"),
        ]


class WithheldLine(TenantModel):
    """A line outside the conversation that says what was forgotten: of a long-term summary, a task, a todo.

    While this row exists, no line with exactly these words is served.
    """

    person = TenantForeignKey(UserProfile, models.CASCADE, related_name="+", db_index=False)
    memory = TenantForeignKey("memories.Memory", models.CASCADE, related_name="+", db_index=False)
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        indexes = [
            models.Index(fields=["tenant", "person"], name="withheld_line_of_person"),
            models.Index(fields=["tenant", "memory"], name="withheld_line_of_memory"),
        ]


def says_withheld(column: str, *, person: str = "person_id") -> Exists:
    """Whether a row's text, in that column, is a line that isn't served of its person."""
    lines = WithheldLine.unscoped.filter(
        tenant_id=OuterRef("tenant_id"), person_id=OuterRef(person), text=OuterRef(column)
    )
    return Exists(lines)

"""By what a context finds the first few of very many memories (sessions/context/knowledge.py)."""

from __future__ import annotations

from django.db.models import Index, Q
from django.db.models.functions import MD5

STYLES = "tacit/personality"
ALIVE = Q(status="active")

CONTEXT_INDEXES = (
    Index("tenant", "person", MD5("value"), name="memory_by_words"),
    Index(
        fields=["tenant", "person", "-last_reinforced", "-created_at"],
        condition=Q(pinned=True) & ALIVE,
        name="memory_pinned",
    ),
    Index(
        fields=["tenant", "person", "-access_count", "-last_reinforced"],
        condition=(Q(layer="tacit") | Q(pinned=True)) & ALIVE & ~Q(namespace=STYLES),
        name="memory_most_used",
    ),
    Index(
        fields=["tenant", "person", "-access_count", "-last_reinforced"],
        condition=Q(namespace=STYLES) & ALIVE & ~Q(key="directive"),
        name="style_most_used",
    ),
)

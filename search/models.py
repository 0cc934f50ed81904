"""What search reads: chunks of text, their postings (lexical) and their vectors (semantic).

Postings, corpus counters and the removal of vectors are kept exact by triggers on `Chunk`
(`search/sql/`): whoever writes or deletes a chunk, and by whatever cascade, the index follows. These
tables carry no foreign keys of their own, which a dozen rows a turn would each have to check.
"""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from pgvector.django import HalfVectorField

from nebo.tenants.isolation import TenantForeignKey
from nebo.tenants.models import Tenant, TenantModel, UserProfile


class EmbeddingModel(models.Model):
    """A model that makes vectors; belongs to no tenant."""

    class State(models.TextChoices):
        BUILDING = "building"
        SERVING = "serving"
        RETIRED = "retired"

    id = models.SmallAutoField(primary_key=True)
    provider = models.CharField(max_length=40)
    name = models.CharField(max_length=200)
    dimensions = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State, default=State.SERVING)
    state_since = models.DateTimeField(default=timezone.now)
    served_until = models.DateTimeField(
        null=True, help_text="Empty for one whose vectors were never complete."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["provider", "name", "dimensions"], name="one_row_an_embedding_model"
            ),
            models.UniqueConstraint(
                fields=["state"],
                condition=models.Q(state__in=["serving", "building"]),
                name="one_embedding_model_serves_and_one_is_built",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.provider}/{self.name} ({self.dimensions})"


class Chunk(TenantModel):
    """A searchable passage of a memory or of a session's transcript. `heading` is indexed but not shown."""

    class Source(models.TextChoices):
        MEMORY = "memory"
        SESSION = "session"

    id = models.BigAutoField(primary_key=True)  # type: ignore[assignment]
    person = TenantForeignKey(UserProfile, models.CASCADE, related_name="+", db_index=False)
    source = models.CharField(max_length=10, choices=Source)
    memory = TenantForeignKey(
        "memories.Memory", models.CASCADE, null=True, related_name="chunks", db_index=False
    )
    session = TenantForeignKey(
        "agent_sessions.Session", models.CASCADE, null=True, related_name="+", db_index=False
    )
    persona = TenantForeignKey(
        "personality.Persona", models.CASCADE, null=True, related_name="+", db_index=False
    )
    seq_from = models.PositiveIntegerField(null=True, help_text="First message of the passage.")
    seq_to = models.PositiveIntegerField(null=True, help_text="Last message of the passage.")
    speaker = models.CharField(
        max_length=200, blank=True, help_text="Their name, or which of the two it was."
    )
    by_agent = models.BooleanField(default=False, db_default=False, help_text="What the agent said itself.")
    index = models.PositiveIntegerField(default=0, help_text="Number of the chunk within its source.")
    start = models.PositiveIntegerField(default=0)
    end = models.PositiveIntegerField(default=0)
    heading = models.CharField(max_length=400, blank=True)
    text = models.TextField()
    terms = models.TextField(
        blank=True, help_text="Indexed beside the text: pairs of characters where no spaces are."
    )
    language = models.CharField(max_length=40, default="english", help_text="Text search configuration.")
    length = models.PositiveIntegerField(default=0, editable=False, help_text="Lexemes; set by trigger.")
    occurred_at = models.DateTimeField(default=timezone.now)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        indexes = [
            models.Index(
                fields=["tenant", "memory"],
                condition=models.Q(memory__isnull=False),
                name="chunk_by_its_memory",
            ),
            models.Index(fields=["tenant", "session", "seq_from"], name="chunk_by_session"),
            models.Index(
                fields=["tenant", "person", "id"],
                condition=models.Q(memory__isnull=False),
                name="chunk_of_memory",
            ),
            models.Index(
                fields=["tenant", "person", "id"],
                condition=models.Q(persona__isnull=False)
                | models.Q(memory__isnull=False, session__isnull=False),
                name="chunk_not_for_all",
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(source="memory", memory__isnull=False)
                | models.Q(
                    source="session", memory__isnull=True, session__isnull=False, seq_from__isnull=False
                ),
                name="chunk_names_its_source",
            )
        ]


class Posting(TenantModel):
    """`lexeme` occurs `tf` times in `chunk`; looked up by person and lexeme. Only triggers write it.

    The primary key exists for Django only: a unique index would store every lexeme again, while a plain one stores
    equal ones once. The columns are ordered to need no padding: wide ones first, the one of variable width last.
    """

    id = None  # type: ignore[assignment]
    tenant = models.ForeignKey(
        Tenant, models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    pk = models.CompositePrimaryKey("tenant_id", "person_number", "lexeme", "chunk_id")
    chunk = models.ForeignKey(Chunk, models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+")
    person_number = models.IntegerField(help_text="The person's number in the corpus.")
    length = models.SmallIntegerField(help_text="Of the chunk, in lexemes.")
    tf = models.SmallIntegerField()
    lexeme = models.CharField(max_length=255, db_collation="C")
    has_key = False  # docs/search.md

    class Meta(TenantModel.Meta):
        indexes = [models.Index(fields=["tenant", "person_number", "lexeme"], name="posting_by_lexeme")]


class Corpus(TenantModel):
    """How much one person's index holds: what BM25 needs to know. Written by trigger alone.

    `person_number` stands for the person in postings, in four bytes instead of sixteen; the database counts it.
    `indexed_model_id` is the model whose vectors of this person have an index of their own (`search.indexing.hnsw`).
    """

    id = None  # type: ignore[assignment]
    tenant = models.ForeignKey(
        Tenant, models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    pk = models.CompositePrimaryKey("tenant_id", "person_id")
    person = models.ForeignKey(
        UserProfile, models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    chunks = models.BigIntegerField(default=0)
    length = models.BigIntegerField(default=0)
    person_number = models.IntegerField(unique=True, editable=False)
    indexed_model_id = models.SmallIntegerField(null=True, editable=False)

    class Meta(TenantModel.Meta):
        pass


class Embedding(TenantModel):
    """The vector of a chunk by one model, in a table of its own so that a scan reads vectors alone."""

    id = None  # type: ignore[assignment]
    tenant = models.ForeignKey(
        Tenant, models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    pk = models.CompositePrimaryKey("tenant_id", "person_id", "model_id", "chunk_id")
    person = models.ForeignKey(
        UserProfile, models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    model = models.ForeignKey(EmbeddingModel, models.PROTECT, db_index=False, related_name="+")
    chunk = models.ForeignKey(Chunk, models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+")
    vector = HalfVectorField()

    class Meta(TenantModel.Meta):
        pass


class PendingEmbedding(TenantModel):
    """A chunk that a model has yet to embed; `attempts` says how often it refused."""

    id = None  # type: ignore[assignment]
    pk = models.CompositePrimaryKey("tenant_id", "model_id", "chunk_id")
    person = models.ForeignKey(
        UserProfile, models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    model = models.ForeignKey(EmbeddingModel, models.CASCADE, db_index=False, related_name="+")
    chunk = TenantForeignKey(Chunk, models.CASCADE, db_index=False, related_name="+")
    attempts = models.PositiveSmallIntegerField(default=0)

    class Meta(TenantModel.Meta):
        indexes = [
            models.Index(fields=["tenant", "chunk"], name="pending_by_chunk"),
            models.Index(
                fields=["tenant", "person", "model"],
                condition=models.Q(attempts=0),
                name="pending_by_person",
            ),
        ]


class CachedEmbedding(TenantModel):
    """A vector by the hash of its text, for this tenant alone: a shared cache would tell who else holds a text."""

    id = None  # type: ignore[assignment]
    pk = models.CompositePrimaryKey("tenant_id", "model_id", "content_hash")
    model = models.ForeignKey(EmbeddingModel, models.CASCADE, db_index=False, related_name="+")
    content_hash = models.BinaryField(max_length=32)
    vector = HalfVectorField()
    used_at = models.DateTimeField(default=timezone.now)

    class Meta(TenantModel.Meta):
        indexes = [models.Index(fields=["tenant", "used_at"], name="cached_embedding_by_age")]

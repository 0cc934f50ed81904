"""Who owns the data, who may log in, who may call, and whom memories are about."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from nebo.outbound.addresses import URL_LENGTH
from nebo.tenants.ids import uuid7
from nebo.tenants.isolation import OWNER_ALONE, TenantForeignKey, sparse_index
from nebo.tenants.policy import LEAST_COMPACTION, MOST_COMPACTION, find_unknown_choice
from nebo.tenants.scoping import TenantManager
from nebo.tenants.sealing import SealedField
from nebo.tenants.windows import LONGEST_WINDOW


class UserManager(BaseUserManager["User"]):
    """Logins are made by e-mail address."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        user = self.model(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)


class User(AbstractBaseUser, PermissionsMixin):
    """A login: one person with an e-mail address, in any number of tenants."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    email = models.EmailField(unique=True)
    name = models.CharField(max_length=200, blank=True)
    language = models.CharField(
        max_length=10, blank=True, db_default="", help_text="Of pages and mails. Empty: as the browser asks."
    )
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False, help_text="May enter the admin site (operators only).")
    date_joined = models.DateTimeField(auto_now_add=True)

    objects = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints = [models.UniqueConstraint(Lower("email"), name="user_email_any_case")]

    def __str__(self) -> str:
        return self.email


def window_field(default: int | None, help_text: str) -> models.PositiveIntegerField[Any, Any]:
    """How many days something is kept; 0 and nothing keep it for ever."""
    return models.PositiveIntegerField(
        null=True,
        blank=True,
        default=default,
        validators=[MaxValueValidator(LONGEST_WINDOW)],
        help_text=f"{help_text} In days; 0 or empty keeps for ever.",
    )


def check_choices(choices: Any) -> None:
    """Raise ValidationError unless each is a choice for a class of sensitive matters."""
    if wrong := find_unknown_choice(choices):
        raise ValidationError(
            _("There is no such class, or no such choice: %(name)s."), params={"name": wrong}
        )


class Tenant(models.Model):
    """A team that uses Nebo, with its policy."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    slug = models.SlugField(max_length=63, unique=True)
    name = models.CharField(max_length=200)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)
    first_call_at = models.DateTimeField(null=True, blank=True, editable=False)

    plan = models.CharField(
        max_length=60, blank=True, default="", db_default="", help_text="What they pay for, in your words."
    )
    calls_per_minute = models.PositiveIntegerField(
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text="Calls of all its keys together. Empty: as the server is set (NEBO_TENANT_REQUESTS_PER_MINUTE).",
    )

    auto_extract = models.BooleanField(default=True, help_text="New sessions learn from their turns.")
    compaction_tokens = models.PositiveIntegerField(
        default=32_000,
        validators=[MinValueValidator(LEAST_COMPACTION), MaxValueValidator(MOST_COMPACTION)],
        help_text="A session is compacted past this size, in tokens.",
    )
    review_share = models.FloatField(
        default=0.5,
        validators=[MinValueValidator(0), MaxValueValidator(1)],
        help_text="A run that would change more than this share of a person's memories waits for review.",
    )
    sensitive_classes = models.JSONField(
        default=dict,
        db_default=models.Value({}, models.JSONField()),
        blank=True,
        validators=[check_choices],
        help_text="Of each class of sensitive matters that is not simply learned: “review” or “never”.",
    )
    user_memory = models.BooleanField(
        default=True, help_text="Agents are given what is remembered of people; off, nothing of it."
    )
    recall = models.BooleanField(
        default=True, help_text="What fits a question is brought up by itself; a session may say otherwise."
    )
    relevance_floor = models.FloatField(
        null=True,
        blank=True,
        validators=[MinValueValidator(0), MaxValueValidator(1)],
        help_text="What is less like the question than this (a cosine) is not brought up. Empty: as measured.",
    )
    team_memory = models.BooleanField(
        default=False,
        db_default=False,
        help_text="What somebody shared with the team, everybody's agents may recall, with who said so.",
    )
    admins_look = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Owners and admins may look at everybody's memories; each look is logged.",
    )
    archive_days = window_field(
        90, "Messages a summary speaks for are archived this long after they were recorded."
    )
    event_days = window_field(None, "Archived messages are removed this long after that.")
    trash_days = window_field(30, "Deleted and expired memories are removed this long after that.")
    audit_days = window_field(None, "Entries of the audit log are removed at this age.")
    job_days = window_field(14, "Jobs that succeeded are removed this long after that.")
    candidate_days = window_field(
        180, "Changes of a persona that were not accepted are removed this long after they were asked."
    )
    export_days = window_field(3, "Exports of a person's data can be downloaded this long.")
    kept_from_app = OWNER_ALONE

    def __str__(self) -> str:
        return self.name

    @property
    def shares(self) -> bool:
        """Whether agents are given what others shared with the team."""
        return self.user_memory and self.team_memory

    def recalls(self, own: bool | None = None) -> bool:
        """Whether what fits a question is brought up: by a session's `own` word, or else by this one."""
        return self.user_memory and (self.recall if own is None else own)


class TenantModel(models.Model):
    """Base of every table that belongs to a tenant."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    tenant = models.ForeignKey(Tenant, models.CASCADE, related_name="+", db_index=False)

    objects: ClassVar[TenantManager[Self]] = TenantManager()
    unscoped: ClassVar[models.Manager[Self]] = models.Manager()

    # What the app's role may not do with the rows, as `AppendOnly` or `Withhold` in a migration have it (a grant of
    # single columns isn't UPDATE), and whether they have a unique key. Compared with the database before serving.
    kept_from_app: ClassVar[frozenset[str]] = frozenset()
    has_key: ClassVar[bool] = True

    class Meta:
        abstract = True
        base_manager_name = "unscoped"
        default_manager_name = "unscoped"

    def _do_update(self, base_qs: Any, using: Any, pk_val: Any, values: Any, *rest: Any) -> Any:
        """What Django's save asks: the row is looked for by its whole key, and never changes its tenant."""
        kept = [value for value in values if value[0].name != "tenant"]
        own = base_qs.filter(tenant_id=self.tenant_id)
        return super()._do_update(own, using, pk_val, kept, *rest)


class Membership(TenantModel):
    """A login's place in a tenant."""

    class Role(models.TextChoices):
        OWNER = "owner", _("Owner")
        ADMIN = "admin", _("Admin")
        MEMBER = "member", _("Member")

    user = models.ForeignKey(User, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role, default=Role.MEMBER)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "user"], name="one_membership_a_tenant")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.role}"


class UserProfile(TenantModel):
    """The person whom memories are about, as agents name them. `shared` is everyone in the tenant."""

    class Kind(models.TextChoices):
        PERSON = "person", _("Person")
        SHARED = "shared", _("Shared")

    kind = models.CharField(max_length=10, choices=Kind, default=Kind.PERSON)
    external_id = models.CharField(max_length=255)
    login = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="profiles")
    display_name = models.CharField(max_length=200, blank=True)
    location = models.CharField(max_length=200, blank=True)
    timezone = models.CharField(max_length=64, blank=True)
    occupation = models.CharField(max_length=200, blank=True)
    interests = ArrayField(models.CharField(max_length=200), default=list, blank=True)
    goals = models.TextField(blank=True)
    context = models.TextField(blank=True)
    communication_style = models.TextField(blank=True)
    memory_version = models.BigIntegerField(default=0, editable=False, help_text="Grows with every write.")
    words_taken = models.BigIntegerField(
        default=0, editable=False, help_text="Grows when words are withheld or redacted."
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    kept_from_app = frozenset({"DELETE"})

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "kind", "external_id"], name="one_profile_an_external_id"
            ),
            models.CheckConstraint(condition=~models.Q(external_id=""), name="person_has_external_id"),
        ]
        indexes = [models.Index(fields=["tenant", "login"], name="person_by_login")]

    def __str__(self) -> str:
        return self.display_name or self.external_id

    @property
    def has_pause(self) -> bool:
        """Whether a pause may stand in the way of who brings words; of a row read `with_pauses`, whether one does."""
        return bool(self.__dict__.get("pause_stands", True))


class BroughtWords(models.TextChoices):
    """Whose words a key may say that it brings."""

    USER = "user", _("The person’s own")
    ASSISTANT = "assistant", _("The assistant’s")
    TOOL = "tool", _("A tool’s")
    WEB = "web", _("The web’s")


class ApiKey(TenantModel):
    """A key an agent calls with; only a digest of it is kept."""

    name = models.CharField(max_length=200, blank=True)
    public_id = models.CharField(max_length=16, unique=True, editable=False)
    digest = models.CharField(max_length=64, editable=False)
    scopes = ArrayField(models.CharField(max_length=20), default=list)
    person = TenantForeignKey(UserProfile, models.CASCADE, null=True, blank=True, related_name="keys")
    persona = TenantForeignKey("personality.Persona", models.CASCADE, null=True, blank=True, related_name="+")
    trust = models.CharField(
        max_length=10,
        blank=True,
        choices=BroughtWords,
        help_text="Whose words it brings. Empty: each message is its role's, and what is stored is the agent's.",
    )
    created_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta(TenantModel.Meta):
        verbose_name = "API key"
        indexes = [models.Index(fields=["tenant", "-created_at"], name="key_by_tenant")]

    def __str__(self) -> str:
        return self.name or self.public_id


class Pause(TenantModel):
    """Collection is off: of all that is about a person, in one conversation, or through one key, for one person or
    (without a person) for everybody. It ends by itself at `until`, or when somebody resumes.
    """

    class Scope(models.TextChoices):
        PERSON = "person", _("Everything")
        SESSION = "session", _("A conversation")
        KEY = "key", _("A key")

    scope = models.CharField(max_length=10, choices=Scope)
    person = TenantForeignKey(UserProfile, models.CASCADE, null=True, related_name="+", db_index=False)
    session = TenantForeignKey(
        "agent_sessions.Session", models.CASCADE, null=True, related_name="+", db_index=False
    )
    key = TenantForeignKey(ApiKey, models.CASCADE, null=True, related_name="+", db_index=False)
    since = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField(null=True, help_text="Null: until somebody resumes.")
    reason = models.CharField(max_length=200, blank=True, help_text="For people's eyes, never an agent's.")
    made_by = models.CharField(max_length=120, help_text="As audit entries name whoever acts.")

    class Meta(TenantModel.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["tenant", "person", "session", "key"], nulls_distinct=False, name="one_pause_a_thing"
            ),
            models.CheckConstraint(
                condition=models.Q(scope="person", person__isnull=False, session=None, key=None)
                | models.Q(scope="session", person__isnull=False, session__isnull=False, key=None)
                | models.Q(scope="key", session=None, key__isnull=False),
                name="pause_names_its_thing",
            ),
        ]
        indexes = [sparse_index("session", name="pause_of_session"), sparse_index("key", name="pause_of_key")]

    def __str__(self) -> str:
        return f"{self.scope} until {self.until}"

    @property
    def is_by_hand(self) -> bool:
        """Whether somebody set it on the pages: no agent's key may end it."""
        return self.made_by.startswith("user:")


class ModelProvider(TenantModel):
    """Whom a team asks for chat or vectors, where it isn't the server's own choice. The key is kept encrypted."""

    class Use(models.TextChoices):
        CHAT = "chat", _("Chat")
        EMBEDDING = "embedding", _("Embedding")

    class Kind(models.TextChoices):
        OPENAI = "openai", _("OpenAI, or what speaks its API")
        ANTHROPIC = "anthropic", _("Anthropic")
        OLLAMA = "ollama", _("Ollama")

    use = models.CharField(max_length=10, choices=Use)
    kind = models.CharField(max_length=10, choices=Kind)
    base_url = models.CharField(max_length=URL_LENGTH)
    model = models.CharField(max_length=200)
    sealed_key = SealedField(blank=True)
    changed_at = models.DateTimeField()
    resting_since = models.DateTimeField(
        null=True, help_text="When it was first left alone, since it failed."
    )
    resting_reason = models.CharField(max_length=200, blank=True)

    class Meta(TenantModel.Meta):
        constraints = [models.UniqueConstraint(fields=["tenant", "use"], name="one_provider_a_use")]

    def __str__(self) -> str:
        return f"{self.kind}/{self.model}"

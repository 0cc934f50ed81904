"""Reading what is remembered. Every function stays within one tenant and, given one, one person's view."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.apps import apps
from django.db.models import F, Q, QuerySet, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce, Now
from django.db.models.lookups import Exact

from memories.confidence import PROMPT_GATE
from memories.entity_refs import find_ref
from memories.models import ExtractionRun, FoldMember, Memory, Observation, Todo, Version, says_withheld
from memories.normalize import effective_namespace, normalize_key, normalize_namespace
from nebo.errors import InvalidInput, NotFound
from nebo.tenants.ids import default_persona_id
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import tenant_id_of

STYLES = "tacit/personality"  # namespace of how somebody likes to be answered
DEFAULT_SLUG = "default"  # of the persona that speaks where none is named


class Wording(NamedTuple):
    """What a memory says from a version on, and since when."""

    number: int
    at: datetime
    value: str


def get_memory(
    *, tenant: Tenant | UUID, memory_id: UUID, person_id: UUID | None = None, persona_id: UUID | None = None
) -> Memory:
    """One memory in any state; raises NotFound, also for one outside the view of the person and persona."""
    rows = Memory.objects.for_tenant(tenant).select_related("person", "persona").filter(pk=memory_id)
    if person_id is not None:
        rows = rows.filter(Q(person_id=person_id) | Q(person__kind=UserProfile.Kind.SHARED))
    if persona_id is not None:
        rows = rows.filter(Q(persona_id=persona_id) | Q(persona_id=None))
    memory = rows.first()
    if memory is None:
        raise NotFound
    return memory


def list_memories(
    *,
    tenant: Tenant | UUID,
    person_id: UUID,
    filters: Mapping[str, Any],
    persona_id: UUID | None = None,
) -> QuerySet[Memory]:
    """A person's memories; the live ones unless `filters["status"]` says otherwise.

    Filters: layer, namespace (with everything beneath it), type, status, scope, pinned, visibility, entity, q. With
    `scope: "global"` those of the whole tenant. Raises InvalidInput for an entity that is no reference.
    """
    rows = Memory.objects.for_tenant(tenant).select_related("person", "persona")
    rows = rows.filter(_of_person(person_id, filters.get("scope", "")))
    if persona_id is not None:
        rows = rows.filter(Q(persona_id=persona_id) | Q(persona_id=None))
    plain = {name: filters[name] for name in ("type", "pinned") if filters.get(name) not in (None, "")}
    rows = rows.filter(**plain, status=filters.get("status") or Memory.Status.ACTIVE)
    if not filters.get("status"):
        rows = rows.filter(unexpired())
    return rows.filter(*_conditions(filters))


def unexpired() -> Q:
    """Whether a memory's time has not run out."""
    return Q(expires_at=None) | Q(expires_at__gt=Now())


def promptable(prefix: str = "") -> Q:
    """Live, not expired, and sure enough for a prompt, or decided by a person."""
    rules = promptable_rules(prefix)
    return rules["sure"] & rules["unexpired"] & rules["live"]


def promptable_rules(prefix: str = "") -> dict[str, Q]:
    """What `promptable` asks for, each by itself."""
    sure = (
        Q(**{f"{prefix}confidence__gte": PROMPT_GATE})
        | Q(**{f"{prefix}pinned": True})
        | Q(**{f"{prefix}confirmed_at__isnull": False})
    )
    time = Q(**{f"{prefix}expires_at": None}) | Q(**{f"{prefix}expires_at__gt": Now()})
    return {"sure": sure, "unexpired": time, "live": Q(**{f"{prefix}status": Memory.Status.ACTIVE})}


def within_namespace(namespace: str) -> Q:
    """The namespace itself and everything beneath it; every namespace for an empty one."""
    prefix = normalize_namespace(namespace)
    return Q(namespace=prefix) | Q(namespace__startswith=f"{prefix}/") if prefix else Q()


def list_versions(*, tenant: Tenant | UUID, memory: Memory) -> QuerySet[Version]:
    """The changes of a memory, the newest first."""
    return Version.objects.for_tenant(tenant).filter(memory=memory).order_by("-number")


def list_wordings(
    *, tenant: Tenant | UUID, person_id: UUID, memory_ids: Collection[UUID]
) -> dict[UUID, list[Wording]]:
    """What each of these memories of a person said from which version on, the first wording first; one query."""
    rows = Version.objects.for_tenant(tenant).filter(memory_id__in=memory_ids, memory__person_id=person_id)
    worded = rows.annotate(value=KT("after__value"), old=KT("before__value"))
    changed = worded.exclude(old__isnull=False, old=F("value")).order_by("memory_id", "number")
    found: dict[UUID, list[Wording]] = {}
    for memory_id, number, at, value in changed.values_list("memory_id", "number", "created_at", "value"):
        found.setdefault(memory_id, []).append(Wording(number, at, value))
    return found


def list_observations(*, tenant: Tenant | UUID, memory: Memory) -> QuerySet[Observation]:
    """Every observation of a memory with its message, the newest first; of a fold also those of what it holds."""
    held = FoldMember.objects.for_tenant(tenant).filter(fold__memory=memory)
    own = Q(memory=memory) | Q(memory_id__in=held.values("memory_id"))
    rows = Observation.objects.for_tenant(tenant).filter(own)
    return rows.select_related("message").order_by("-created_at", "-id")


def list_todos(
    *,
    tenant: Tenant | UUID,
    person_id: UUID,
    status: str = "",
    kind: str = "",
    persona_id: UUID | None = None,
) -> QuerySet[Todo]:
    """What is open and hasn't expired for a person, or everything in the state named (`all` for any).

    With a persona, only what is its own: a promise to one persona is none of another's business.
    """
    rows = Todo.objects.for_tenant(tenant).filter(~says_withheld("text"), person_id=person_id)
    rows = rows.select_related("person", "persona", "message", "closed_message")
    if status != "all":
        rows = rows.filter(_standing(status or Todo.Status.OPEN))
    if persona_id is not None:
        rows = rows.filter(with_persona("persona_id", tenant, persona_id))
    return rows.filter(kind=kind) if kind else rows


def _standing(status: str) -> Q:
    """Todos that stand so: those past their time are expired, whether they were swept up or not."""
    if status == Todo.Status.OPEN:
        return Q(status=status) & unexpired()
    if status == Todo.Status.EXPIRED:
        return Q(status=status) | Q(status=Todo.Status.OPEN, expires_at__lte=Now())
    return Q(status=status)


def with_persona(column: str, tenant: Tenant | UUID, persona_id: UUID | None) -> Q:
    """Rows of one persona; those that name none are the default one's, as is a question that names none."""
    default = default_persona_id(tenant_id_of(tenant))
    return Q(Exact(Coalesce(F(column), Value(default)), Value(persona_id or default)))


def list_open_todos(
    *, tenant: Tenant | UUID, person_id: UUID, persona_id: UUID | None = None
) -> QuerySet[Todo]:
    """What is open with one persona (the default one where none is named): first what is due, then the newest."""
    own = persona_id or default_persona_id(tenant_id_of(tenant))
    rows = list_todos(tenant=tenant, person_id=person_id, persona_id=own)
    return rows.order_by(F("due_at").asc(nulls_last=True), "-created_at")


def list_known_values(*, tenant: Tenant | UUID, person_id: UUID, session_id: UUID) -> dict[str, list[str]]:
    """What a compaction's snapshot keeps: facts and preferences seen in the session, and what is open."""
    rows = Memory.objects.for_tenant(tenant).filter(
        person_id=person_id,
        status=Memory.Status.ACTIVE,
        observations__message__session_id=session_id,
    )
    seen = list(rows.distinct().order_by("created_at").values_list("namespace", "fact_type", "value")[:200])
    todos = (
        list_todos(tenant=tenant, person_id=person_id).filter(session_id=session_id).order_by("-created_at")
    )
    preferences = [value for _, kind, value in seen if kind in ("preference", "habit")]
    return {
        "facts": [value for _, kind, value in seen if kind not in ("preference", "habit")],
        "preferences": preferences,
        "tasks": [todo.text for todo in todos if todo.kind == Todo.Kind.COMMITMENT],
        "open_loops": [todo.text for todo in todos if todo.kind != Todo.Kind.COMMITMENT],
        "constraints": [value for namespace, _, value in seen if namespace.startswith("daily/")],
    }


def list_lasting(*, tenant: Tenant | UUID, person_id: UUID) -> QuerySet[Memory]:
    """What is known of a person, to whichever persona, and sure enough for a prompt; the newest first. How they like
    to be answered is none of it.
    """
    rows = Memory.objects.for_tenant(tenant).filter(
        promptable(), person_id=person_id, scope=Memory.Scope.USER
    )
    return rows.exclude(namespace=STYLES).order_by("-last_reinforced", "-id")


def get_todo(
    *, tenant: Tenant | UUID, person_id: UUID, todo_id: UUID, persona_id: UUID | None = None
) -> Todo:
    """One todo of a person; raises NotFound."""
    rows = list_todos(tenant=tenant, person_id=person_id, status="all", persona_id=persona_id)
    todo = rows.filter(pk=todo_id).first()
    if todo is None:
        raise NotFound
    return todo


def get_seen_todo(*, tenant: Tenant | UUID, person_ids: Collection[UUID], todo_id: UUID) -> Todo:
    """A todo of one of these people; raises NotFound."""
    rows = Todo.objects.for_tenant(tenant).filter(person_id__in=person_ids, pk=todo_id)
    todo = rows.select_related("person", "persona", "message", "closed_message").first()
    if todo is None:
        raise NotFound
    return todo


def list_runs(
    *, tenant: Tenant | UUID, person_id: UUID, status: str = "", persona_id: UUID | None = None
) -> QuerySet[ExtractionRun]:
    """Extraction runs about a person; for one persona, those over sessions that it or any persona may see."""
    rows = ExtractionRun.objects.for_tenant(tenant).filter(person_id=person_id)
    if persona_id is not None:
        rows = rows.filter(Q(session__persona_id=None) | Q(session__persona_id=persona_id))
    return rows.filter(status=status) if status else rows


def get_run(
    *, tenant: Tenant | UUID, person_id: UUID, run_id: UUID, persona_id: UUID | None = None
) -> ExtractionRun:
    """One extraction run of a person; raises NotFound."""
    run = list_runs(tenant=tenant, person_id=person_id, persona_id=persona_id).filter(pk=run_id).first()
    if run is None:
        raise NotFound
    return run


def list_existing_messages(*, tenant: Tenant | UUID, ids: Iterable[UUID]) -> set[UUID]:
    """Those of the messages that are still there. Known by name only, since sessions stands above."""
    message: Any = apps.get_model("agent_sessions", "Message")
    return set(message.objects.for_tenant(tenant).filter(pk__in=list(ids)).values_list("pk", flat=True))


def list_message_ids(*, tenant: Tenant | UUID, session_id: UUID, first: int, last: int) -> list[UUID]:
    """The messages of a stretch of a session, by their numbers. Known by name only, like all messages."""
    message: Any = apps.get_model("agent_sessions", "Message")
    rows = message.objects.for_tenant(tenant).filter(session_id=session_id, seq__range=(first, last))
    return list(rows.values_list("pk", flat=True))


def find_previous_message(*, tenant: Tenant | UUID, message_id: UUID) -> UUID | None:
    """The message of a person that stands before this one in its session. Known by name only, like all messages."""
    messages: Any = apps.get_model("agent_sessions", "Message")
    rows = messages.objects.for_tenant(tenant)
    this = rows.filter(pk=message_id)
    before = rows.filter(
        session_id__in=this.values("session_id"), role="user", seq__lt=this.values("seq")[:1]
    )
    found: UUID | None = before.order_by("-seq").values_list("pk", flat=True).first()
    return found


def count_live(*, tenant: Tenant | UUID, person_id: UUID) -> int:
    """How many memories of a person are live."""
    rows = Memory.objects.for_tenant(tenant).filter(person_id=person_id)
    return rows.filter(status=Memory.Status.ACTIVE).count()


def list_personas(*, tenant: Tenant | UUID) -> QuerySet[Any]:
    """The team's personas. Known by name only, since personality stands above."""
    persona: Any = apps.get_model("personality", "Persona")
    return persona.objects.for_tenant(tenant)  # type: ignore[no-any-return]


def get_persona_id(*, tenant: Tenant | UUID, slug: str) -> UUID:
    """A persona's id by its slug; raises NotFound. Known by name only, since personality stands above."""
    persona: Any = apps.get_model("personality", "Persona")
    found: UUID | None = (
        persona.objects.for_tenant(tenant).filter(slug=slug).values_list("pk", flat=True).first()
    )
    if found is None:
        raise NotFound("No persona has this slug.", field="persona")
    return found


def get_persona_scope(*, tenant: Tenant | UUID, slug: str) -> tuple[UUID, str]:
    """A persona's id and its memory scope, by slug; raises NotFound."""
    persona: Any = apps.get_model("personality", "Persona")
    rows = persona.objects.for_tenant(tenant).filter(slug=slug).values_list("pk", "memory_scope")
    found: tuple[UUID, str] | None = rows.first()
    if found is None:
        raise NotFound("No persona has this slug.", field="persona")
    return found


def find_session_persona(*, tenant: Tenant | UUID, session_id: UUID) -> tuple[UUID | None, str]:
    """The persona a session is held with and its memory scope; None where the session names none."""
    session: Any = apps.get_model("agent_sessions", "Session")
    rows = session.objects.for_tenant(tenant).filter(pk=session_id)
    found = rows.values_list("persona_id", "persona__memory_scope").first()
    return (found[0], found[1] or "") if found else (None, "")


def get_reader_id(*, tenant: Tenant | UUID, slug: str) -> UUID:
    """The persona to look through, by its slug; the default one also before anybody stored it. Raises NotFound."""
    if slug == DEFAULT_SLUG:
        return default_persona_id(tenant_id_of(tenant))
    return get_persona_id(tenant=tenant, slug=slug)


def get_session_id(*, tenant: Tenant | UUID, person_id: UUID, session_id: UUID) -> UUID:
    """Make sure that a session is this person's; raises NotFound."""
    session: Any = apps.get_model("agent_sessions", "Session")
    rows = session.objects.for_tenant(tenant).filter(pk=session_id, person_id=person_id)
    if not rows.exists():
        raise NotFound("This person has no such session.", field="session")
    return session_id


def find_session_recall(*, tenant: Tenant | UUID, session_id: UUID) -> bool | None:
    """What a session says of recall; None for what the tenant says."""
    session: Any = apps.get_model("agent_sessions", "Session")
    rows = session.objects.for_tenant(tenant).filter(pk=session_id)
    own: bool | None = rows.values_list("recall", flat=True).first()
    return own


def _of_person(person_id: UUID, scope: str) -> Q:
    if scope == Memory.Scope.GLOBAL:
        return Q(person__kind=UserProfile.Kind.SHARED)
    return Q(person_id=person_id, scope=scope) if scope else Q(person_id=person_id)


def _conditions(filters: Mapping[str, Any]) -> list[Q]:
    found = [within_namespace(effective_namespace(filters.get("layer", ""), filters.get("namespace", "")))]
    if entity := filters.get("entity"):
        ref = find_ref(entity)
        if ref is None:
            raise InvalidInput("A reference such as person:john_doe.", field="?entity")
        found.append(Q(entity_refs__contains=[str(ref)]))
    if memory_key := filters.get("memory_key"):
        found.append(Q(memory_key=memory_key.strip().lower()))
    if key := filters.get("key"):
        found.append(Q(key=normalize_key(key)))
    if visibility := filters.get("visibility"):
        found.append(Q(shared_at__isnull=visibility != "team"))
    if q := filters.get("q"):
        found.append(Q(value__icontains=q) | Q(key__icontains=q) | Q(memory_key__icontains=q))
    return found

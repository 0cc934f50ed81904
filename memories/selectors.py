"""Reading what is remembered. Every function stays within one tenant and, given one, one person's view."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db.models import F, Q, QuerySet, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from memories.confidence import PROMPT_GATE
from memories.entity_refs import find_ref
from memories.models import Entity, ExtractionRun, Memory, MemoryEntity, Observation, Todo, Version
from memories.normalize import effective_namespace, normalize_namespace
from nebo.errors import InvalidInput, NotFound
from nebo.tenants.models import Tenant, UserProfile

CARD_FACTS = 3  # facts a card (seed 002)
CARD_MIN_IMPORTANCE = 2  # below it, only what is pinned stands on a card (seed 002)


@dataclass(frozen=True, slots=True)
class Card:
    """What is known about one entity: its best facts, the pinned first."""

    entity: Entity
    facts: tuple[Memory, ...]

    @property
    def text(self) -> str:
        """`[person:john]: fact1; fact2; fact3` (seed 002)."""
        return f"[{self.entity.ref}]: " + "; ".join(" ".join(fact.value.split()) for fact in self.facts)


def get_memory(
    *, tenant: Tenant | UUID, memory_id: UUID, profile_id: UUID | None = None, persona_id: UUID | None = None
) -> Memory:
    """One memory in any state; raises NotFound, also for one outside the view of the person and persona."""
    rows = Memory.objects.for_tenant(tenant).select_related("profile", "persona").filter(pk=memory_id)
    if profile_id is not None:
        rows = rows.filter(Q(profile_id=profile_id) | Q(profile__kind=UserProfile.Kind.SHARED))
    if persona_id is not None:
        rows = rows.filter(Q(persona_id=persona_id) | Q(persona_id=None))
    memory = rows.first()
    if memory is None:
        raise NotFound
    return memory


def list_memories(
    *,
    tenant: Tenant | UUID,
    profile_id: UUID,
    filters: Mapping[str, Any],
    persona_id: UUID | None = None,
) -> QuerySet[Memory]:
    """A person's memories; the live ones unless `filters["status"]` says otherwise.

    Filters: layer, namespace (with everything beneath it), type, status, scope, pinned, entity, q. With
    `scope: "global"` those of the whole tenant. Raises InvalidInput for an entity that is no reference.
    """
    rows = Memory.objects.for_tenant(tenant).select_related("profile", "persona")
    rows = rows.filter(_owner(profile_id, filters.get("scope", "")))
    if persona_id is not None:
        rows = rows.filter(Q(persona_id=persona_id) | Q(persona_id=None))
    plain = {name: filters[name] for name in ("type", "pinned") if filters.get(name) not in (None, "")}
    rows = rows.filter(**plain, status=filters.get("status") or Memory.Status.ACTIVE)
    if not filters.get("status"):
        rows = rows.filter(unexpired())
    return rows.filter(*_conditions(filters))


def unexpired() -> Q:
    """Whether a memory's time has not run out."""
    return Q(expires_at=None) | Q(expires_at__gt=timezone.now())


def promptable(prefix: str = "") -> Q:
    """Live, not expired, and sure enough for a prompt, or decided by a person (seed 000 §14)."""
    sure = (
        Q(**{f"{prefix}confidence__gte": PROMPT_GATE})
        | Q(**{f"{prefix}pinned": True})
        | Q(**{f"{prefix}confirmed_at__isnull": False})
    )
    time = Q(**{f"{prefix}expires_at": None}) | Q(**{f"{prefix}expires_at__gt": timezone.now()})
    return sure & time & Q(**{f"{prefix}status": Memory.Status.ACTIVE})


def within_namespace(namespace: str) -> Q:
    """The namespace itself and everything beneath it; every namespace for an empty one."""
    prefix = normalize_namespace(namespace)
    return Q(namespace=prefix) | Q(namespace__startswith=f"{prefix}/") if prefix else Q()


def list_versions(*, tenant: Tenant | UUID, memory: Memory) -> QuerySet[Version]:
    """The changes of a memory, the newest first."""
    return Version.objects.for_tenant(tenant).filter(memory=memory).order_by("-number")


def list_observations(*, tenant: Tenant | UUID, memory: Memory) -> QuerySet[Observation]:
    """Every sighting of a memory with its message, the newest first."""
    rows = Observation.objects.for_tenant(tenant).filter(memory=memory)
    return rows.select_related("message").order_by("-created_at", "-id")


def list_entities(*, tenant: Tenant | UUID, profile_id: UUID, refs: Sequence[str] = ()) -> QuerySet[Entity]:
    """The people, places, organisations and projects a person's memories speak of."""
    rows = Entity.objects.for_tenant(tenant).filter(profile_id=profile_id, merged_into=None)
    return rows.filter(ref__in=[str(find_ref(ref) or ref) for ref in refs]) if refs else rows


def list_cards(
    *, tenant: Tenant | UUID, entities: Sequence[Entity], persona_ids: Iterable[UUID] | None = None
) -> list[Card]:
    """A card an entity, in their order, from one query; an entity without a fact worth telling has none.

    With `persona_ids`, only what is known to every persona and to those.
    """
    audience = (
        Q() if persona_ids is None else Q(memory__persona_id=None) | Q(memory__persona_id__in=persona_ids)
    )
    facts: dict[UUID, list[Memory]] = {}
    for link in _card_links(tenant, [entity.pk for entity in entities], audience):
        facts.setdefault(link.entity_id, []).append(link.memory)
    return [Card(entity, tuple(facts[entity.pk])) for entity in entities if entity.pk in facts]


def list_todos(
    *,
    tenant: Tenant | UUID,
    profile_id: UUID,
    status: str = "",
    kind: str = "",
    persona_id: UUID | None = None,
) -> QuerySet[Todo]:
    """What is open for a person, or everything in the state named; promises to another persona stay with it."""
    rows = Todo.objects.for_tenant(tenant).filter(profile_id=profile_id).select_related("profile", "persona")
    if status != "all":
        rows = rows.filter(status=status or Todo.Status.OPEN)
    if persona_id is not None:
        rows = rows.filter(Q(persona_id=persona_id) | Q(persona_id=None))
    return rows.filter(kind=kind) if kind else rows


def list_open_todos(*, tenant: Tenant | UUID, profile_id: UUID, persona_id: UUID | None = None) -> list[Todo]:
    """What is open and hasn't expired, the newest first."""
    rows = list_todos(tenant=tenant, profile_id=profile_id, persona_id=persona_id)
    return list(rows.filter(unexpired()).order_by("-created_at"))


def list_entity_cards(*, tenant: Tenant | UUID, memories: Sequence[Memory]) -> list[str]:
    """A card's text for each entity that these memories speak of, in their order."""
    refs = list(dict.fromkeys(ref for memory in memories for ref in memory.entity_refs))
    if not refs:
        return []
    known = list_entities(tenant=tenant, profile_id=memories[0].profile_id, refs=refs)
    entities = sorted(known, key=lambda entity: refs.index(entity.ref))
    personas = {memory.persona_id for memory in memories if memory.persona_id}
    cards = list_cards(tenant=tenant, entities=entities, persona_ids=personas)
    return [card.text for card in cards]


def list_known_values(*, tenant: Tenant | UUID, profile_id: UUID, session_id: UUID) -> dict[str, list[str]]:
    """What a compaction's snapshot keeps: facts and preferences seen in the session, and what is open."""
    rows = Memory.objects.for_tenant(tenant).filter(
        profile_id=profile_id,
        status=Memory.Status.ACTIVE,
        observations__message__session_id=session_id,
    )
    seen = list(rows.distinct().order_by("created_at").values_list("namespace", "fact_type", "value")[:200])
    todos = [t for t in list_open_todos(tenant=tenant, profile_id=profile_id) if t.session_id == session_id]
    preferences = [value for _, kind, value in seen if kind in ("preference", "habit")]
    return {
        "facts": [value for _, kind, value in seen if kind not in ("preference", "habit")],
        "preferences": preferences,
        "tasks": [todo.text for todo in todos if todo.kind == Todo.Kind.COMMITMENT],
        "open_loops": [todo.text for todo in todos if todo.kind != Todo.Kind.COMMITMENT],
        "constraints": [value for namespace, _, value in seen if namespace.startswith("daily/")],
    }


def get_todo(
    *, tenant: Tenant | UUID, profile_id: UUID, todo_id: UUID, persona_id: UUID | None = None
) -> Todo:
    """One todo of a person; raises NotFound."""
    rows = list_todos(tenant=tenant, profile_id=profile_id, status="all", persona_id=persona_id)
    todo = rows.filter(pk=todo_id).first()
    if todo is None:
        raise NotFound
    return todo


def list_runs(
    *, tenant: Tenant | UUID, profile_id: UUID, status: str = "", persona_id: UUID | None = None
) -> QuerySet[ExtractionRun]:
    """Extraction runs about a person; for one persona, those over sessions that it or any persona may see."""
    rows = ExtractionRun.objects.for_tenant(tenant).filter(profile_id=profile_id)
    if persona_id is not None:
        rows = rows.filter(Q(session__persona_id=None) | Q(session__persona_id=persona_id))
    return rows.filter(status=status) if status else rows


def get_run(
    *, tenant: Tenant | UUID, profile_id: UUID, run_id: UUID, persona_id: UUID | None = None
) -> ExtractionRun:
    """One extraction run of a person; raises NotFound."""
    run = list_runs(tenant=tenant, profile_id=profile_id, persona_id=persona_id).filter(pk=run_id).first()
    if run is None:
        raise NotFound
    return run


def list_existing_messages(*, tenant: Tenant | UUID, ids: Iterable[UUID]) -> set[UUID]:
    """Those of the messages that are still there. Known by name only, since sessions stands above."""
    message: Any = apps.get_model("agent_sessions", "Message")
    return set(message.objects.for_tenant(tenant).filter(pk__in=list(ids)).values_list("pk", flat=True))


def count_live(*, tenant: Tenant | UUID, profile_id: UUID) -> int:
    """How many memories of a person are live."""
    rows = Memory.objects.for_tenant(tenant).filter(profile_id=profile_id)
    return rows.filter(status=Memory.Status.ACTIVE).count()


def get_persona_id(*, tenant: Tenant | UUID, slug: str) -> UUID:
    """A persona's id by its slug; raises NotFound. Known by name only, since personality stands above."""
    persona: Any = apps.get_model("personality", "Persona")
    found: UUID | None = (
        persona.objects.for_tenant(tenant).filter(slug=slug).values_list("pk", flat=True).first()
    )
    if found is None:
        raise NotFound("No persona has this slug.", field="persona")
    return found


def get_session_id(*, tenant: Tenant | UUID, profile_id: UUID, session_id: UUID) -> UUID:
    """Make sure that a session is this person's; raises NotFound."""
    session: Any = apps.get_model("agent_sessions", "Session")
    rows = session.objects.for_tenant(tenant).filter(pk=session_id, profile_id=profile_id)
    if not rows.exists():
        raise NotFound("This person has no such session.", field="session")
    return session_id


def is_shared_session(*, tenant: Tenant | UUID, session_id: UUID, speaker: str) -> bool:
    """Whether another named person than `speaker` speaks in a session: then whose a fact is must be said."""
    if not speaker:
        return False
    message: Any = apps.get_model("agent_sessions", "Message")
    named = message.objects.for_tenant(tenant).filter(session_id=session_id, role="user").exclude(name="")
    return bool(named.exclude(name=speaker).exists())


def _owner(profile_id: UUID, scope: str) -> Q:
    if scope == Memory.Scope.GLOBAL:
        return Q(profile__kind=UserProfile.Kind.SHARED)
    return Q(profile_id=profile_id, scope=scope) if scope else Q(profile_id=profile_id)


def _conditions(filters: Mapping[str, Any]) -> list[Q]:
    found = [within_namespace(effective_namespace(filters.get("layer", ""), filters.get("namespace", "")))]
    if entity := filters.get("entity"):
        ref = find_ref(entity)
        if ref is None:
            raise InvalidInput("A reference such as person:john_doe.", field="?entity")
        found.append(Q(entity_refs__contains=[str(ref)]))
    if q := filters.get("q"):
        found.append(Q(value__icontains=q) | Q(key__icontains=q))
    return found


def _card_links(tenant: Tenant | UUID, entity_ids: Sequence[UUID], audience: Q) -> QuerySet[MemoryEntity]:
    """The first facts an entity: pinned, then important, then new (seed 002); none that no prompt may hold."""
    order = [F("memory__pinned").desc(), F("memory__importance").desc(), F("memory__created_at").desc()]
    worth = Q(memory__pinned=True) | Q(memory__importance__gte=CARD_MIN_IMPORTANCE)
    links = MemoryEntity.objects.for_tenant(tenant).filter(
        worth,
        audience,
        promptable("memory__"),
        ~Q(memory__scope=Memory.Scope.SESSION),
        entity_id__in=entity_ids,
    )
    rank = Window(RowNumber(), partition_by=F("entity_id"), order_by=order)
    return links.annotate(rank=rank).filter(rank__lte=CARD_FACTS).select_related("memory").order_by("rank")

"""One of everything that a page below /t/<tenant>/ can be about."""

from __future__ import annotations

from uuid import UUID

from django.utils import timezone

from memories.models import (
    AuditEntry,
    Entity,
    ExtractionRun,
    Fold,
    ForgetRequest,
    Memory,
    MergeProposal,
    Todo,
)
from nebo.jobs.services import enqueue
from nebo.product.events.models import Delivery, Endpoint, Event
from nebo.product.governance.models import Erasure, Export, Import
from nebo.product.memory_files.models import MemoryFile
from nebo.product.workspace.invitations import NewInvitation, invite
from nebo.product.workspace.models import Invitation
from nebo.tenants.actor import Actor
from nebo.tenants.models import Membership, UserProfile
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import issue_key
from personality.models import Persona, PersonaCandidate
from personality.personas.editing import ensure_default_persona
from sessions.models import Session
from tests.conftest import Team
from tests.memories.conftest import remember

Things = dict[str, UUID | str | tuple[UUID | str, ...]]


def things_of(team: Team, person: UserProfile | None = None) -> Things:
    """By the name that the table of pages has for it: ids, and a persona's slug; all about one person of the team."""
    about = person or team.person
    with tenant_scope(team.tenant):
        memory = remember(Team(team.tenant, team.owner, about, team.shared), "Owns a green bicycle").memory
        session = Session.objects.for_tenant(team.tenant).create(person=about, key="chat")
        job = enqueue(tenant=team.tenant, kind="echo", payload={}, person_id=about.pk)
        return {
            "memory": memory.pk,
            "version": (memory.pk, "1"),
            "session": session.pk,
            "job": job.pk,
            "use": "chat",
            "profile": about.pk,
            "key": issue_key(tenant=team.tenant, person=about).key.pk,
            "own_key": issue_key(tenant=team.tenant, person=about, created_by=team.owner).key.pk,
            "membership": Membership.objects.for_tenant(team.tenant).get(user_id=team.owner.pk).pk,
            "invitation": _invitation(team).pk,
            **_webhook_things(team),
            **_persona_things(team, about),
            **_memory_things(team, about, memory),
        }


def _webhook_things(team: Team) -> Things:
    """An endpoint of the team, and a delivery that was given up."""
    endpoint = Endpoint.objects.for_tenant(team.tenant).create(
        url="https://hooks.example/", sealed_secret="x"
    )
    now = timezone.now()
    event = Event.objects.for_tenant(team.tenant).create(type="webhook.test", created_at=now)
    delivery = Delivery.objects.for_tenant(team.tenant).create(
        event=event, endpoint=endpoint, state="failed", due_at=now, created_at=now
    )
    return {"webhook": endpoint.pk, "delivery": (endpoint.pk, delivery.pk)}


def _invitation(team: Team) -> Invitation:
    """An open one."""
    issued = invite(
        tenant=team.tenant, new=NewInvitation("member", 7), own_role="owner", actor=Actor("user", "1")
    )
    return issued.invitation


def _persona_things(team: Team, about: UserProfile) -> Things:
    """A wish of the person that waits, and a persona of the team."""
    wish = PersonaCandidate.objects.for_tenant(team.tenant).create(
        persona=ensure_default_persona(tenant=team.tenant),
        person=about,
        field="name",
        value="Ada",
        decision="deferred",
        reason="needs_confirmation",
    )
    slug = f"coach-of-{team.tenant.slug}"
    Persona.objects.for_tenant(team.tenant).get_or_create(slug=slug)
    return {"wish": wish.pk, "persona": slug, "file": (slug, "SOUL")}


def _memory_things(team: Team, about: UserProfile, memory: Memory) -> Things:
    """What is made of memories: two names that may be one, a fold, a loop, a request to forget, an export."""
    first, second = (
        Entity.objects.for_tenant(team.tenant).create(
            person=about, ref=f"person:{name}", type="person", label=name
        )
        for name in ("makesh", "mukesh")
    )
    proposal = MergeProposal.objects.for_tenant(team.tenant).create(person=about, first=first, second=second)
    fold = Fold.objects.for_tenant(team.tenant).create(
        person=about, memory=memory, kind="same", worded_by="rules", actor="job:curate"
    )
    todo = Todo.objects.for_tenant(team.tenant).create(person=about, text="Call the dentist")
    request = ForgetRequest.objects.for_tenant(team.tenant).create(
        person=about, what="the bicycle", memory_ids=[memory.pk]
    )
    file = MemoryFile.objects.for_tenant(team.tenant).create(
        person=about, path="notes.txt", text="Rides a bicycle.", updated_at=timezone.now()
    )
    incoming = Import.objects.for_tenant(team.tenant).create(
        person=about, source="markdown", size=10, requested_by="user:1", read_at=timezone.now()
    )
    held_back = Memory.objects.for_tenant(team.tenant).create(
        person=about, namespace="n", key="k", value="Bikes to work", source="agent", status="quarantined"
    )
    export = Export.objects.for_tenant(team.tenant).create(person=about, requested_by="user:1")
    erasure = Erasure.objects.for_tenant(team.tenant).create(person_digest="d", requested_by="user:1")
    return {
        "entity": first.pk,
        "pair": proposal.pk,
        "fold": fold.pk,
        "todo": todo.pk,
        "forget": request.pk,
        "export": export.pk,
        "erasure": erasure.pk,
        "incoming": incoming.pk,
        "memory_file": file.pk,
        "held_back": held_back.pk,
        **_decided_things(team, about, held_back),
    }


def _decided_things(team: Team, about: UserProfile, memory: Memory) -> Things:
    """A run of extraction that waits, one that was applied, and a decision of the inbox."""
    runs = ExtractionRun.objects.for_tenant(team.tenant)
    named = {"person": about, "trigger": "idle", "provider": "rules", "model": "en"}
    entry = AuditEntry.objects.for_tenant(team.tenant).create(
        actor="user:1", action="inbox.rejected", object_type="memory", object_id=memory.pk, person_id=about.pk
    )
    return {
        "run": runs.create(**named, status="review").pk,
        "applied_run": runs.create(**named, status="applied").pk,
        "decision": entry.pk,
    }

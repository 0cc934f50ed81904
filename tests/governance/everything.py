"""A row more in each table that an export names, with all that a row can lead to."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from memories.models import (
    Curation,
    Entity,
    EntityMerge,
    ExtractionRun,
    Fold,
    FoldMember,
    ForgetRequest,
    Memory,
    MemoryEntity,
    MergeProposal,
    Observation,
    Todo,
    UnmergedRefs,
    Version,
    Withheld,
    WithheldLine,
)
from memories.withholding.withholding import show_anew
from nebo.product.governance.models import ImportedNote
from nebo.product.mem0.models import Addition
from nebo.product.memory_files.models import MemoryFile, MemoryFileVersion
from nebo.tenants.models import Pause, UserProfile
from nebo.tenants.scoping import tenant_scope
from personality.models import (
    Persona,
    PersonaCandidate,
    PersonaEvidence,
    PersonaOverlay,
    PersonaRevision,
)
from sessions.models import Message, RollingSummary, Session, SessionState, Spine
from tests.conftest import Team


def write_everything(team: Team, person: UserProfile) -> None:
    """Committed; ids stand in columns, in lists, in JSON and as names in JSON."""
    with tenant_scope(team.tenant):
        _write_memories(team, person)
        _write_entities(team, person)
        _write_personality(team, person)
        _write_sessions(team, person)
        _write_files(team, person)
        _pause(team, person)


def _pause(team: Team, person: UserProfile) -> None:
    """One that holds for a conversation, and one that has ended by itself."""
    session = Session.objects.for_tenant(team.tenant).filter(person=person).first()
    rows, by = Pause.objects.for_tenant(team.tenant), f"user:{team.owner.pk}"
    rows.create(scope="session", person=person, session=session, made_by=by, reason="holiday")
    rows.create(scope="person", person=person, until=timezone.now() - timedelta(days=1), made_by=by)


def _write_memories(team: Team, person: UserProfile) -> None:
    tenant = team.tenant
    session = Session.objects.for_tenant(tenant).filter(person=person).first()
    message = Message.objects.for_tenant(tenant).filter(person=person).first()
    run = ExtractionRun.objects.for_tenant(tenant).create(
        person=person, session=session, trigger="idle", provider="rules", model="rules", seq_from=1, seq_to=1
    )
    part, fold, gone = (
        Memory.objects.for_tenant(tenant).create(
            person=person,
            session=session,
            namespace="default",
            key=key,
            value=f"Collects {key}",
            source="extraction",
            status=status,
        )
        for key, status in (("stamps", "superseded"), ("stamps-and-coins", "active"), ("coins", "deleted"))
    )
    part.superseded_by = fold
    part.save()
    Observation.objects.for_tenant(tenant).create(
        memory=fold, run=run, message=message, extractor="rules", value="Collects stamps", quote="stamps"
    )
    after = {"superseded_by_id": str(fold.pk), "session_id": str(session.pk), "value": "Collects stamps"}
    after["person_id"] = str(person.pk)
    Version.objects.for_tenant(tenant).create(
        memory=part, number=1, action="superseded", after=after, actor="job:x", run=run, message_id=message.pk
    )
    made = Fold.objects.for_tenant(tenant).create(
        person=person, memory=fold, kind="same", worded_by="rules", actor="job:x"
    )
    FoldMember.objects.for_tenant(tenant).create(fold=made, memory=part)
    todo = Todo.objects.for_tenant(tenant).create(
        person=person, session=session, message=message, run=run, text="Sort the stamps"
    )
    ForgetRequest.objects.for_tenant(tenant).create(
        person=person,
        session=session,
        message=message,
        todo=todo,
        what="the coins",
        memory_ids=[gone.pk],
        todo_ids=[todo.pk],
        passages=[{"message_id": str(message.pk), "start": 0, "end": 4}],
        forgotten_ids=[gone.pk],
    )
    Withheld.objects.for_tenant(tenant).create(
        person=person,
        session=session,
        message=message,
        memory=gone,
        start=0,
        end=8,
        found="words",
        recorded_at=message.recorded_at,
    )
    show_anew(tenant=tenant, person_id=person.pk, message_ids={message.pk})
    WithheldLine.objects.for_tenant(tenant).create(person=person, memory=gone, text="Collects coins")
    Curation.objects.for_tenant(tenant).update_or_create(
        person=person,
        defaults={"last_run_at": timezone.now(), "last_memory_count": 3, "last_memory_version": 1},
    )
    Addition.objects.for_tenant(tenant).create(person=person, memory_ids=[fold.pk], metadata={"app": "x"})
    ImportedNote.objects.for_tenant(tenant).create(person=person, memory=fold, origin="markdown:x")


def _write_entities(team: Team, person: UserProfile) -> None:
    tenant = team.tenant
    memory = Memory.objects.for_tenant(tenant).filter(person=person, status="active").first()
    first, second = (
        Entity.objects.for_tenant(tenant).create(
            person=person, ref=f"person:{name}", type="person", label=name
        )
        for name in ("thomas", "tomas")
    )
    second.merged_into = first
    second.save()
    MemoryEntity.objects.for_tenant(tenant).create(memory=memory, entity=first)
    MergeProposal.objects.for_tenant(tenant).create(person=person, first=first, second=second)
    EntityMerge.objects.for_tenant(tenant).create(person=person, entity=second, into=first, actor="user:x")
    UnmergedRefs.objects.for_tenant(tenant).create(memory=memory, entity_refs=["person:tomas"])


def _write_personality(team: Team, person: UserProfile) -> None:
    tenant = team.tenant
    persona = Persona.objects.for_tenant(tenant).create(slug="coach", name="Coach", memory_scope="own")
    message = Message.objects.for_tenant(tenant).filter(person=person).first()
    PersonaOverlay.objects.for_tenant(tenant).create(
        person=person, persona=persona, fields={"emoji_usage": "none"}
    )
    wish = PersonaCandidate.objects.for_tenant(tenant).create(
        person=person,
        persona=persona,
        field="emoji_usage",
        value="none",
        decision="accepted",
        reason="asked",
        turn_key=str(message.pk),
    )
    PersonaEvidence.objects.for_tenant(tenant).create(candidate=wish, message=message, quote="no emoji")
    PersonaRevision.objects.for_tenant(tenant).create(
        person=person, persona=persona, number=1, after={"fields": {}}, actor="job:x", candidate=wish
    )


def _write_sessions(team: Team, person: UserProfile) -> None:
    tenant = team.tenant
    persona = Persona.objects.for_tenant(tenant).get(slug="coach")
    message = Message.objects.for_tenant(tenant).filter(person=person).first()
    memory = Memory.objects.for_tenant(tenant).filter(person=person, status="active").first()
    session = Session.objects.for_tenant(tenant).create(person=person, persona=persona, key="training")
    state, _ = SessionState.objects.for_tenant(tenant).get_or_create(person=person, persona=persona)
    RollingSummary.objects.for_tenant(tenant).create(state=state, session=session, text="Trained.", seq_to=1)
    newest = Spine.objects.for_tenant(tenant).filter(person=person).order_by("-version").first()
    Spine.objects.for_tenant(tenant).create(
        person=person,
        version=(newest.version if newest else 0) + 1,
        sections={"PROFILE": ["Collects stamps"], "OPEN_LOOPS": {str(persona.pk): ["Sort the stamps"]}},
        cites={"Collects stamps": {"memories": [str(memory.pk)], "messages": [str(message.pk)]}},
    )


def _write_files(team: Team, person: UserProfile) -> None:
    tenant, now = team.tenant, timezone.now()
    persona = Persona.objects.for_tenant(tenant).get(slug="coach")
    file = MemoryFile.objects.for_tenant(tenant).create(
        person=person, persona=persona, path="stamps.md", text="Collects stamps.", held=["x"], updated_at=now
    )
    MemoryFileVersion.objects.for_tenant(tenant).create(
        file=file, number=1, action="created", path=file.path, text=file.text, actor="key:x", created_at=now
    )

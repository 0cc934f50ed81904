"""What a context needs whatever is asked: read in one statement, with the session it is for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import Q, UUIDField, Value
from django.db.models.functions import Coalesce

from memories.models import Todo
from memories.selectors import list_open_todos
from nebo.errors import NotFound
from nebo.tenants.ids import default_persona_id
from nebo.tenants.models import Pause, Tenant, UserProfile
from nebo.tenants.pauses import NO_KEY, list_of_key, list_own, longest_of
from nebo.tenants.reads import Queries, Rows, TenantReads
from personality.models import Persona, PersonaOverlay
from personality.overlays.overlay import decided_about, overlaid, own_rules
from personality.overlays.selectors import list_overlays
from personality.personas.selectors import (
    list_all_personas,
    list_files,
    make_default_persona,
    render_prompt_files,
)
from search.answer_versions import Versions
from search.answers.waiting import NOTHING_WAITS, WAITING, Waiting
from sessions.context.background import Background, background_of, list_before
from sessions.context.dynamic import OPEN_LOOPS
from sessions.context.knowledge import choose_known, list_knowable, list_promptable
from sessions.context.stable import KnownMemory
from sessions.models import Message, Session, Snapshot
from sessions.selectors import (
    list_live_messages,
    list_one,
    list_one_with_login,
    list_snapshots,
    list_user_messages,
)
from sessions.withheld import with_withheld

HISTORY = 200  # newest live messages read; older ones are found by search
SNAPSHOT_FIELDS = ("facts", "preferences", "tasks", "open_loops", "constraints", "created_at")
WORDS = ("role", "name", "content", "shown", "tokens", "created_at", "recorded_at")


@dataclass(frozen=True, slots=True)
class ContextInputs:
    """What is known of a session before anything is searched for. `persona` is as it is to this person.

    Where the tenant gives agents no user memory, it is as if nothing were known of the person.
    """

    tenant: Tenant
    session: Session
    person: UserProfile
    shared: UserProfile
    persona: Persona
    own_rules: Sequence[str]
    files: Sequence[str]
    directive: str
    known: Sequence[KnownMemory]
    messages: Sequence[Message]
    background: Background
    snapshot: Snapshot | None
    todos: Sequence[Todo]
    waiting: Waiting = NOTHING_WAITS
    pause: Pause | None = None  # why what is said here isn't collected, by the key that asks if one does

    @property
    def recalls(self) -> bool:
        """Whether what fits a question is brought up here."""
        return self.tenant.recalls(self.session.recall)

    @property
    def versions(self) -> Versions:
        """Under which an answer about this person counts."""
        return Versions(self.person.memory_version, self.shared.memory_version)


def read_inputs(
    *, tenant: Tenant | UUID, session_id: UUID, as_persona: UUID | None = None, key_id: UUID | None = None
) -> ContextInputs:
    """One statement in the open scope; raises NotFound. Whether the caller may see the session is theirs to check.

    `as_persona` stands in for the session's own: what another one would get. `key_id` is that of the key that asks.
    """
    found = CONTEXT_READS.read(
        tenant=tenant, session_id=session_id, as_persona=as_persona, key_id=key_id or NO_KEY
    )
    if not found["session"]:
        raise NotFound
    (session,) = found["session"]
    people = {person.kind: person for person in found["people"]}
    persona = next(iter(found["persona"]), None) or make_default_persona(tenant)
    overlay = next(iter(found["overlay"]), None) or PersonaOverlay()
    wishes = overlay.fields
    directive, known = choose_known(found, decided_about(persona, wishes, overlay.rule_topics))
    inputs = ContextInputs(
        tenant=found["tenant"][0],
        session=session,
        person=people[UserProfile.Kind.PERSON],
        shared=people[UserProfile.Kind.SHARED],
        persona=overlaid(persona, wishes),
        own_rules=own_rules(persona, wishes),
        files=render_prompt_files(persona, found["files"]),
        directive=directive,
        known=known,
        messages=found["messages"][::-1],
        background=background_of(found, persona_id=persona.pk),
        snapshot=next(iter(found["snapshot"]), None),
        todos=found["todos"],
        waiting=Waiting(**found["waiting"][0]),
        pause=longest_of([*found["pauses"], *found["pauses_of_key"]], key_id=key_id),
    )
    return inputs if inputs.tenant.user_memory else _without_memory(inputs)


def _without_memory(inputs: ContextInputs) -> ContextInputs:
    """The conversation, and who the agent is in it; nothing that was learned of the person, here or before."""
    person = inputs.person
    nobody = UserProfile(
        id=person.pk, tenant_id=person.tenant_id, kind=person.kind, memory_version=person.memory_version
    )
    return replace(
        inputs,
        person=nobody,
        directive="",
        known=(),
        background=Background(),
        snapshot=None,
        todos=(),
        waiting=NOTHING_WAITS,
    )


def read_last_words(*, tenant: Tenant | UUID, session_id: UUID) -> tuple[Session, str]:
    """A session, and what the person said last in it; one statement. Raises NotFound."""
    found: Rows = LAST_WORDS.read(tenant=tenant, session_id=session_id)
    if not found["session"]:
        raise NotFound
    return found["session"][0], found["words"][0].words if found["words"] else ""


def _list_inputs(
    tenant: UUID,
    *,
    session_id: UUID,
    as_persona: UUID,
    key_id: UUID,
    person_id: UUID,
    persona_id: UUID,
    shared_id: UUID,
) -> Queries:
    session = list_one(tenant=tenant, session_id=session_id)
    people = UserProfile.objects.for_tenant(tenant)
    own, common = (
        list_promptable(tenant=tenant, whose=Q(person_id=one), persona_id=persona_id, session_id=session_id)
        for one in (person_id, shared_id)
    )
    messages = list_live_messages(tenant=tenant, session_id=session_id)
    todos = list_open_todos(tenant=tenant, person_id=person_id, persona_id=persona_id)
    named = Value(as_persona, output_field=UUIDField())
    default = Value(default_persona_id(tenant), output_field=UUIDField())
    return {
        "person_id": session.values_list("person_id"),
        "persona_id": session.values_list(Coalesce(named, "persona_id", default)),
        "shared_id": people.filter(kind=UserProfile.Kind.SHARED).values_list("pk"),
        "session": with_withheld(session),
        "tenant": Tenant.objects.filter(pk=tenant),
        "people": people.filter(pk__in=(person_id, shared_id)),
        "persona": list_all_personas(tenant=tenant).filter(pk=persona_id),
        "overlay": list_overlays(tenant=tenant, persona_id=persona_id, person_id=person_id),
        "files": list_files(tenant=tenant, persona_id=persona_id),
        "messages": messages.order_by("-seq")[:HISTORY].only(*WORDS),
        "snapshot": list_snapshots(tenant=tenant, session_id=session_id)[:1].only(*SNAPSHOT_FIELDS),
        "todos": todos.select_related(None)[:OPEN_LOOPS],
        "waiting": WAITING,
        "pauses": list_own(tenant=tenant, person_id=person_id, session_id=session_id),
        "pauses_of_key": list_of_key(tenant=tenant, key_id=key_id),
        **list_knowable(own, common),
        **list_before(tenant=tenant, session_id=session_id, person_id=person_id, persona_id=persona_id),
    }


def _list_last_words(tenant: UUID, *, session_id: UUID) -> Queries:
    words = list_user_messages(tenant=tenant, session_id=session_id)
    return {
        "session": list_one_with_login(tenant=tenant, session_id=session_id),
        "words": words[:1].only("content", "shown"),
    }


CONTEXT_READS = TenantReads(
    _list_inputs,
    given={"session_id": "uuid", "as_persona": "uuid", "key_id": "uuid"},
    found={"person_id": "uuid", "persona_id": "uuid", "shared_id": "uuid"},
)
LAST_WORDS = TenantReads(_list_last_words, given={"session_id": "uuid"})

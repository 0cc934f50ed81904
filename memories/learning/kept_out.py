"""What a workspace lets nobody learn: the audit log counts it, with its class and the message, never its words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from memories.audit.log import record_audit
from memories.extraction.answer import ASKABLE, ExtractionAnswer
from memories.models import Memory
from memories.new_memory import NewMemory, NewObservation
from memories.screening.personal import Verdict, judge, judge_memory
from memories.storing.audited_writes import lock_person, policy_of
from memories.storing.store import store_memory
from memories.todos.store import NewTodo, store_todo
from nebo.errors import InvalidInput, KeptOut
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.policy import LEARN, NEVER

ACTION = "memory.kept_out"
FACTS = ("facts", "styles", "doubted")  # of a model's answer
TODOS = ("todos", "unproven")
TODO_CONFIDENCE = 0.7  # of a thing to do that waits as a note


def note_refusal(
    *, tenant: Tenant | UUID, person: UserProfile, new: NewMemory, refused: InvalidInput, actor: Actor
) -> bool:
    """Whether a memory was kept out for what it is about; then the log says so."""
    if not isinstance(refused, KeptOut):
        return False
    message_id = next((seen.message_id for seen in new.observations if seen.message_id), None)
    _note(tenant, person, message_id, str(refused.extensions["sensitive_class"]), actor)
    return True


def keep_learned_todo(
    *, tenant: Tenant | UUID, person: UserProfile, new: NewTodo, actor: Actor
) -> Counter[str]:
    """Keep something open that was learned; what came of it, as runs count it.

    A todo can't wait: one of which the workspace asks first waits in review as a note. Who decides on what a run
    proposed has seen it.
    """
    policy = policy_of(lock_person(tenant=tenant, person=person))
    verdict = judge(policy, new.text, new.quote)
    if verdict.choice == NEVER:
        _note(tenant, person, new.message_id, verdict.of_class, actor)
        return Counter(kept_out=1)
    if verdict.choice == LEARN or actor.kind == "user":
        return Counter(todos=store_todo(tenant=tenant, person=person, new=new, actor=actor) is not None)
    note = _as_note(new, verdict, actor)
    stored = store_memory(tenant=tenant, person=person, new=note, actor=actor)
    return Counter({stored.action: 1})


def without_kept_out(
    *, tenant: Tenant, person: UserProfile, answer: ExtractionAnswer, actor: Actor
) -> tuple[ExtractionAnswer, int]:
    """A model's answer without what the workspace keeps nothing of, and how much that was. It stands nowhere then:
    not in proposals that wait, nor among what a run left out. What it asks about first waits for a person alone.
    """
    policy = policy_of(lock_person(tenant=tenant, person=person))
    if not policy:
        return answer, 0
    kept: dict[str, Any] = {}
    refused: list[Verdict] = []
    for name in FACTS:
        kept[name] = _fit(getattr(answer, name), lambda new: judge_memory(policy, new), refused)
    for name in TODOS:
        kept[name] = _fit(
            getattr(answer, name), lambda todo: judge(policy, todo.text, todo.evidence.quote), refused
        )
    for verdict in refused:
        _note(tenant, person, None, verdict.of_class, actor)
    kept["doubted"] = tuple(_for_a_person(new, judge_memory(policy, new)) for new in kept["doubted"])
    return replace(answer, **kept), len(refused)


def _for_a_person(new: NewMemory, verdict: Verdict) -> NewMemory:
    """What a person is to look at isn't released by a model's second look."""
    if not verdict.reason:
        return new
    plain = {name: value for name, value in new.metadata.items() if name != ASKABLE}
    return replace(new, doubt=verdict.reason, metadata=plain)


def _fit(found: Sequence[Any], judged: Callable[[Any], Verdict], refused: list[Verdict]) -> tuple[Any, ...]:
    verdicts = [(one, judged(one)) for one in found]
    refused += [verdict for _, verdict in verdicts if verdict.choice == NEVER]
    return tuple(one for one, verdict in verdicts if verdict.choice != NEVER)


def _as_note(new: NewTodo, verdict: Verdict, actor: Actor) -> NewMemory:
    read = new.run_id is not None
    trust = Memory.Trust.AGENT if read else Memory.Trust.USER
    seen = NewObservation(
        extractor="model" if read else "signal",
        value=new.text,
        confidence=TODO_CONFIDENCE,
        trust=trust,
        message_id=new.message_id,
        quote=new.quote,
        actor=str(actor),
        run_id=new.run_id,
    )
    return NewMemory(
        value=new.text,
        layer=Memory.Layer.TACIT,
        namespace="notes",
        source=Memory.Source.EXTRACTION if read else Memory.Source.SIGNAL,
        tags=("todo",),
        trust=trust,
        confidence=TODO_CONFIDENCE,
        persona_id=new.persona_id,
        observations=(seen,),
        doubt=verdict.reason,
    )


def _note(
    tenant: Tenant | UUID, person: UserProfile, message_id: UUID | None, of_class: str, actor: Actor
) -> None:
    record_audit(
        tenant=tenant,
        actor=actor,
        action=ACTION,
        object_type="message",
        object_id=message_id or "",
        person_id=person.pk,
        detail={"class": of_class},
    )

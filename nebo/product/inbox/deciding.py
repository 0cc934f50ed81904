"""What a person decides about something that waits: done exactly as it was shown, noted so that it can be undone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_noop as _

from memories.audit.log import record_audit
from memories.forgetting.requests import confirm_forgetting, get_request, keep_all
from memories.learning.runs import approve_run, reject_run, revert_run
from memories.models import AuditEntry, ExtractionRun, ForgetRequest, Memory, MergeProposal
from memories.people.merge_proposals import dismiss_proposal
from memories.people.merging import merge_entities
from memories.selectors import get_run
from memories.storing.audited_writes import lock_person
from memories.storing.edit import confirm_memory, delete_memory
from nebo.errors import Conflict, InvalidInput, NotFound
from nebo.product.inbox.actions import APPROVED, REJECTED, REVERTED
from nebo.product.inbox.building import list_items
from nebo.product.inbox.items import FORGET, MEMORY, PAIR, RUN, WISH, Item
from nebo.tenants.actor import Actor
from nebo.tenants.ids import uuid7
from nebo.tenants.models import Tenant, TenantModel, UserProfile
from personality.models import PersonaCandidate
from personality.wishes.candidates import accept_candidate, reject_candidate
from personality.wishes.selectors import get_candidate

CHANGED = _("It changed since you read it, so nothing was done. This is how it stands now.")
DECIDED = _("This was decided already.")


@dataclass(frozen=True, slots=True)
class Choice:
    """What somebody pressed: whether they approve, the digest of what they had before them, which of two names to keep
    (`second` or the first), whether words go too, and what of a request to forget they ticked.
    """

    approves: bool
    seen: str
    keep: str = ""
    with_words: bool = False
    ticked: Mapping[str, Sequence[UUID]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Decided:
    """What one reads afterwards, and the line of the log by which it is undone."""

    notice: str
    entry: AuditEntry


@dataclass(frozen=True, slots=True)
class Visit:
    """Who decides, about whose things; memories of everyone's only if they manage."""

    tenant: Tenant
    person: UserProfile
    actor: Actor
    manages: bool = False


MODELS: Mapping[str, type[TenantModel]] = {
    MEMORY: Memory,
    PAIR: MergeProposal,
    FORGET: ForgetRequest,
    WISH: PersonaCandidate,
    RUN: ExtractionRun,
}


def decide(visit: Visit, kind: str, id: UUID, choice: Choice) -> Decided:
    """Do what was chosen, in the caller's transaction. Raises NotFound for what isn't theirs to decide, and Conflict
    with a plain word where it was decided already, or isn't any more what they saw.
    """
    _check_theirs(visit, kind, id)
    lock_person(tenant=visit.tenant, person=visit.person)
    found = list_items(tenant=visit.tenant, person_id=visit.person.pk, manages=visit.manages, only=id)
    item = next((one for one in found.items if (one.kind, one.id) == (kind, id)), None)
    if item is None:
        raise Conflict(gettext(DECIDED))
    if item.seen != choice.seen:
        raise Conflict(gettext(CHANGED))
    acting = _under_one_number(visit)
    notice, detail = ACTS[kind](acting, item, choice)
    action = APPROVED if choice.approves else REJECTED
    return Decided(notice, _note(acting, action, kind, id, detail))


def revert(visit: Visit, run_id: UUID) -> Decided:
    """Take back what a run has taught. Raises NotFound, and Conflict for one that wasn't applied."""
    run = get_run(tenant=visit.tenant, person_id=visit.person.pk, run_id=run_id)
    acting = _under_one_number(visit)
    if run.status != ExtractionRun.Status.APPLIED:
        raise Conflict(gettext(DECIDED))
    revert_run(tenant=visit.tenant, run=run, actor=acting.actor)
    return Decided(gettext("Taken back, with all that it taught."), _note(acting, REVERTED, RUN, run_id, {}))


def _under_one_number(visit: Visit) -> Visit:
    """Whatever is done so is undone together."""
    return replace(visit, actor=replace(visit.actor, request_id=str(uuid7())))


def _note(visit: Visit, action: str, kind: str, id: UUID, detail: Mapping[str, Any]) -> AuditEntry:
    return record_audit(
        tenant=visit.tenant,
        actor=visit.actor,
        action=action,
        object_type=kind,
        object_id=id,
        person_id=visit.person.pk,
        detail=detail,
    )


def _check_theirs(visit: Visit, kind: str, id: UUID) -> None:
    """Raise NotFound for what is nobody's, another's, or everyone's and not theirs to decide."""
    rows: QuerySet[Any] = MODELS[kind].objects.for_tenant(visit.tenant).filter(pk=id)
    own = rows.filter(person=visit.person)
    if kind == MEMORY and visit.manages:
        own = own | rows.filter(person__kind=UserProfile.Kind.SHARED)
    if not own.exists():
        raise NotFound


Result = tuple[str, Mapping[str, Any]]  # what one reads, and what undoing has to know: ids and codes


def _decide_memory(visit: Visit, item: Item, choice: Choice) -> Result:
    memory = Memory.objects.for_tenant(visit.tenant).select_related("person").get(pk=item.id)
    if choice.approves:
        confirm_memory(tenant=visit.tenant, memory=memory, actor=visit.actor, seen_version=item.thing.version)
        return gettext("Approved. Agents use it from now on."), {}
    delete_memory(tenant=visit.tenant, memory=memory, actor=visit.actor, keep_words=not choice.with_words)
    return gettext("Rejected: moved to the trash."), {}


def _decide_pair(visit: Visit, item: Item, choice: Choice) -> Result:
    pair = item.thing
    if not choice.approves:
        pair.person = visit.person
        dismiss_proposal(tenant=visit.tenant, proposal=pair, actor=visit.actor)
        return gettext("%(first)s and %(second)s stay two.") % {
            "first": pair.first.label,
            "second": pair.second.label,
        }, {}
    entity, into = (pair.first, pair.second) if choice.keep == "second" else (pair.second, pair.first)
    merge_entities(tenant=visit.tenant, person=visit.person, entity=entity, into=into, actor=visit.actor)
    return gettext("%(name)s is now known as %(other)s.") % {"name": entity.label, "other": into.label}, {
        "entity": str(entity.pk)
    }


def _decide_forget(visit: Visit, item: Item, choice: Choice) -> Result:
    request = get_request(tenant=visit.tenant, person_id=visit.person.pk, request_id=item.id)
    if not choice.approves:
        keep_all(tenant=visit.tenant, request=request, actor=visit.actor)
        return gettext("Kept. Nothing was forgotten."), {}
    if not any(choice.ticked.values()):
        raise InvalidInput(gettext("Tick what is to be forgotten, or keep all of it."))
    gone = confirm_forgetting(
        tenant=visit.tenant,
        request=request,
        actor=visit.actor,
        memory_ids=choice.ticked.get("memory", ()),
        todo_ids=choice.ticked.get("todo", ()),
        passage_ids=choice.ticked.get("passage", ()),
    )
    told = ngettext(
        "Forgotten: %(number)s memory moved to the trash.",
        "Forgotten: %(number)s memories moved to the trash.",
        len(gone),
    )
    notice = told % {"number": len(gone)} if gone else gettext("No agent is shown it any more.")
    return notice, {"passages": [str(id) for id in choice.ticked.get("passage", ())]}


def _decide_wish(visit: Visit, item: Item, choice: Choice) -> Result:
    wish = get_candidate(tenant=visit.tenant, candidate_id=item.id, person_id=visit.person.pk)
    before = {"reason": wish.reason}
    act = accept_candidate if choice.approves else reject_candidate
    act(tenant=visit.tenant, candidate=wish, actor=visit.actor)
    return (
        gettext("Done. It applies from now on.") if choice.approves else gettext("Left as it is.")
    ), before


def _decide_run(visit: Visit, item: Item, choice: Choice) -> Result:
    run = get_run(tenant=visit.tenant, person_id=visit.person.pk, run_id=item.id)
    if choice.approves:
        approve_run(tenant=visit.tenant, run=run, vectors={}, actor=visit.actor)
        return gettext("Learned, as it was proposed."), {}
    reject_run(tenant=visit.tenant, run=run, actor=visit.actor)
    return gettext("Rejected. Nothing of it is learned."), {}


ACTS: Mapping[str, Callable[[Visit, Item, Choice], Result]] = {
    MEMORY: _decide_memory,
    PAIR: _decide_pair,
    FORGET: _decide_forget,
    WISH: _decide_wish,
    RUN: _decide_run,
}

"""Collection that is off: what stands in the way of whoever brings words, and how a pause begins and ends.

What people do by their own hand on the pages is not collected, and a job only goes on with what was brought before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from nebo.errors import CollectionPaused, Forbidden, InvalidInput
from nebo.postgres.locks import lock
from nebo.tenants.actor import Actor
from nebo.tenants.models import ApiKey, Pause, Tenant, UserProfile
from nebo.tenants.scoping import TenantQuerySet, tenant_id_of

REASON_LIMIT = 200  # characters
NO_KEY = UUID(int=0)  # no key has this id
LAST_YEAR = 9_000  # in which one can end
BRINGERS = ("key", "operator")
FOR_EVER = datetime.max.replace(tzinfo=UTC)
WHERE = {  # of what; for agents, so never translated
    Pause.Scope.PERSON: "Nothing is collected about this person",
    Pause.Scope.SESSION: "Nothing is collected in this conversation",
    Pause.Scope.KEY: "Nothing is collected through this key",
}
AS_EVER = "Reading, forgetting and deleting work as ever."
BY_HAND = "This pause was set by hand on Nebo's pages: it ends there, or by a key with the scope admin."
REMOVED_AT_ONCE = 1_000  # pauses a statement


@dataclass(frozen=True, slots=True)
class Thing:
    """What a pause is for: a person, one of their sessions, or a key (without a person, for everybody)."""

    person_id: UUID | None = None
    session_id: UUID | None = None
    key_id: UUID | None = None

    @property
    def scope(self) -> Pause.Scope:
        if self.key_id:
            return Pause.Scope.KEY
        return Pause.Scope.SESSION if self.session_id else Pause.Scope.PERSON

    @property
    def object_id(self) -> UUID | None:
        """As the audit log names it."""
        return self.key_id or self.session_id or self.person_id


def in_force() -> Q:
    """By the clock of the database, as for everything that ends by itself."""
    return Q(until=None) | Q(until__gt=Now())


def with_pauses(people: TenantQuerySet[UserProfile], *, tenant: Tenant | UUID) -> QuerySet[UserProfile]:
    """Each with `pause_stands`, which `has_pause` asks: whether a pause of theirs is in force, or one of a key for
    everybody.
    """
    rows = Pause.objects.for_tenant(tenant).filter(in_force())
    own, everybodys = rows.filter(person_id=OuterRef("pk")), rows.filter(person_id=None)
    return people.annotate(pause_stands=_either(own, everybodys))


def list_own(*, tenant: Tenant | UUID, person_id: Any, session_id: Any = None) -> QuerySet[Pause]:
    """A person's pauses in force that could be in the way, whichever key brings words; of sessions only that one's."""
    where = Q(session_id=None) if session_id is None else Q(session_id=None) | Q(session_id=session_id)
    return Pause.objects.for_tenant(tenant).filter(in_force(), where, person_id=person_id)


def list_of_key(*, tenant: Tenant | UUID, key_id: Any) -> QuerySet[Pause]:
    """A key's pauses in force for everybody."""
    return Pause.objects.for_tenant(tenant).filter(in_force(), Q(person_id=None), key_id=key_id)


def keeps_out(*, tenant: Tenant | UUID, key_id: UUID | None) -> ExpressionWrapper[Any]:
    """For sessions: whether words that this key brings aren't collected there."""
    rows = Pause.objects.for_tenant(tenant).filter(in_force())
    where = Q(session_id=None) | Q(session_id=OuterRef("pk"))
    through = Q(key_id=None) | Q(key_id=key_id)
    own = rows.filter(where, through, person_id=OuterRef("person_id"))
    return _either(own, list_of_key(tenant=tenant, key_id=key_id or NO_KEY))


def _either(*rows: QuerySet[Pause]) -> ExpressionWrapper[Any]:
    """Whether there is one among these or those; each is looked for in an index."""
    first, second = (Q(Exists(one)) for one in rows)
    return ExpressionWrapper(first | second, output_field=BooleanField())


def with_own_pause(keys: QuerySet[ApiKey], *, tenant: Tenant | UUID) -> QuerySet[ApiKey]:
    """Each with `is_paused`, whether nothing is collected through it about anybody, and `paused_until`."""
    return _with_standing(
        keys, Pause.objects.for_tenant(tenant).filter(key_id=OuterRef("pk"), person_id=None)
    )


def with_session_pause(sessions: QuerySet[Any], *, tenant: Tenant | UUID) -> QuerySet[Any]:
    """Each with `is_paused`, whether nothing is collected in this very conversation, and `paused_until`."""
    of_person = Pause.objects.for_tenant(tenant).filter(person_id=OuterRef("person_id"))
    return _with_standing(sessions, of_person.filter(session_id=OuterRef("pk")))


def with_person_pause(people: QuerySet[UserProfile], *, tenant: Tenant | UUID) -> QuerySet[UserProfile]:
    """Each with `is_paused`, whether nothing at all is collected about them, and `paused_until`."""
    of_person = Pause.objects.for_tenant(tenant).filter(person_id=OuterRef("pk"))
    return _with_standing(people, of_person.filter(Q(session_id=None), Q(key_id=None)))


def _with_standing(rows: QuerySet[Any], pauses: QuerySet[Pause]) -> QuerySet[Any]:
    own = pauses.filter(in_force())
    seen: QuerySet[Any] = rows.annotate(is_paused=Exists(own), paused_until=Subquery(own.values("until")[:1]))
    return seen


def longest_of(pauses: Iterable[Pause], *, key_id: UUID | None) -> Pause | None:
    """Of those in the way of that key the one that ends last: from then on it may bring words again."""
    mine = [one for one in pauses if one.key_id in (None, key_id)]
    return max(mine, key=lambda one: one.until or FOR_EVER, default=None)


def find_pause(
    *, tenant: Tenant | UUID, person: UserProfile, actor: Actor, session_id: UUID | None = None
) -> Pause | None:
    """What keeps whoever acts from bringing words about a person, here. Of a person read `with_pauses` it is asked only
    where there is one.
    """
    if actor.kind not in BRINGERS or not person.has_pause:
        return None
    return find_standing(tenant=tenant, person_id=person.pk, key_id=actor.key_id, session_id=session_id)


def find_standing(
    *, tenant: Tenant | UUID, person_id: UUID | None, key_id: UUID | None, session_id: UUID | None = None
) -> Pause | None:
    """Of all pauses that are in the way of a key's words about a person the one that ends last. None for a person
    names somebody whom nobody knows yet.
    """
    found = list(list_own(tenant=tenant, person_id=person_id, session_id=session_id)) if person_id else []
    if key_id is not None:
        found += list_of_key(tenant=tenant, key_id=key_id)
    return longest_of(found, key_id=key_id)


def check_collecting(
    *, tenant: Tenant | UUID, person: UserProfile, actor: Actor, session_id: UUID | None = None
) -> None:
    """Raise CollectionPaused where whoever acts may bring no words about the person just now."""
    found = find_pause(tenant=tenant, person=person, actor=actor, session_id=session_id)
    if found is not None:
        raise refusal_of(found)


def refusal_of(pause: Pause) -> CollectionPaused:
    """As whoever brings words is told."""
    return CollectionPaused(
        explain(pause), scope=pause.scope, until=_written(pause.until) if pause.until else None
    )


def explain(pause: Pause) -> str:
    """Why, and until when, in two sentences for an agent."""
    until = f"until {_written(pause.until)}" if pause.until else "until it is resumed"
    return f"{WHERE[Pause.Scope(pause.scope)]} {until}. {AS_EVER}"


def _written(moment: datetime) -> str:
    """ISO 8601 in UTC, as the API writes it."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def get_standing(*, tenant: Tenant | UUID, thing: Thing) -> Pause | None:
    """The pause of that very thing, if it is in force."""
    return _of(tenant, thing).filter(in_force()).first()


def is_future(until: datetime) -> bool:
    """Whether a pause can end then; past the last year it can be told in no zone."""
    return until > timezone.now() and until.year <= LAST_YEAR


def set_pause(
    *,
    tenant: Tenant | UUID,
    thing: Thing,
    actor: Actor,
    until: datetime | None = None,
    reason: str = "",
    manages: bool = False,
) -> tuple[Pause, bool]:
    """Begin a pause, or change its end and reason; and whether it is new. In the caller's scope.

    Raises InvalidInput for an end that has passed, and Forbidden where a key would change what somebody set by hand.
    """
    if until is not None and not is_future(until):
        raise InvalidInput(_("It can only end in the future."), field="until")
    if len(reason) > REASON_LIMIT:
        raise InvalidInput(_("At most %(count)s characters.") % {"count": REASON_LIMIT}, field="reason")
    held = _hold(tenant, thing)
    if held is not None:
        _check_hand(held, actor, manages)
    values = {"until": until, "reason": reason, "made_by": str(actor)[:120]}
    if held is None:
        _of(tenant, thing).delete()  # one that ended by itself
        return _create(tenant, thing, values), True
    for name, value in values.items():
        setattr(held, name, value)
    held.save(update_fields=list(values))
    return held, False


def _create(tenant: Tenant | UUID, thing: Thing, values: dict[str, Any]) -> Pause:
    made: Pause = Pause.objects.for_tenant(tenant).create(
        scope=thing.scope,
        person_id=thing.person_id,
        session_id=thing.session_id,
        key_id=thing.key_id,
        **values,
    )
    return made


def lift_pause(*, tenant: Tenant | UUID, thing: Thing, actor: Actor, manages: bool = False) -> Pause | None:
    """Resume: what is told from now on is collected again. The pause that ended; None where none was in force.

    Raises Forbidden where a key would end what somebody set by hand.
    """
    held = _hold(tenant, thing)
    if held is None:
        return None
    _check_hand(held, actor, manages)
    _of(tenant, thing).delete()
    return held


def _check_hand(held: Pause, actor: Actor, manages: bool) -> None:
    """What somebody set by hand, no agent ends."""
    if held.is_by_hand and actor.kind == "key" and not manages:
        raise Forbidden(BY_HAND)


def _hold(tenant: Tenant | UUID, thing: Thing) -> Pause | None:
    """The pause in force. Whoever sets or lifts it at the same moment waits."""
    lock(f"nebo.pause:{tenant_id_of(tenant)}:{thing.person_id}:{thing.session_id}:{thing.key_id}")
    return get_standing(tenant=tenant, thing=thing)


def _of(tenant: Tenant | UUID, thing: Thing) -> QuerySet[Pause]:
    return Pause.objects.for_tenant(tenant).filter(
        Q(person_id=thing.person_id), Q(session_id=thing.session_id), Q(key_id=thing.key_id)
    )


def carry_over(*, tenant: Tenant | UUID, old: ApiKey, new: ApiKey) -> int:
    """What is paused of a key stays so for the one that takes its place; how many."""
    rows = list(Pause.objects.for_tenant(tenant).filter(in_force(), key_id=old.pk))
    copies = [
        Pause(
            tenant_id=tenant_id_of(tenant),
            scope=one.scope,
            person_id=one.person_id,
            key_id=new.pk,
            since=one.since,
            until=one.until,
            reason=one.reason,
            made_by=one.made_by,
        )
        for one in rows
    ]
    return len(Pause.objects.for_tenant(tenant).bulk_create(copies)) if copies else 0


def list_ended(*, tenant: Tenant | UUID) -> QuerySet[Pause]:
    """Pauses whose end has passed. The audit log has when they began."""
    return Pause.objects.for_tenant(tenant).filter(until__lte=Now())


def remove_ended(*, tenant: Tenant | UUID) -> int:
    """Remove a batch of them; how many. In the tenant's scope."""
    ids = list(list_ended(tenant=tenant).values_list("pk", flat=True)[:REMOVED_AT_ONCE])
    return Pause.objects.for_tenant(tenant).filter(pk__in=ids).delete()[0]

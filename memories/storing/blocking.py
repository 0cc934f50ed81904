"""What a person marked as wrong, or never to be mentioned, keeps what says the same from being learned again."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from memories.models import Memory, Observation, Withheld
from memories.new_memory import NewObservation
from memories.storing.audited_writes import change_memory
from memories.storing.intake import Intake
from memories.withholding.withholding import MessageSpan, keep_withheld, list_messages
from nebo.tenants.models import Tenant

REASON_WRONG = "Says what was marked as wrong."


def find_blocking(intake: Intake) -> Memory | None:
    """The marked memory that a new one says again, in the same words or by its meaning."""
    draft, ids = intake.draft, intake.compared.those("same")
    return find_marked(tenant=intake.tenant, person_id=draft.person_id, value=draft.value, ids=ids)


def find_marked(
    *, tenant: Tenant | UUID, person_id: UUID, value: str, ids: Collection[UUID] = ()
) -> Memory | None:
    """A marked memory of a person with these words, or among these; whichever persona it is for, since the mark is the
    person's. Never mentioned stands before wrong.
    """
    plain = value.rstrip(" .")
    same = Q(value__iexact=value) | Q(value__iexact=plain) | Q(value__iexact=f"{plain}.")
    rows = Memory.objects.for_tenant(tenant).filter(
        same | Q(pk__in=list(ids)), person_id=person_id, status__in=Memory.BLOCKED
    )
    return rows.select_related("person", "persona").order_by("status", "created_at").first()


def answer_marked(intake: Intake, marked: Memory) -> str:
    """Why something new that says it has to wait: it was marked as wrong, and is said again since. Empty where nothing
    comes of it: what is never mentioned has one observation more, whose words are withheld as well.
    """
    seen = intake.new.observations
    if marked.status == Memory.Status.UNMENTIONED:
        _keep_observations(intake, marked, {one.message_id: one for one in seen if one.message_id})
        return ""
    at = marked.valid_to or marked.updated_at
    return REASON_WRONG if any((one.observed_at or timezone.now()) > at for one in seen) else ""


def _keep_observations(intake: Intake, marked: Memory, seen: Mapping[UUID, NewObservation]) -> None:
    """Those of messages that don't speak for it yet."""
    known = Observation.objects.for_tenant(intake.tenant).filter(memory=marked, message_id__in=list(seen))
    new = {pk: seen[pk] for pk in seen.keys() - set(known.values_list("message_id", flat=True))}
    if not new:
        return
    change = intake.change("reinforced")
    change_memory(
        tenant=intake.tenant, memory=marked, fields={}, change=change, observations=list(new.values())
    )
    stretches = [
        MessageSpan(message, new[message.pk].quote_start or 0, end, Withheld.Found.QUOTE)
        for message in list_messages(intake.tenant).filter(pk__in=list(new))
        if (end := new[message.pk].quote_end) is not None
    ]
    keep_withheld(tenant=intake.tenant, memory=marked, stretches=stretches)

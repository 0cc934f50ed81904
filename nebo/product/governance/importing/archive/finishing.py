"""After the last row: the profile, what waits to be learned, and the index, which is made anew by jobs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import F

from nebo.jobs.lanes import Lane
from nebo.jobs.services import enqueue
from nebo.product.governance.importing.archive.indexing import KIND, LANE
from nebo.tenants.models import Tenant, UserProfile
from search.answer_versions import invalidate_answers
from sessions.models import Session
from sessions.turns.due_jobs import schedule_extraction

PROFILE_COLUMNS = (
    "display_name",
    "location",
    "timezone",
    "occupation",
    "interests",
    "goals",
    "context",
    "communication_style",
)
MAX_CHARS = 20_000  # of a text of the profile that the table doesn't bound


def finish(*, tenant: Tenant, person: UserProfile, profile: Mapping[str, Any]) -> None:
    """In the tenant's scope, with the person's row held."""
    fill_profile(person, profile)
    invalidate_answers(tenant=tenant, person_id=person.pk)
    unread = Session.objects.for_tenant(tenant).filter(
        person=person, auto_extract=True, extracted_seq__lt=F("next_seq") - 1
    )
    for session in unread.select_related("person"):
        schedule_extraction(tenant, session, Lane.SUMMARY)
    enqueue(
        tenant=tenant,
        kind=KIND,
        payload={"after": ""},
        dedupe_key=f"index-person:{person.pk}",
        person_id=person.pk,
        lane=LANE,
    )


def fill_profile(person: UserProfile, profile: Mapping[str, Any]) -> None:
    """What isn't said here yet; what is of another kind than its column is left out."""
    changed = []
    for name in PROFILE_COLUMNS:
        value = profile.get(name)
        if not getattr(person, name) and value and _fits(name, value):
            setattr(person, name, value)
            changed.append(name)
    if changed:
        person.save(update_fields=[*changed, "updated_at"])


def _fits(name: str, value: Any) -> bool:
    field: Any = UserProfile._meta.get_field(name)
    if name == "interests":
        most = field.base_field.max_length
        return isinstance(value, list) and all(isinstance(one, str) and len(one) <= most for one in value)
    return isinstance(value, str) and len(value) <= (field.max_length or MAX_CHARS)

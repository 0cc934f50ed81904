"""Words of a person that are taken away: withheld from agents, or redacted for good.

A count on the person's row says how often that was done. A job reads it as it begins, and compares it under the row's
lock before it writes (`Claim.hold_words`): so nothing is kept that was made of words which are gone by then.
"""

from __future__ import annotations

from uuid import UUID

from django.db.models import F

from nebo.tenants.models import Tenant, UserProfile


def count_taken_words(*, tenant: Tenant | UUID, person_id: UUID) -> None:
    """Words are taken away in this transaction, in which the person's row is held."""
    people = UserProfile.objects.for_tenant(tenant).filter(pk=person_id)
    people.update(words_taken=F("words_taken") + 1)

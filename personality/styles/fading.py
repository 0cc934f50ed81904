"""Styles not seen again within their lifespan no longer count: they are archived, the directive is due anew."""

from __future__ import annotations

from uuid import UUID

from django.db.models import DurationField, ExpressionWrapper, F, Q, Value
from django.db.models.functions import Greatest
from django.utils import timezone

from memories.curation.upkeep import UPKEEP, Progress, for_each
from memories.decay import LIFESPAN_PER_OBSERVATION
from memories.models import Memory
from memories.storing.audited_writes import Change, change_memory
from memories.storing.styles import STYLE_NAMESPACE, STYLE_PREFIX, WISHED
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant

REASON_FADED = "Not seen again within 14 days for each time it was seen."


def fade_styles(*, tenant: Tenant | UUID, actor: Actor = UPKEEP, progress: Progress | None = None) -> int:
    """Archive every style past its lifespan, each through the door; returns how many. Opens its own scopes.

    What a person pinned, confirmed or wished for outright never fades. A trait that is seen
    again later begins anew.
    """
    change = Change("archived", actor, reason=REASON_FADED)

    def archive(memory: Memory) -> None:
        fields = {"status": Memory.Status.ARCHIVED}
        change_memory(tenant=tenant, memory=memory, fields=fields, change=change)

    return for_each(tenant, faded(), archive, progress)


def faded() -> Q:
    """Live styles whose lifespan is over: count × 14 days since the last observation."""
    observations = Greatest(F("reinforced_count"), Value(1))
    lifespan = ExpressionWrapper(observations * Value(LIFESPAN_PER_OBSERVATION), output_field=DurationField())
    end = ExpressionWrapper(
        Value(timezone.now()) - lifespan, output_field=Memory._meta.get_field("last_reinforced")
    )
    return ~Q(metadata__has_key=WISHED) & Q(
        namespace=STYLE_NAMESPACE,
        key__startswith=STYLE_PREFIX,
        status=Memory.Status.ACTIVE,
        pinned=False,
        confirmed_at=None,
        last_reinforced__lte=end,
    )

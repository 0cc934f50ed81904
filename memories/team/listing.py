"""What the team shares, for its people's pages."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Q, QuerySet

from memories.models import Memory
from memories.selectors import promptable
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.selectors import key_name_of


def list_shared(*, tenant: Tenant, person_id: UUID) -> QuerySet[Memory]:
    """What a person shared, and what others did as far as the team's policy and their logins allow; the newest first.

    Each with its `person`, and `key_name` where a key shared it.
    """
    own = Q(person_id=person_id)
    others = Q(person__kind=UserProfile.Kind.PERSON) & (
        Q(person__login=None) | Q(person__login__is_active=True)
    )
    others &= ~Q(person__external_id__startswith="erased:")
    rows = Memory.objects.for_tenant(tenant).filter(promptable(), shared_at__isnull=False)
    rows = rows.filter(scope=Memory.Scope.USER, persona=None).filter(own | others if tenant.shares else own)
    named = rows.annotate(key_name=key_name_of("shared_by", tenant=tenant))
    return named.select_related("person").order_by("-shared_at", "-id")

"""What an answer about a person was made from, as two numbers: every write about the person, or about everyone, raises
one in its own transaction, so after it no answer counts that was made before.
"""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from django.db.models import F

from nebo.postgres.prepared import execute, fetch_rows, number_parameters
from nebo.postgres.rehearsal import is_rehearsal
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import check_scope, tenant_id_of

FIND_VERSIONS = number_parameters("""
SELECT (SELECT memory_version FROM tenants_userprofile WHERE tenant_id = %(tenant_id)s AND id = %(person_id)s),
       (SELECT memory_version FROM tenants_userprofile WHERE tenant_id = %(tenant_id)s AND kind = 'shared')
""")
RAISE_VERSION = number_parameters("""
UPDATE tenants_userprofile SET memory_version = memory_version + 1
WHERE tenant_id = %(tenant_id)s AND id = %(person_id)s
""")


class Versions(NamedTuple):
    """How often something was written about a person, and about everyone in the tenant."""

    person: int | None
    everyone: int | None


def get_versions(*, tenant: Tenant | UUID, person_id: UUID) -> Versions:
    """What an answer about a person is made of, in the open scope; one statement."""
    rows = fetch_rows(FIND_VERSIONS, {"tenant_id": tenant_id_of(tenant), "person_id": person_id})
    return Versions._make(rows[0])


def invalidate_answers(*, tenant: Tenant | UUID, person_id: UUID) -> None:
    """Something was, or is about to be, written about a person: in this transaction, and with its commit, no
    answer made before counts. Takes the person's row, as every writer of memories does: call it before chunks are
    touched, or hold the row already.
    """
    if is_rehearsal():
        return
    tenant_id = tenant_id_of(tenant)
    check_scope(tenant_id, "UserProfile")
    execute(RAISE_VERSION, {"tenant_id": tenant_id, "person_id": person_id})


def invalidate_all_answers(*, tenant: Tenant | UUID) -> None:
    """Something was taken out of many people's conversations at once. In the open scope."""
    everyone = UserProfile.objects.for_tenant(tenant).filter(kind=UserProfile.Kind.SHARED)
    everyone.update(memory_version=F("memory_version") + 1)

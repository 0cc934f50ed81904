"""Whose a key, an invitation or a code is, told to every server of a distributed database.

There one server has the row itself, and to ask all of them would make each request as slow as the slowest. One server
alone needs no directory: a unique index finds the row.
"""

from __future__ import annotations

from typing import Literal, TypeAlias
from uuid import UUID

from django.db import connections, router

from nebo.postgres.layout import IS_DISTRIBUTED
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import tenant_id_of

Kind: TypeAlias = Literal["key", "invitation", "code"]

ADD = "INSERT INTO nebo_directory (kind, name, team) VALUES (%s, %s, %s)"


def note_owner(*, tenant: Tenant | UUID, kind: Kind, name: str) -> None:
    """That the key, invitation or code which is found by `name` is this tenant's; in the transaction that makes it."""
    if IS_DISTRIBUTED:
        with connections[router.db_for_write(UserProfile)].cursor() as cursor:
            cursor.execute(ADD, [kind, name, tenant_id_of(tenant)])

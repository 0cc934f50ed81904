"""A team of one's own, made by whoever signs up: with its profiles and its owner, in one transaction."""

from __future__ import annotations

import json
import re
import secrets
import unicodedata
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, connection, transaction

from memories.audit.log import record_audit
from nebo.postgres.layout import IS_DISTRIBUTED
from nebo.product.workspace.people import make_person
from nebo.tenants.actor import Actor
from nebo.tenants.models import Membership, Tenant, User, UserProfile
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import SHARED_EXTERNAL_ID

MAKE = "SELECT nebo_make_tenant(%s)"
NOT_SLUG = re.compile(r"[^a-z0-9]+")
LONGEST_WORD = 40  # characters of a slug that come from the name
KEPT_FREE = frozenset({"", "demo"})  # `manage.py start` makes and looks after a team of that name


def found_team(*, name: str, owner: User, request_id: str = "") -> Tenant:
    """A team with its owner, the person they are, and the profile of everyone."""
    with transaction.atomic():
        tenant = _make_tenant(name)
        with tenant_scope(tenant):
            UserProfile.objects.for_tenant(tenant).create(
                kind=UserProfile.Kind.SHARED, external_id=SHARED_EXTERNAL_ID
            )
            Membership.objects.for_tenant(tenant).create(user_id=owner.pk, role=Membership.Role.OWNER)
            make_person(tenant=tenant, user=owner)
            record_audit(
                tenant=tenant,
                actor=Actor("user", str(owner.pk), request_id),
                action="team.founded",
                object_type="tenant",
                object_id=tenant.pk,
            )
    return tenant


def slug_of(name: str) -> str:
    """The name as an address has it: plain letters and digits with single dashes; empty where there are none."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return NOT_SLUG.sub("-", plain)[:LONGEST_WORD].strip("-")


def _make_tenant(name: str) -> Tenant:
    """Under the name's own slug if that is free, else with a few letters behind it."""
    slug = slug_of(name)
    if slug not in KEPT_FREE:
        try:
            with transaction.atomic():
                return _insert(Tenant(slug=slug, name=name))
        except IntegrityError:
            pass  # taken
    return _insert(Tenant(slug=f"{slug or 'team'}-{secrets.token_hex(3)}", name=name))


def _insert(tenant: Tenant) -> Tenant:
    row = {field.attname: getattr(tenant, field.attname) for field in Tenant._meta.local_fields}
    with _session() as session, session.cursor() as cursor:
        cursor.execute(MAKE, [json.dumps(row, cls=DjangoJSONEncoder)])
    tenant._state.adding = False
    return tenant


@contextmanager
def _session() -> Iterator[Any]:
    """The open one. In a distributed database one of its own, whose team is there at once: as the owner, the function
    can't touch what every server has once the app has written some of it in the same transaction.
    """
    if not IS_DISTRIBUTED:
        yield connection
        return
    with closing(connection.copy()) as own:
        yield own

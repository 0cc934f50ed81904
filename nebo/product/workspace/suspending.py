"""An operator closes a team and opens it again, each time with a line in the team's sealed log."""

from __future__ import annotations

from django.db import transaction

from memories.audit.log import record_audit
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import OPERATOR_ALIAS


def open_or_suspend(*, tenant: Tenant, is_active: bool, actor: Actor) -> bool:
    """Whether that changed anything. In the operator's scope."""
    with transaction.atomic(using=OPERATOR_ALIAS):
        waiting = Tenant.objects.filter(pk=tenant.pk).exclude(is_active=is_active)
        if not waiting.update(is_active=is_active):
            return False
        note_suspension(tenant=tenant, is_active=is_active, actor=actor)
    return True


def note_suspension(*, tenant: Tenant, is_active: bool, actor: Actor) -> None:
    """The line in the log."""
    action = "tenant.resumed" if is_active else "tenant.suspended"
    record_audit(tenant=tenant, actor=actor, action=action, object_type="tenant", object_id=tenant.pk)

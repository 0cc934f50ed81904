"""Messages that grow old: archived once a summary speaks for them, and removed after the tenant's window.

A live message is never archived: one is live until compaction has folded it, or its session was closed with a summary
and stayed closed for as long as messages are kept unarchived. Nothing extraction has yet to read is archived either.
"""

from __future__ import annotations

from django.db import connection
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from nebo.tenants.models import Tenant
from nebo.tenants.windows import find_cutoff
from search.answer_versions import invalidate_all_answers
from sessions.models import Message, SessionSummary

BATCH = 1_000  # messages a transaction


def list_archivable(*, tenant: Tenant) -> QuerySet[Message]:
    """Messages that a summary speaks for, recorded before the tenant's window; none where it keeps for ever."""
    rows = Message.objects.for_tenant(tenant)
    before = find_cutoff(tenant.archive_days)
    if before is None:
        return rows.none()
    summaries = SessionSummary.objects.for_tenant(tenant).filter(session_id=OuterRef("session_id"))
    folded = Q(compacted=True)
    closed = Q(Exists(summaries), session__ended_at__lt=before)
    read = Q(seq__lte=F("session__extracted_seq")) | Q(session__auto_extract=False)
    return rows.filter(folded | closed, read, archived_at=None, recorded_at__lt=before)


def archive_messages(*, tenant: Tenant) -> int:
    """Archive a batch of the oldest; how many. In the tenant's scope."""
    ids = list(list_archivable(tenant=tenant).order_by("recorded_at").values_list("pk", flat=True)[:BATCH])
    rows = Message.objects.for_tenant(tenant).filter(pk__in=ids, archived_at=None)
    return rows.update(archived_at=timezone.now())


def list_outlived(*, tenant: Tenant) -> QuerySet[Message]:
    """Archived messages past the tenant's window; none where it keeps for ever."""
    rows = Message.objects.for_tenant(tenant)
    before = find_cutoff(tenant.event_days)
    return rows.filter(archived_at__lt=before, recorded_at__lt=before) if before else rows.none()


def remove_messages(*, tenant: Tenant) -> int:
    """Remove a batch of them with their passages in the index; how many. In the tenant's scope.

    SQL: only a function of the owner may delete messages, and it looks at the window itself. What was learned from
    them keeps its quote.
    """
    Message.objects.for_tenant(tenant)  # raises unless the scope is this tenant's
    with connection.cursor() as cursor:
        cursor.execute("SELECT nebo_remove_messages(%s, %s)", [tenant.pk, BATCH])
        removed = int(cursor.fetchone()[0])
    if removed:
        invalidate_all_answers(tenant=tenant)
    return removed

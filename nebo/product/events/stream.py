"""A team's events in the order of their transactions, so that whoever reads on from a position misses none.

A transaction that began earlier may end later. So events are shown up to the oldest transaction that still runs; what
ends after it comes with the next reading. Only then is a position a promise that nothing before it will appear.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from django.db import connection
from django.db.models import Q, QuerySet

from nebo.errors import InvalidInput
from nebo.postgres.clock import database_now
from nebo.product.events.deliveries import payload_of
from nebo.product.events.models import Event, EventStream
from nebo.tenants.models import Tenant

AT_ONCE = 500  # events an answer
AGAIN_MS = 3_000  # after which a client asks again
READ_NOTED_EVERY = timedelta(
    hours=1
)  # of the day for which events are noted after a reading (events_note.sql)
FORM = re.compile(r"(\d{1,18})\.(\d{1,18})\.([0-9a-f]{32})", re.ASCII)
BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
LATEST = 253_000_000_000_000_000  # microseconds; in the year 9987
NO_ID = UUID(int=0)
FIND_OLDEST = "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint"


@dataclass(frozen=True, slots=True)
class Position:
    """The place of an event: its transaction's number, its time in microseconds since 1970, its id."""

    xact: int
    micros: int = 0
    id: UUID = NO_ID

    def __str__(self) -> str:
        return f"{self.xact}.{self.micros}.{self.id.hex}"

    @property
    def at(self) -> datetime:
        return BEGINNING + timedelta(microseconds=self.micros)


@dataclass(frozen=True, slots=True)
class Reading:
    """What was found, and from where to go on."""

    events: Sequence[Event]
    next: Position


def read_position(text: str) -> Position | None:
    """What `Last-Event-ID` says; None without one. Raises InvalidInput."""
    if not text:
        return None
    match = FORM.fullmatch(text)
    if match is None or int(match[2]) > LATEST:
        raise InvalidInput("Last-Event-ID is not one of this stream's.")
    return Position(int(match[1]), int(match[2]), UUID(match[3]))


def read_stream(*, tenant: Tenant | UUID, person_id: UUID | None, after: Position | None) -> Reading:
    """The next events after a position, of one person if named; without a position none, but from where to go on."""
    oldest = _find_oldest()
    _note_reading(tenant)
    if after is None:
        return Reading((), Position(oldest))
    if after.xact > oldest:  # of a server whose backup was restored here, where numbers began anew
        after = Position(0)
    rows = _after(Event.objects.for_tenant(tenant), after).filter(xact__gt=0, xact__lt=oldest)
    if person_id is not None:
        rows = rows.filter(person_id=person_id)
    events = list(rows.select_related("person").order_by("xact", "created_at", "id")[:AT_ONCE])
    return Reading(events, position_of(events[-1]) if events else after)


def position_of(event: Event) -> Position:
    """Where an event stands."""
    return Position(event.xact, _micros(event.created_at), event.pk)


def render_stream(found: Reading) -> str:
    """As server-sent events; the last line says from where to go on, also where nothing happened."""
    events = [
        f"id: {position_of(event)}\nevent: {event.type}\n"
        f"data: {json.dumps(payload_of(event), ensure_ascii=False, separators=(',', ':'))}\n\n"
        for event in found.events
    ]
    return "".join([f"retry: {AGAIN_MS}\n\n", *events, *([] if events else [f"id: {found.next}\n\n"])])


def _after(rows: QuerySet[Event], place: Position) -> QuerySet[Event]:
    later = Q(created_at__gt=place.at) | Q(created_at=place.at, pk__gt=place.id)
    return rows.filter(Q(xact__gt=place.xact) | Q(xact=place.xact) & later)


def _micros(at: datetime) -> int:
    return (at - BEGINNING) // timedelta(microseconds=1)


def _find_oldest() -> int:
    """Of the transactions that still run, the number of the first; the next there will be where none does."""
    with connection.cursor() as cursor:
        cursor.execute(FIND_OLDEST)
        (number,) = cursor.fetchone()
    return int(number)


def _note_reading(tenant: Tenant | UUID) -> None:
    """That events are to be noted for another day; written now and then alone, since it is asked every few seconds."""
    now = database_now(EventStream)
    rows = EventStream.objects.for_tenant(tenant)
    if rows.filter(read_at__gt=now - READ_NOTED_EVERY).exists():
        return
    rows.update_or_create(defaults={"read_at": now})

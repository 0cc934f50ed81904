"""`ingest FILE.jsonl`: a conversation from a file, appended as if an agent had told it."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from nebo.errors import NeboError
from nebo.tenants.actor import Actor
from nebo.tenants.commands import tenant_named
from nebo.tenants.models import Tenant
from nebo.tenants.pauses import refusal_of
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import check_external_id, get_or_create_person
from sessions.api.serializers import MAX_MESSAGES
from sessions.api.transcripts import InvalidTranscript, read_transcript
from sessions.lifecycle.identity import KEY_LIMIT
from sessions.lifecycle.opening import open_session
from sessions.turns.append import NewMessage, append_turn

SHOWN_FAULTS = 20
ACTOR = Actor(kind="operator", id="ingest")
Line = tuple[int, NewMessage]


@dataclass(slots=True)
class IngestProgress:
    """What has been appended so far."""

    session_id: UUID
    session_key: str
    next_seq: int
    read: int = 0
    stored: int = 0
    due_at: datetime | None = None


class Command(BaseCommand):
    """Appends a message a line; can be run again without doubling anything."""

    help = "Append a conversation: a message a line, {role, content, name?, external_id?, created_at?}."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="JSON lines; - for standard input")
        parser.add_argument("--tenant", required=True, metavar="SLUG", help="whose conversation")
        parser.add_argument("--user", required=True, metavar="EXTERNAL_ID", help="who speaks with the agent")
        parser.add_argument("--session", metavar="KEY", help="which session (default: the file's name)")

    def handle(self, *args: Any, **options: Any) -> None:
        lines = read_lines(options["file"])
        tenant = tenant_named(options["tenant"])
        key = options["session"] if options["session"] is not None else default_key(options["file"])
        try:
            tally = open_tally(tenant, options["user"], key)
        except NeboError as error:
            raise CommandError(error.detail) from error
        append_all(tenant, lines, tally)
        self.stdout.write(closing_line(tally))


def read_lines(file: str) -> list[Line]:
    """All messages of the file, or a CommandError that names each line at fault."""
    try:
        content = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise CommandError(f"{file} can't be read: {error.strerror}.") from error
    try:
        return read_transcript(content.splitlines())
    except InvalidTranscript as error:
        more = len(error.faults) - SHOWN_FAULTS
        shown = [*error.faults[:SHOWN_FAULTS], *([f"… and {more} more"] if more > 0 else [])]
        raise CommandError("Nothing was stored.\n" + "\n".join(shown)) from error


def default_key(file: str) -> str:
    """`ingest:conversation` for conversation.jsonl."""
    return f"ingest:{'stdin' if file == '-' else Path(file).stem}"[:KEY_LIMIT]


def open_tally(tenant: Tenant, user: str, key: str) -> IngestProgress:
    """The person and the session, made where needed. Raises NeboError."""
    check_external_id(user)
    with tenant_scope(tenant):
        person = get_or_create_person(tenant=tenant, external_id=user)
        session = open_session(tenant=tenant, person=person, key=key).session
        return IngestProgress(session.pk, session.key, session.next_seq)


def append_all(tenant: Tenant, lines: Sequence[Line], tally: IngestProgress) -> None:
    """Batch by batch, each whole or not at all; raises CommandError with the line that stands in the way."""
    with tqdm(total=len(lines), unit=" messages", disable=None) as bar:
        for first in range(0, len(lines), MAX_MESSAGES):
            batch = lines[first : first + MAX_MESSAGES]
            try:
                append_batch(tenant, [message for _, message in batch], tally)
            except NeboError as error:
                raise CommandError(_place_fault(error, batch, tally)) from error
            bar.update(len(batch))


def append_batch(tenant: Tenant, messages: Sequence[NewMessage], tally: IngestProgress) -> None:
    """One turn in a transaction of its own; what the session holds already is not stored again."""
    with tenant_scope(tenant):
        turn = append_turn(tenant=tenant, session_id=tally.session_id, messages=messages, actor=ACTOR)
    if turn.pause is not None:
        raise refusal_of(turn.pause)
    fresh = [message.seq for message in turn.messages if message.seq >= tally.next_seq]
    tally.read += len(messages)
    tally.stored += len(fresh)
    tally.next_seq = max([tally.next_seq, *(seq + 1 for seq in fresh)])
    tally.due_at = turn.extraction_due_at or tally.due_at


def _place_fault(error: NeboError, batch: Sequence[Line], tally: IngestProgress) -> str:
    """The error with its line, found through the pointer `messages/3/…`."""
    steps = error.field.split("/")
    index = steps[1] if len(steps) > 1 else ""
    where = f"line {batch[int(index)][0]}: " if index.isdigit() else ""
    return f"{where}{error.detail}\n{tally.stored} messages before it were stored."


def closing_line(tally: IngestProgress) -> str:
    """Counts, and when the session will be learned from."""
    known = tally.read - tally.stored
    line = f"{tally.stored} messages stored in session {tally.session_key}"
    if known:
        line += f", {known} were there already"
    if tally.due_at is None:
        return f"{line}. Nothing new to learn from."
    return f"{line}. Extraction is due at {tally.due_at.astimezone(UTC):%H:%M:%S} UTC."

"""`import_conversations FILE`: what somebody talked about elsewhere becomes sessions, and is learned from."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from nebo.errors import NeboError
from nebo.jobs.lanes import Lane
from nebo.tenants.actor import Actor
from nebo.tenants.commands import tenant_named
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import check_external_id, get_or_create_person
from sessions.api.histories import SOURCES, History, read_histories
from sessions.lifecycle.opening import find_by_key, open_session
from sessions.models import Message, Session
from sessions.turns.append import NewMessage, append_turn

ACTOR = Actor(kind="operator", id="import")
AT_ONCE = 100  # messages a transaction


@dataclass(slots=True)
class ImportCounts:
    """What came of it, in messages; `sessions` are those that are new."""

    sessions: int = 0
    stored: int = 0
    known: int = 0
    left_out: int = 0


class Command(BaseCommand):
    """A batch a transaction: when it is stopped, the next run goes on, and doubles nothing."""

    help = "Import conversations that ChatGPT, Claude or an OpenAI client exported; can be run again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="conversations.json, or the archive with it")
        parser.add_argument("--source", required=True, choices=sorted(SOURCES), help="who made the file")
        parser.add_argument("--tenant", required=True, metavar="SLUG", help="whose conversations")
        parser.add_argument("--user", required=True, metavar="EXTERNAL_ID", help="who spoke")
        parser.add_argument("--dry-run", action="store_true", help="only count; store nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        file, user, dry_run = Path(options["file"]), options["user"], options["dry_run"]
        try:
            check_external_id(user)
            histories = read_histories(file.read_bytes(), source=options["source"], name=file.stem)
            counts = import_all(tenant_named(options["tenant"]), user, histories, dry_run=dry_run)
        except OSError as error:
            raise CommandError(f"{file} can't be read: {error.strerror}.") from error
        except NeboError as error:
            raise CommandError(f"{error.field}: {error.detail}" if error.field else error.detail) from error
        self.stdout.write(closing_line(counts, dry_run=dry_run))


def import_all(tenant: Tenant, user: str, histories: Sequence[History], *, dry_run: bool) -> ImportCounts:
    """Conversation by conversation, with a bar. Raises NeboError, with what came before it stored."""
    counts = ImportCounts()
    with tqdm(total=sum(len(one.messages) for one in histories), unit=" messages", disable=None) as bar:
        for history in histories:
            counts.left_out += history.left_out
            for first in range(0, len(history.messages), AT_ONCE):
                batch = history.messages[first : first + AT_ONCE]
                with tenant_scope(tenant):
                    if dry_run:
                        foresee_batch(tenant, user, history.key, batch, counts, is_first=first == 0)
                    else:
                        store_batch(tenant, user, history.key, batch, counts)
                bar.update(len(batch))
    return counts


def store_batch(
    tenant: Tenant, user: str, key: str, batch: Sequence[NewMessage], counts: ImportCounts
) -> None:
    """One turn; what the session holds already is not stored again. In the tenant's scope."""
    person = get_or_create_person(tenant=tenant, external_id=user)
    opened = open_session(tenant=tenant, person=person, key=key)
    session = opened.session
    if opened.created:
        session.started_at = batch[0].created_at or session.started_at
        session.save(update_fields=["started_at"])
    turn = append_turn(tenant=tenant, session_id=session.pk, messages=batch, actor=ACTOR, lane=Lane.SUMMARY)
    stored = sum(message.seq >= session.next_seq for message in turn.messages)
    counts.sessions += opened.created
    counts.stored += stored
    counts.known += len(batch) - stored


def foresee_batch(
    tenant: Tenant, user: str, key: str, batch: Sequence[NewMessage], counts: ImportCounts, *, is_first: bool
) -> None:
    """The same counts, and nothing is written. In the tenant's scope."""
    person = UserProfile.objects.for_tenant(tenant).filter(kind="person", external_id=user).first()
    session: Session | None = find_by_key(tenant=tenant, person=person, key=key) if person else None
    wanted = [message.external_id for message in batch]
    rows = Message.objects.for_tenant(tenant).filter(session=session, external_id__in=wanted)
    known = rows.count() if session else 0
    counts.sessions += is_first and session is None
    counts.stored += len(batch) - known
    counts.known += known


def closing_line(counts: ImportCounts, *, dry_run: bool) -> str:
    """What was done, or would be."""
    would = "would be " if dry_run else ""
    return (
        f"{counts.stored} messages {would}stored, {counts.sessions} sessions {would}new; "
        f"{counts.known} messages were there already, {counts.left_out} left out."
    )

"""`memories list|delete|clear|clean-provisional|purge-trash`: what is remembered, from the shell."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Q
from tqdm import tqdm

from memories.agent_tool.request import clip
from memories.curation.upkeep import (
    clean_provisional,
    count_matching,
    for_each,
    outlived_trash,
    provisional,
    purge_trash,
)
from memories.models import Memory
from memories.normalize import normalize_namespace
from memories.selectors import get_memory, within_namespace
from memories.storing.edit import delete_memory
from nebo.errors import NeboError
from nebo.tenants.actor import Actor
from nebo.tenants.commands import tenant_named
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.selectors import get_person
from nebo.terminal_tables import format_table

ACTOR = Actor(kind="operator", id="memories")
VALUE_CHARS = 60  # characters of a value in the table
HEAD = ("ID", "NAMESPACE", "KEY", "VALUE", "CONF", "SEEN", "UPDATED")


class Command(BaseCommand):
    """Whatever changes something asks first, unless `--yes` is given, and is audited."""

    help = "List, delete or clear a person's memories; clean up guesses; empty the trash."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        for name, words in ACTIONS.items():
            action = actions.add_parser(name, help=words)
            action.add_argument("--tenant", required=True, metavar="SLUG")
            if name in ("list", "delete", "clear"):
                action.add_argument("--user", required=True, metavar="EXTERNAL_ID", help="whose memories")
            if name in ("list", "clear"):
                action.add_argument(
                    "--namespace", default="", help="there and beneath, e.g. tacit/preferences"
                )
            if name == "list":
                action.add_argument("--status", default="active", choices=Memory.Status.values)
                action.add_argument("--limit", type=int, default=100)
            if name == "delete":
                action.add_argument("id", nargs="+", type=UUID, help="as `list` shows them")
                action.add_argument("--purge", action="store_true", help="for good, not into the trash")
            if name in ("delete", "clear", "purge-trash"):
                action.add_argument("--yes", action="store_true", help="don't ask")

    def handle(self, *args: Any, **options: Any) -> None:
        tenant = tenant_named(options["tenant"])
        try:
            getattr(self, options["action"].replace("-", "_"))(tenant, options)
        except NeboError as error:
            raise CommandError(error.detail) from error

    def list(self, tenant: Tenant, options: dict[str, Any]) -> None:
        """A table, the newest first."""
        with tenant_scope(tenant):
            mine = _of(get_person(tenant=tenant, external_id=options["user"]), options["namespace"])
            rows = Memory.objects.for_tenant(tenant).filter(mine, status=options["status"])
            total, shown = rows.count(), [_cells(m) for m in rows.order_by("-updated_at")[: options["limit"]]]
        if not shown:
            self.stdout.write("No memories.")
            return
        self.stdout.write(format_table(HEAD, shown))
        self.stdout.write(f"\n{len(shown)} of {total}." if total > len(shown) else f"\n{total} in all.")

    def delete(self, tenant: Tenant, options: dict[str, Any]) -> None:
        """The memories named, all or none."""
        with tenant_scope(tenant):
            memories = _named(tenant, options)
            self.stdout.write(format_table(HEAD, [_cells(memory) for memory in memories]))
        self._confirm(options, f"{'Purge' if options['purge'] else 'Delete'} {len(memories)}?")
        with tenant_scope(tenant):
            for memory in memories:
                delete_memory(tenant=tenant, memory=memory, actor=ACTOR, purge=options["purge"])
        self.stdout.write(f"{'Purged' if options['purge'] else 'Deleted'} {len(memories)}.")

    def clear(self, tenant: Tenant, options: dict[str, Any]) -> None:
        """Everything live of a person, or what stands under one namespace, into the trash."""
        with tenant_scope(tenant):
            mine = _of(get_person(tenant=tenant, external_id=options["user"]), options["namespace"])
        condition = mine & Q(status=Memory.Status.ACTIVE)
        total = count_matching(tenant=tenant, condition=condition)
        where = f" under {normalize_namespace(options['namespace'])}" if options["namespace"] else ""
        if total:
            self._confirm(options, f"Delete all {total} memories of {options['user']}{where}?")
        with tqdm(total=total, unit=" memories", disable=None) as bar:
            count = for_each(
                tenant, condition, lambda m: delete_memory(tenant=tenant, memory=m, actor=ACTOR), bar.update
            )
        self.stdout.write(f"Deleted {count}; {_trash_of(tenant)}.")

    def clean_provisional(self, tenant: Tenant, options: dict[str, Any]) -> None:
        """Guesses that nobody confirmed, into the trash."""
        with tqdm(total=count_matching(tenant=tenant, condition=provisional()), disable=None) as bar:
            count = clean_provisional(tenant=tenant, actor=ACTOR, progress=bar.update)
        self.stdout.write(f"Deleted {count}; {_trash_of(tenant)}.")

    def purge_trash(self, tenant: Tenant, options: dict[str, Any]) -> None:
        """What has lain in the trash long enough, for good."""
        total = count_matching(tenant=tenant, condition=outlived_trash(tenant))
        if total:
            self._confirm(
                options, f"Erase {total} memories that are in the trash for {tenant.trash_days} days?"
            )
        with tqdm(total=total, unit=" memories", disable=None) as bar:
            count = purge_trash(tenant=tenant, actor=ACTOR, progress=bar.update)
        self.stdout.write(f"Purged {count}.")

    def _confirm(self, options: dict[str, Any], question: str) -> None:
        if options["yes"]:
            return
        self.stdout.write(f"{question} [y/N] ", ending="")
        self.stdout.flush()
        try:
            answer = input()
        except EOFError:
            answer = ""
        if answer.strip().lower() not in ("y", "yes"):
            raise CommandError("Nothing was changed.")


ACTIONS = {
    "list": "a table of a person's memories",
    "delete": "memories by id",
    "clear": "everything, or a namespace",
    "clean-provisional": "guesses that nobody confirmed within 30 days, into the trash",
    "purge-trash": "what the tenant's trash no longer keeps, for good",
}


def _trash_of(tenant: Tenant) -> str:
    return (
        f"they can be restored for {tenant.trash_days} days" if tenant.trash_days else "they can be restored"
    )


def _of(person: UserProfile, namespace: str) -> Q:
    return within_namespace(namespace) & Q(person_id=person.pk)


def _named(tenant: Tenant, options: dict[str, Any]) -> Sequence[Memory]:
    """The person's memories by id; raises CommandError naming the first that is none."""
    person = get_person(tenant=tenant, external_id=options["user"])
    found = []
    for memory_id in dict.fromkeys(options["id"]):
        memory = get_memory(tenant=tenant, memory_id=memory_id)
        if memory.person_id != person.pk:
            raise CommandError(f"{options['user']} has no memory {memory_id}.")
        found.append(memory)
    return found


def _cells(memory: Memory) -> tuple[str, ...]:
    return (
        str(memory.pk),
        memory.namespace,
        memory.key,
        clip(memory.value, VALUE_CHARS),
        f"{memory.confidence:.2f}",
        str(memory.reinforced_count),
        f"{memory.updated_at:%Y-%m-%d %H:%M}",
    )

"""`embeddings status|migrate|backfill|rollback`: which model makes the vectors, and its exchange."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from dataclasses import astuple
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from tqdm import tqdm

from nebo.llm.errors import LlmError, PermanentError, RetryableError
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import operator_scope, tenant_scope
from search.embeddings.own import asked_for
from search.embeddings.serving import VectorModel, as_vector_model, get_configured, get_models
from search.indexing.exchange import (
    NOTICED_AFTER,
    NothingToDo,
    Progress,
    cut_over,
    give_plans,
    list_missing,
    note_missing,
    progress,
    roll_back,
    start_exchange,
)
from search.indexing.pending import ask_again, embed_batch, publish_vectors, read_batch
from search.models import EmbeddingModel

BACKFILL_BATCH = 20  # chunks; docs/design.md#search-numbers


class Command(BaseCommand):
    help = "Show, exchange, complete or take back the model that makes the vectors."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        actions.add_parser("status", help="the models, and how many chunks have their vectors")
        migrate = actions.add_parser(
            "migrate", help="build the configured model beside the old one, then cut over"
        )
        migrate.add_argument("--background", action="store_true", help="leave the work to the workers")
        migrate.add_argument(
            "--alone", action="store_true", help="don't wait for other processes to notice, as none runs"
        )
        actions.add_parser("backfill", help="make the vectors that are missing")
        actions.add_parser("rollback", help="give up the exchange, or go back to the model before")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            getattr(self, f"_{options['action']}")(options)
        except NothingToDo as error:
            raise CommandError(str(error)) from error
        except PermanentError as error:
            raise CommandError(f"The provider refuses, so nothing more was tried. {error}") from error
        except LlmError as error:
            raise CommandError(str(error)) from error

    def _status(self, options: dict[str, Any]) -> None:
        get_models()  # a new installation has its row from here on
        for row in EmbeddingModel.objects.order_by("pk"):
            done = total(as_vector_model(row))
            refused = f" ({done.refused} refused)" if done.refused else ""
            self.stdout.write(
                f"{row.state:9} {row}  {done.done} of {done.total} chunks{refused}, since {row.state_since:%F %R}"
            )

    def _migrate(self, options: dict[str, Any]) -> None:
        get_configured().embed(["ready"])  # a refusal is said now, not by a thousand jobs
        model = start_exchange()
        if options["background"]:
            with operator_scope():
                give_plans(list_missing(model), model)
            self.stdout.write(f"{named(model)} is being built by the workers; it serves when it is complete.")
            return
        self._complete(model)
        wait_until_noticed(alone=options["alone"])
        self._complete(model)  # what was written by those who didn't know yet
        cut_over(at_once=options["alone"])
        self.stdout.write(f"{named(model)} serves.")

    def _backfill(self, options: dict[str, Any]) -> None:
        for model in get_models().live:
            left = self._complete(model)
            refused = total(model).refused
            self.stdout.write(
                f"{named(model)}: {f'{left} chunks are left' if left else 'complete'}"
                f"{f', {refused} refused' if refused else ''}."
            )

    def _rollback(self, options: dict[str, Any]) -> None:
        model = roll_back()
        with operator_scope():
            give_plans(list_missing(model), model)
        self.stdout.write(f"{named(model)} serves.")

    def _complete(self, model: VectorModel) -> int:
        """Embed what is missing in every tenant; how many chunks a busy provider left over."""
        with operator_scope():
            tenants = list_missing(model)
        wanted = total(model)
        with tqdm(
            total=wanted.total, initial=wanted.done, desc=named(model), unit="chunk", file=self.stderr
        ) as bar:
            return sum(complete_tenant(tenant_id, model, bar) for tenant_id in tenants)


def complete_tenant(tenant_id: UUID, model: VectorModel, bar: tqdm[Any]) -> int:
    """Embed what is missing in one tenant. Raises PermanentError: whatever came next would be refused as well."""
    with tenant_scope(tenant_id):
        while note_missing(tenant=tenant_id, model=model):
            pass
        ask_again(tenant_id=tenant_id, model=model)
    after = left = 0
    more = True
    while more:
        with tenant_scope(tenant_id):
            batch = read_batch(tenant_id=tenant_id, model_id=model.id, after=after, limit=BACKFILL_BATCH)
        try:
            vectors = embed_batch(asked_for(tenant_id, model), batch)
        except RetryableError:
            left += len(batch.chunks)
            vectors = {}
        with tenant_scope(tenant_id):
            bar.update(publish_vectors(tenant_id=tenant_id, model=model, vectors=vectors))
        after, more = max((chunk.pk for chunk in batch.chunks), default=after), batch.more
    return left


def total(model: VectorModel) -> Progress:
    """Over all tenants."""
    found = []
    for tenant in Tenant.objects.order_by("pk"):
        with tenant_scope(tenant):
            found.append(progress(tenant=tenant, model=model))
    return Progress(*(sum(counts) for counts in zip(*map(astuple, found), strict=True)))


def wait_until_noticed(*, alone: bool) -> None:
    """Until every process knows of the model that is being built."""
    begun = EmbeddingModel.objects.get(state=EmbeddingModel.State.BUILDING).state_since
    if not alone:
        time.sleep(max((begun + NOTICED_AFTER - timezone.now()).total_seconds(), 0))


def named(model: VectorModel) -> str:
    """As the settings name it."""
    return f"{model.provider}/{model.name}"

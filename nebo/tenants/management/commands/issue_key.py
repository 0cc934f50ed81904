"""`issue_key --tenant SLUG`: a key for an agent, shown once."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError

from nebo.errors import NeboError
from nebo.tenants.models import BroughtWords, Tenant
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.selectors import find_tenant
from nebo.tenants.services import (
    IssuedKey,
    Speaks,
    check_external_id,
    check_scopes,
    create_tenant,
    get_or_create_person,
    issue_key,
)


class Command(BaseCommand):
    """Issues a key for a tenant, if wanted bound to one person."""

    help = "Issue an API key. It is shown once; only a digest of it is kept."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--tenant", required=True, metavar="SLUG", help="whose key")
        parser.add_argument("--create", action="store_true", help="make the tenant if it is missing")
        parser.add_argument("--user", metavar="EXTERNAL_ID", help="bind the key to this person")
        parser.add_argument(
            "--scopes", default="read,write", help="of read, write, admin (default: read,write)"
        )
        parser.add_argument(
            "--trust",
            default="",
            choices=("", *BroughtWords.values),
            help="whose words it brings (default: by role)",
        )
        parser.add_argument("--name", default="", help="what the key is for")
        parser.add_argument("--json", action="store_true", help='print {"key": "…"} and nothing else')

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self._check(options)
            tenant = self._tenant(options["tenant"], create=options["create"])
            issued = self._issue(tenant, options)
        except NeboError as error:
            raise CommandError(error.detail) from error
        except OperationalError as error:
            raise CommandError("Postgres does not answer. `manage.py doctor` says more.") from error
        self._show(tenant, issued, options)

    def _check(self, options: dict[str, Any]) -> None:
        """Before anything is made, so that a mistake leaves no tenant behind."""
        options["scopes"] = [scope.strip() for scope in options["scopes"].split(",") if scope.strip()]
        check_scopes(options["scopes"])
        if options["user"] is not None:
            check_external_id(options["user"])

    def _tenant(self, slug: str, *, create: bool) -> Tenant:
        tenant = find_tenant(slug=slug)
        if tenant is None and not create:
            raise CommandError(f"There is no tenant {slug}. Add --create to make it.")
        return tenant or create_tenant(slug=slug, name=slug)

    def _issue(self, tenant: Tenant, options: dict[str, Any]) -> IssuedKey:
        user = options["user"]
        with tenant_scope(tenant):
            person = get_or_create_person(tenant=tenant, external_id=user) if user is not None else None
            return issue_key(
                tenant=tenant,
                name=options["name"],
                scopes=options["scopes"],
                person=person,
                speaks=Speaks(trust=options["trust"]),
            )

    def _show(self, tenant: Tenant, issued: IssuedKey, options: dict[str, Any]) -> None:
        if options["json"]:
            self.stdout.write(json.dumps({"key": issued.secret}))
            return
        person = f", for {options['user']} alone" if options["user"] is not None else ""
        self.stdout.write(f"A key for {tenant.slug} ({', '.join(issued.key.scopes)}){person}:\n\n")
        self.stdout.write(f"    {issued.secret}\n\n")
        self.stdout.write("It is shown once; only a digest of it is kept.")

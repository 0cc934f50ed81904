"""`invite --tenant SLUG`: a link by which somebody joins a team, as its owner unless told otherwise."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError
from django.urls import reverse

from nebo.errors import NeboError
from nebo.product.workspace.invitations import NewInvitation, invite
from nebo.tenants.actor import Actor
from nebo.tenants.models import Membership, Tenant
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.selectors import find_tenant
from nebo.tenants.services import create_tenant


class Command(BaseCommand):
    """Invites somebody to a team."""

    help = "Invite somebody to a team. The link is shown once and opens once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--tenant", required=True, metavar="SLUG", help="to which team")
        parser.add_argument("--create", action="store_true", help="make the team if it is missing")
        parser.add_argument("--role", default="owner", choices=Membership.Role.values)
        parser.add_argument("--user", default="", metavar="EXTERNAL_ID", help="whom agents know them as")
        parser.add_argument("--days", type=int, default=7, help="how long the link opens (default: 7)")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            tenant = self._tenant(options["tenant"], create=options["create"])
            with tenant_scope(tenant):
                issued = invite(
                    tenant=tenant,
                    new=NewInvitation(options["role"], options["days"], person=options["user"]),
                    own_role=Membership.Role.OWNER,
                    actor=Actor("operator", "manage.py"),
                )
        except NeboError as error:
            raise CommandError(error.detail) from error
        except OperationalError as error:
            raise CommandError("Postgres does not answer. `manage.py doctor` says more.") from error
        self.stdout.write(f"Whoever opens this link joins {tenant.slug} as {options['role']}:\n\n")
        self.stdout.write(f"    {settings.BASE_URL}{reverse('join')}#{issued.token}\n\n")
        self.stdout.write("It is shown once and opens once.")

    def _tenant(self, slug: str, *, create: bool) -> Tenant:
        tenant = find_tenant(slug=slug)
        if tenant is None and not create:
            raise CommandError(f"There is no tenant {slug}. Add --create to make it.")
        return tenant or create_tenant(slug=slug, name=slug)

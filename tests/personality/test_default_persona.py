"""The migration that gives each tenant its default persona under the id that follows from the tenant's."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace

from django.apps import apps
from django.db import connections

from nebo.tenants.ids import default_persona_id, uuid7
from nebo.tenants.scoping import tenant_scope
from personality.models import Persona, PersonaRevision
from sessions.models import Session
from tests.conftest import Team


def test_a_default_persona_of_before_moves_with_all_that_speaks_of_it(
    committed_db: None, acme: Team, rival: Team
) -> None:
    old = uuid7()
    with tenant_scope(acme.tenant):
        before = Persona.objects.for_tenant(acme.tenant).create(pk=old, slug="default", name="Ada")
        session = Session.objects.for_tenant(acme.tenant).create(
            profile=acme.person, key="chat", persona=before
        )
        PersonaRevision.objects.for_tenant(acme.tenant).create(
            persona=before, number=1, after={"name": "Ada"}, actor="user:1"
        )
    migration = import_module("personality.migrations.0006_default_persona")

    for _ in range(2):  # twice changes nothing more
        migration.name_defaults(apps, SimpleNamespace(connection=connections["owner"]))

    for team, name in ((acme, "Ada"), (rival, "Nebo")):
        with tenant_scope(team.tenant):
            (held,) = Persona.objects.for_tenant(team.tenant).filter(slug="default")
        assert (held.pk, held.name) == (default_persona_id(team.tenant.pk), name)
    with tenant_scope(acme.tenant):
        session.refresh_from_db()
        revision = PersonaRevision.objects.for_tenant(acme.tenant).get(number=1)
    assert session.persona_id == revision.persona_id == default_persona_id(acme.tenant.pk)

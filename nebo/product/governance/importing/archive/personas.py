"""Which persona an archive means by an id: the one of the same slug, or one that is made by who may."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from nebo.errors import InvalidInput
from nebo.product.governance.belongings import PersonalModel
from nebo.product.governance.importing.archive.ids import Names
from nebo.product.governance.importing.archive.rows import parse_columns
from nebo.product.governance.importing.archive.tables import keys_of
from nebo.product.governance.services.export_file import PERSONA_COLUMNS
from nebo.tenants.actor import Actor
from nebo.tenants.ids import default_persona_id
from nebo.tenants.models import Tenant
from personality.models import Persona
from personality.personas.editing import as_revision
from personality.personas.revisions import Change, revise_persona
from personality.personas.selectors import DEFAULT_SLUG


@dataclass(frozen=True, slots=True)
class ArchivedPersonas:
    """`ids` leads from the archive's to those of here. `new` aren't here yet; `lacking`, slugs by id, can't be made."""

    ids: Mapping[str, str] = field(default_factory=dict)
    new: Sequence[Mapping[str, Any]] = ()
    lacking: Mapping[str, str] = field(default_factory=dict)

    def check(self, model: PersonalModel, row: Mapping[str, Any], where: str) -> None:
        """Raises InvalidInput for a row about a persona that isn't here."""
        for key in keys_of(model):
            value = row.get(key.attname)
            if key.related_model is not Persona or value is None or value in self.ids:
                continue
            slug = self.lacking.get(value)
            told = (
                f"There is no persona “{slug}” here; an admin makes it first." if slug else "No such persona."
            )
            raise InvalidInput(told, field=f"{where}:{key.attname}")


def read_personas(
    lines: Sequence[bytes], *, tenant: Tenant, names: Names, makes: bool, place: str
) -> ArchivedPersonas:
    """In the tenant's scope. Raises InvalidInput."""
    found = [
        parse_columns(line, Persona, PERSONA_COLUMNS, f"{place}:{number}")
        for number, line in enumerate(lines, start=1)
    ]
    rows = Persona.objects.for_tenant(tenant)
    here = dict(rows.filter(slug__in=[row["slug"] for row in found]).values_list("slug", "pk"))
    ids: dict[str, str] = {}
    new: list[Mapping[str, Any]] = []
    lacking: dict[str, str] = {}
    for row in found:
        slug = row["slug"]
        if slug in here:
            ids[row["id"]] = str(here[slug])
        elif makes or slug == DEFAULT_SLUG:  # which is made wherever it is needed
            is_default = slug == DEFAULT_SLUG
            ids[row["id"]] = str(default_persona_id(tenant.pk)) if is_default else names.new_id(row["id"])
            new.append({**row, "id": ids[row["id"]]})
        else:
            lacking[row["id"]] = slug
    return ArchivedPersonas(ids, new, lacking)


def make_personas(*, tenant: Tenant, rows: Sequence[Mapping[str, Any]], actor: Actor) -> int:
    """Those that aren't here yet, as much of them as the archive knows; how many. In the tenant's scope."""
    made = 0
    for row in rows:
        fields = {name: row[name] for name in PERSONA_COLUMNS if name not in ("id", "slug")}
        personas = Persona.objects.for_tenant(tenant)
        persona, is_new = personas.get_or_create(slug=row["slug"], defaults={"id": UUID(row["id"]), **fields})
        if is_new:
            change = Change("persona.created", actor, reason="imported")
            revise_persona(
                tenant=tenant, persona=persona, before=None, after=as_revision(persona), change=change
            )
        made += is_new
    return made

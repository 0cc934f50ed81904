"""A whole team brought back: settings where it is made anew, personas that lack, then person after person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID
from zipfile import ZipFile

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext

from memories.audit.log import record_audit
from nebo.errors import InvalidInput
from nebo.postgres.bulk_insert import insert_new
from nebo.product.governance.importing.archive.ids import Names
from nebo.product.governance.importing.archive.mapping import map_row
from nebo.product.governance.importing.archive.reading import check_lines, plain_lines, read_object
from nebo.product.governance.importing.archive.rows import parse_line
from nebo.product.governance.importing.opening import Incoming, list_batches, open_person
from nebo.product.governance.importing.storing import store_batch
from nebo.product.governance.services.erasure import is_in_ledger, was_erased_after
from nebo.product.governance.services.tenant_file import FILE, FORMAT, SHARED_TABLES, VERSION
from nebo.product.governance.services.tenant_settings import change_settings
from nebo.tenants.actor import Actor
from nebo.tenants.ids import default_persona_id
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.policy import SETTINGS
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.selectors import get_shared_person
from nebo.tenants.services import check_external_id, get_or_create_person
from personality.models import Persona
from personality.personas.selectors import DEFAULT_SLUG

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ArchivedPerson:
    """Somebody in the archive of a team."""

    folder: str
    external_id: str
    kind: str


@dataclass(frozen=True, slots=True)
class TenantArchive:
    """What the file of a team says of itself."""

    files: ZipFile
    tenant_id: UUID
    name: str
    made_at: datetime
    settings: Mapping[str, Any]
    people: tuple[ArchivedPerson, ...]
    said: Mapping[str, Any]


@dataclass(slots=True)
class TenantCounts:
    """What came of it."""

    people: int = 0
    erased: int = 0
    rows: Counter[str] = field(default_factory=Counter)


def open_tenant(files: ZipFile) -> TenantArchive:
    """Its manifest, and the files that are nobody's. Raises InvalidInput."""
    about = read_object(files, FILE)
    if about.get("format") != FORMAT or about.get("version") != VERSION:
        raise InvalidInput(gettext("This is no export of a team that can be brought back."), field=FILE)
    try:
        made_at = parse_datetime(about["made_at"])
        people = tuple(
            ArchivedPerson(str(one["folder"]), str(one["external_id"]), str(one["kind"]))
            for one in about["people"]
        )
        found = TenantArchive(
            files,
            UUID(about["tenant"]["id"]),
            str(about["tenant"]["name"]),
            made_at if made_at and made_at.tzinfo else datetime.max,
            dict(about["settings"]),
            people,
            dict(about["files"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInput(gettext("The manifest can't be read."), field=FILE) from error
    if found.made_at == datetime.max or set(found.said) != {f"{name}.jsonl" for name in SHARED_TABLES}:
        raise InvalidInput(gettext("The manifest can't be read."), field=FILE)
    for name, said in found.said.items():
        check_lines(files, name, said)
    return found


def check_tenant(archive: TenantArchive, *, tenant: Tenant) -> int:
    """Look at every line about everybody; how many rows. Nothing is stored. Opens scopes of its own."""
    total = 0
    for one in archive.people:
        person = UserProfile(tenant=tenant, external_id=one.external_id, kind=one.kind)
        opened = open_person(archive.files, _incoming(), tenant=tenant, person=person, folder=one.folder)
        total += sum(map(len, opened.levels.values()))
    with tenant_scope(tenant):
        list(_list_shared_rows(archive, tenant))
    return total


def _incoming() -> Incoming:
    """Who is left out is decided by name (`_is_erased`); personas that lack are made."""
    return Incoming(source="nebo", data=b"", makes=True, after_erasure=True)


def import_tenant(
    archive: TenantArchive, *, tenant: Tenant, actor: Actor, tell: Callable[[int], object]
) -> TenantCounts:
    """All of it, a batch a transaction; `tell` hears of each batch's rows. Run again it goes on. Raises NeboError."""
    counts = TenantCounts()
    with tenant_scope(tenant):
        counts.rows += store_shared_rows(archive, tenant)
    for one in archive.people:
        if _is_erased(archive, tenant, one):
            counts.erased += 1
            continue
        counts.people += 1
        counts.rows += _import_person(archive, tenant, one, actor, tell)
    with tenant_scope(tenant):
        record_audit(
            tenant=tenant,
            actor=actor,
            action="tenant.imported",
            object_type="tenant",
            object_id=tenant.pk,
            detail={"people": counts.people, "left_out": counts.erased, "records": dict(counts.rows)},
        )
    return counts


def apply_settings(archive: TenantArchive, *, tenant: Tenant, actor: Actor) -> None:
    """Those of the team that it was; for one that was just made."""
    known = {name: value for name, value in archive.settings.items() if name in SETTINGS}
    with tenant_scope(tenant):
        change_settings(tenant=tenant, changes=known, actor=actor)


def _is_erased(archive: TenantArchive, tenant: Tenant, one: ArchivedPerson) -> bool:
    """Whether they were erased since, there or here: then they stay so."""
    if is_in_ledger(tenant_id=archive.tenant_id, external_id=one.external_id, moment=archive.made_at):
        return True
    with tenant_scope(tenant):
        return was_erased_after(tenant=tenant, external_id=one.external_id, moment=archive.made_at)


def _import_person(
    archive: TenantArchive, tenant: Tenant, one: ArchivedPerson, actor: Actor, tell: Callable[[int], object]
) -> Counter[str]:
    counts: Counter[str] = Counter()
    aliases: dict[str, str] = {}
    with tenant_scope(tenant):
        person = _find_or_make(tenant, one)
    opened = open_person(archive.files, _incoming(), tenant=tenant, person=person, folder=one.folder)
    for batch in list_batches(opened):
        with tenant_scope(tenant):
            counts += store_batch(tenant=tenant, person=person, batch=batch, actor=actor, aliases=aliases)
        tell(len(batch))
    return counts


def _find_or_make(tenant: Tenant, one: ArchivedPerson) -> UserProfile:
    if one.kind == UserProfile.Kind.SHARED:
        return get_shared_person(tenant=tenant)
    check_external_id(one.external_id)
    return get_or_create_person(tenant=tenant, external_id=one.external_id)


# --- What is nobody's ---------------------------------------------------------------------------------------


def store_shared_rows(archive: TenantArchive, tenant: Tenant) -> Counter[str]:
    """Personas that lack, with their files and revisions; one of a slug that is here stays as it is. In the scope."""
    counts: Counter[str] = Counter()
    new: set[str] = set()
    for name, row in _list_shared_rows(archive, tenant):
        if name == "personas":
            if Persona.objects.for_tenant(tenant).filter(slug=row["slug"]).exists():
                continue
            new.add(row["id"])
        elif row["persona_id"] not in new:
            continue
        model, _ = SHARED_TABLES[name]
        counts[name] += len(insert_new(model, [{**row, "tenant_id": str(tenant.pk)}]))
    return counts


def _list_shared_rows(archive: TenantArchive, tenant: Tenant) -> Iterator[tuple[str, Row]]:
    """By table, with the ids that they have here. Raises InvalidInput."""
    names = _names_of(archive, tenant)
    for name, (model, _) in SHARED_TABLES.items():
        place = f"{name}.jsonl"
        for number, line in enumerate(plain_lines(archive.files, place), start=1):
            row = parse_line(line, model, f"{place}:{number}")
            if row.get("person_id") is not None:
                raise InvalidInput(
                    gettext("This row is about somebody."), field=f"{place}:{number}:person_id"
                )
            yield name, {**map_row(model, row, names, frozenset()), **_loose(row)}


def _names_of(archive: TenantArchive, tenant: Tenant) -> Names:
    """Personas by what they are here: those of the same slug, and the default one, which has the same id always."""
    place = "personas.jsonl"
    rows = [
        parse_line(line, Persona, f"{place}:{number}")
        for number, line in enumerate(plain_lines(archive.files, place), start=1)
    ]
    here = dict(Persona.objects.for_tenant(tenant).values_list("slug", "pk"))
    here.setdefault(DEFAULT_SLUG, default_persona_id(tenant.pk))
    named = {row["id"]: str(here[row["slug"]]) for row in rows if row["slug"] in here}
    return Names(archive.tenant_id, tenant.pk, named)


def _loose(row: Row) -> Row:
    """What led to a person's row leads nowhere."""
    return {"candidate_id": None} if "candidate_id" in row else {}

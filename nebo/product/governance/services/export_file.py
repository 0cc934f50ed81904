"""The file of an export. Memory stays small however much there is: rows come from a cursor on the server, and the
archive leaves in parts.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, cast
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZipFile

from django.db.models import Model, QuerySet, Sum
from django.db.models.functions import Length
from django.utils import timezone

from memories.audit.log import record_audit
from nebo.jobs.claims import Claim
from nebo.postgres.prepared import prepared_cursor
from nebo.product.governance.belongings import PersonalModel, personal_models, plural_of
from nebo.product.governance.models import Export, ExportPart
from nebo.product.governance.services import manifest
from nebo.product.governance.services.manifest import FileDigest
from nebo.product.governance.services.readable_page import Page, write_page
from nebo.tenants.actor import Actor
from nebo.tenants.ids import uuid7
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from personality.models import Persona

PART_BYTES = 1 << 18
ADD_PART = """
INSERT INTO governance_exportpart (id, tenant_id, export_id, number, data) VALUES ($1, $2, $3, $4, $5)
"""
ROWS_AT_ONCE = 500  # from the cursor
PROFILE = "profile.json"
PERSONAS = "personas.jsonl"  # what rows mean by a persona's id; the rest of a persona is the team's
PERSONA_COLUMNS = ("id", "slug", "name", "memory_scope")
KEPT_EXPORTS = 3  # of a person; an older one goes when another is ready
LEFT_OUT = frozenset(
    {
        *("chunk", "posting", "corpus", "embedding", "pendingembedding"),  # made from what is in the file
        "idempotencyrecord",  # answers, kept for hours
        *("export", "exportpart", "import", "importpart", "importbatch"),
    }
)
HIDDEN_COLUMNS = frozenset({"tenant_id", "digest", "lease_token", "lease_until", "wake_id", "worker"})
README = """Everything Nebo knows about you, as it stood when this file was made.

index.html       the most telling of it, to be read in a browser
profile.json     who you are to the agents
*.jsonl          a line a row, each a JSON object, the oldest first
manifest.json    when the file was made, how many rows of what are in it, and their checksums

Rows name each other by id: an observation names its memory (memory_id) and the message it was read from
(message_id); a message names its session (session_id). Times are ISO 8601 with their offset.

The most telling files: memories, observations (why each is known, with the quote), versions (how each changed),
messages, sessions, session_summaries, spines (the long-term summary), todos, audit_entries (who did what).

The file can be brought back: “Your data”, “Bring data along”, or POST users/{user}/import/?source=nebo.
"""


class BrokenExport(RuntimeError):
    """The parts that were stored are not those that were written: another attempt wrote beside this one."""


class PartSink(io.RawIOBase):
    """A file that can only be written to: what has become a part's size is a row, once `store` is called."""

    def __init__(self, export: Export) -> None:
        self.export = export
        self.digest = hashlib.sha256()
        self.size = self.parts = 0
        self.buffer = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.buffer += data
        return len(data)

    def store(self, *, everything: bool = False) -> None:
        """Whole parts into the database, or all that is left. In the tenant's scope."""
        while len(self.buffer) >= PART_BYTES or (everything and self.buffer):
            self._store(bytes(self.buffer[:PART_BYTES]))
            del self.buffer[:PART_BYTES]

    def _store(self, data: bytes) -> None:
        """SQL: the ORM would write the bytes into the statement, twice as long, and keep statements for a while."""
        ExportPart.objects.for_tenant(self.export.tenant_id)  # raises unless the scope is this tenant's
        with prepared_cursor() as cursor:
            cursor.execute(ADD_PART, [uuid7(), self.export.tenant_id, self.export.pk, self.parts, data])
        self.digest.update(data)
        self.size += len(data)
        self.parts += 1


def make_export(*, claim: Claim) -> None:
    """Write the file, a transaction a table; a second attempt begins anew."""
    export = _begin(claim)
    if export is None:
        with claim.publish() as result:
            result["bytes"] = 0
        return
    sink = PartSink(export)
    records = _write_file(sink, export)
    with claim.publish() as result:
        claim.hold_words()
        sink.store(everything=True)
        _complete(export, sink, records, claim)
        result.update(export_id=str(export.pk), bytes=export.size, sha256=export.sha256, records=records)


def _begin(claim: Claim) -> Export | None:
    """The export without what an earlier attempt left; None for one that is ready or gone."""
    with tenant_scope(claim.tenant_id):
        rows = Export.objects.for_tenant(claim.tenant_id).select_related("person")
        export = rows.filter(pk=claim.payload["export_id"], ready_at=None).first()
        if export is not None:
            ExportPart.objects.for_tenant(claim.tenant_id).filter(export=export).delete()
        return export


def _write_file(sink: PartSink, export: Export) -> dict[str, int]:
    """The archive, file by file; how many rows of what."""
    with ZipFile(cast(Any, sink), "w", ZIP_DEFLATED) as archive:
        return write_archive(archive, export.person, store=sink.store)


def write_archive(
    archive: ZipFile, of: UserProfile, *, store: Callable[[], None], folder: str = ""
) -> dict[str, int]:
    """All about a person, below a folder if one is named; how many rows of what. Opens scopes of its own."""
    made_at = timezone.now()
    archive.writestr(f"{folder}{manifest.README}", README)
    files = write_person(archive, store, of, folder)
    page = write_page(archive, Page(of, made_at, files), store=store, folder=folder)
    records = {name.removesuffix(".jsonl"): one.rows for name, one in files.items() if name != PROFILE}
    person = {"id": str(of.pk), "external_id": of.external_id}
    made = manifest.make_manifest(
        made_at=made_at.isoformat(), person=person, files=files, page=page, records=records
    )
    archive.writestr(f"{folder}{manifest.FILE}", as_json(made, indent=2))
    return records


def write_person(
    archive: ZipFile, store: Callable[[], None], person: UserProfile, folder: str = ""
) -> dict[str, FileDigest]:
    """All files about a person, a transaction each; `store` is called every so many rows, in the tenant's scope."""
    files: dict[str, FileDigest] = {PROFILE: FileDigest()}
    profile = as_json(_row_of(person), indent=2)
    files[PROFILE].add(profile.encode())
    archive.writestr(f"{folder}{PROFILE}", profile)
    for model, lookup in exported_models():
        with tenant_scope(person.tenant_id):
            rows = _list_rows(person.tenant_id, model, {lookup: person.pk})
            name = f"{plural_of(model)}.jsonl"
            files[name] = write_lines(archive, store, f"{folder}{name}", rows)
    with tenant_scope(person.tenant_id):
        personas = Persona.objects.for_tenant(person.tenant_id).order_by("pk").values(*PERSONA_COLUMNS)
        files[PERSONAS] = write_lines(archive, store, f"{folder}{PERSONAS}", personas)
    return files


def exported_models() -> list[tuple[PersonalModel, str]]:
    """What has a file of its own, by its name, and how its rows are tied to the person."""
    found = personal_models().items()
    chosen = [(model, lookup) for model, lookup in found if model._meta.model_name not in LEFT_OUT]
    return sorted(chosen, key=lambda pair: plural_of(pair[0]))


def _list_rows(tenant_id: UUID, model: PersonalModel, owner: Mapping[str, Any]) -> QuerySet[Any, Any]:
    rows = model.objects.for_tenant(tenant_id).filter(**owner).order_by(*_order_of(model))
    found: QuerySet[Any, Any] = rows.values(*columns_of(model))
    return found


def write_lines(
    archive: ZipFile, store: Callable[[], None], name: str, rows: QuerySet[Any, Any]
) -> FileDigest:
    """One file, a line a row; how many. In the tenant's scope."""
    digest = FileDigest()
    with archive.open(name, "w") as file:
        for row in rows.iterator(ROWS_AT_ONCE):
            line = f"{as_json(row)}\n".encode()
            file.write(line)
            digest.add(line)
            if digest.rows % ROWS_AT_ONCE == 0:
                store()
    return digest


def _order_of(model: type[Model]) -> tuple[str, ...]:
    """Ids follow the clock, but for rows of the same moment: messages have numbers."""
    names = {field.attname for field in model._meta.local_fields}
    return ("session_id", "seq") if {"session_id", "seq"} <= names else ("pk",)


def columns_of(model: type[Model]) -> list[str]:
    """What a row shows: everything but the tenant and what belongs to the machinery."""
    return [field.attname for field in model._meta.local_fields if field.attname not in HIDDEN_COLUMNS]


def _row_of(row: Model) -> dict[str, Any]:
    return {name: getattr(row, name) for name in columns_of(type(row))}


def as_json(value: Any, *, indent: int | None = None) -> str:
    """Times in ISO 8601, ids as text."""
    return json.dumps(value, default=_as_text, ensure_ascii=False, indent=indent)


def _as_text(value: Any) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _complete(export: Export, sink: PartSink, records: dict[str, int], claim: Claim) -> None:
    """Ready, if the parts are those of this attempt alone; the person's oldest export goes."""
    parts = ExportPart.objects.for_tenant(export.tenant_id).filter(export=export)
    if parts.aggregate(size=Sum(Length("data")))["size"] != sink.size:
        raise BrokenExport
    export.ready_at = timezone.now()
    export.size, export.sha256, export.records = sink.size, sink.digest.hexdigest(), records
    export.save(update_fields=["ready_at", "size", "sha256", "records"])
    ready = Export.objects.for_tenant(export.tenant_id).filter(person=export.person, ready_at__isnull=False)
    older = list(ready.order_by("-ready_at").values_list("pk", flat=True)[KEPT_EXPORTS:])
    ready.filter(pk__in=older).delete()
    record_audit(
        tenant=export.tenant_id,
        actor=Actor("job", str(claim.job_id)),
        action="person.exported",
        object_type="export",
        object_id=export.pk,
        person_id=export.person_id,
        detail={"records": records},
    )

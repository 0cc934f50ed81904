"""An archive from its first byte to its last, before anything of it comes in; then its rows, as they are to be stored.

Each file is as the manifest says, each line a row of its table, each row about this one person. Memory stays small:
lines are read twice, and what is kept of them is their ids.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import IO, Any
from uuid import UUID
from zipfile import ZipFile

from django.utils.dateparse import parse_datetime

from memories.models import Memory
from nebo.api.parsers import parse_json
from nebo.errors import InvalidInput
from nebo.product.governance.belongings import PersonalModel
from nebo.product.governance.importing.archive.ids import Names
from nebo.product.governance.importing.archive.mapping import map_row
from nebo.product.governance.importing.archive.personas import ArchivedPersonas, read_personas
from nebo.product.governance.importing.archive.rows import parse_line
from nebo.product.governance.importing.archive.tables import STAYS_BEHIND, own_keys_of, restored_models
from nebo.product.governance.services import manifest as manifests
from nebo.product.governance.services.export_file import PERSONAS, PROFILE
from nebo.product.governance.services.manifest import FileDigest
from nebo.tenants.models import Tenant, UserProfile

MAX_BYTES = 1 << 28  # of all files together, unpacked
MAX_LINE_BYTES = 1 << 23
ROWS_AT_ONCE = 200
BATCH_CHARS = 1 << 19  # of a batch, about
MOST_LEVELS = 100  # rows of one table that lead to one another
KEPT = (manifests.FILE, manifests.README, manifests.PAGE)  # no rows to bring back
PERSONAS_TABLE = "personas"


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of one table as they are to be stored; `ours` says that nobody has changed them since they were exported."""

    table: str
    rows: tuple[Mapping[str, Any], ...]
    ours: bool

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(slots=True)
class Archive:
    """An archive that was found to be whole. `levels` has, by table, for each line when its row can come in."""

    files: ZipFile
    folder: str
    manifest: Mapping[str, Any]
    person: UserProfile
    personas: ArchivedPersonas
    names: Names
    profile: Mapping[str, Any]
    known: set[str] = field(default_factory=set)
    levels: dict[str, list[int]] = field(default_factory=dict)
    left_bytes: int = MAX_BYTES

    @property
    def ours(self) -> bool:
        """Whether this installation made it, and nobody changed it."""
        return manifests.is_ours(self.manifest)

    def name_of(self, table: str) -> str:
        """Where a table's rows stand."""
        return f"{self.folder}{table}.jsonl"

    def rows(self) -> Iterator[Rows]:
        """What is to be stored, in this order."""
        for table, model in restored_models().items():
            for level in range(max(self.levels.get(table, ()), default=-1) + 1):
                yield from self._cut(table, model, level)

    def _cut(self, table: str, model: PersonalModel, level: int) -> Iterator[Rows]:
        waiting: list[Mapping[str, Any]] = []
        chars = 0
        for number, line in self.lines_of(self.name_of(table)):
            if self.levels[table][number - 1] != level:
                continue
            row = parse_line(line, model, f"{self.name_of(table)}:{number}")
            waiting.append(map_row(model, row, self.names, self.known))
            chars += len(line)
            if len(waiting) == ROWS_AT_ONCE or chars > BATCH_CHARS:
                yield Rows(table, tuple(waiting), self.ours)
                waiting, chars = [], 0
        if waiting:
            yield Rows(table, tuple(waiting), self.ours)

    def lines_of(self, name: str) -> Iterator[tuple[int, bytes]]:
        """With their numbers from 1. Raises InvalidInput for one that has no end."""
        if name not in self.files.namelist():
            return
        with self.files.open(name) as file:
            yield from enumerate(_lines(file, name), start=1)


def open_archive(
    files: ZipFile, *, tenant: Tenant, person: UserProfile, makes: bool, folder: str = ""
) -> Archive:
    """Look at every line; with `makes`, personas that lack may be made. In the tenant's scope. Raises InvalidInput with
    file, line and column.
    """
    manifest = read_manifest(files, folder)
    source_id = manifest["person"]["id"]
    profile = read_object(files, f"{folder}{PROFILE}")
    names = Names(UUID(source_id), person.pk, {source_id: str(person.pk)})
    place = f"{folder}{PERSONAS}"
    personas = read_personas(
        list(plain_lines(files, place)), tenant=tenant, names=names, makes=makes, place=place
    )
    names = replace(names, named={**names.named, **personas.ids})
    archive = Archive(files, folder, manifest, person, personas, names, profile)
    for name, said in manifest["files"].items():
        _check_file(archive, name, said)
    return archive


# --- The manifest -------------------------------------------------------------------------------------------


def read_manifest(files: ZipFile, folder: str = "") -> Mapping[str, Any]:
    """What the archive says of itself. Raises InvalidInput."""
    where = f"{folder}{manifests.FILE}"
    manifest = read_object(files, where)
    if manifest.get("format") != manifests.FORMAT:
        raise InvalidInput("This is no export of a person that can be brought back.", field=where)
    if manifest.get("version") != manifests.VERSION:
        raise InvalidInput("It was made by another version of Nebo.", field=f"{where}:version")
    _check_shape(manifest, where)
    inside = {name.removeprefix(folder) for name in files.namelist() if name.startswith(folder)}
    lacking = sorted(inside.symmetric_difference({*manifest["files"], manifests.FILE}) - {*KEPT})
    if lacking:
        raise InvalidInput("This file isn't as the manifest says.", field=f"{folder}{lacking[0]}")
    return manifest


def _check_shape(manifest: Mapping[str, Any], where: str) -> None:
    person, said = manifest.get("person"), manifest.get("files")
    moment = manifest.get("made_at")
    try:
        UUID(person["id"])  # type: ignore[index]  # any mistake of this kind is the file's
        is_good = isinstance(person["external_id"], str) and str(UUID(person["id"])) == person["id"]  # type: ignore[index]
        is_good = is_good and parse_datetime(moment).tzinfo is not None  # type: ignore[arg-type,union-attr]
        is_good = is_good and all({"rows", "sha256"} == set(one) for one in said.values())  # type: ignore[union-attr]
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        raise InvalidInput("The manifest can't be read.", field=where) from error
    unknown = sorted(set(said or ()) - _names_of_files())
    if not is_good or unknown:
        raise InvalidInput("There is no such table.", field=f"{where}:{unknown[0] if unknown else 'files'}")


def _names_of_files() -> set[str]:
    return {PROFILE, PERSONAS, *(f"{name}.jsonl" for name in (*restored_models(), *STAYS_BEHIND))}


def read_object(files: ZipFile, name: str) -> dict[str, Any]:
    """The object that a file holds. Raises InvalidInput."""
    try:
        with files.open(name) as file:
            value = parse_json(file.read(MAX_LINE_BYTES))
    except KeyError as error:
        raise InvalidInput("The archive lacks this file.", field=name) from error
    except InvalidInput as error:
        raise InvalidInput(error.detail, field=name) from error
    if not isinstance(value, dict):
        raise InvalidInput("Expected an object here.", field=name)
    return value


# --- Lines --------------------------------------------------------------------------------------------------


def plain_lines(files: ZipFile, name: str) -> Iterator[bytes]:
    """Of a file that may be missing. Raises InvalidInput for a line that has no end."""
    if name in files.namelist():
        with files.open(name) as file:
            yield from _lines(file, name)


def _lines(file: IO[bytes], name: str) -> Iterator[bytes]:
    number = 0
    while line := file.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(line) > MAX_LINE_BYTES:
            raise InvalidInput("This line is too long.", field=f"{name}:{number}")
        yield line


def check_lines(files: ZipFile, name: str, said: Mapping[str, Any]) -> None:
    """That a file is as its manifest says. Raises InvalidInput."""
    digest = FileDigest()
    for line in plain_lines(files, name):
        digest.add(line)
    if digest.as_json() != said:
        raise InvalidInput("This file isn't as the manifest says.", field=name)


def _check_file(archive: Archive, name: str, said: Mapping[str, Any]) -> None:
    """All of its lines, and that they are those that the manifest counted."""
    table = name.removesuffix(".jsonl")
    model = restored_models().get(table)
    digest, leads = FileDigest(), dict[str, tuple[int, str | None]]()
    place = f"{archive.folder}{name}"
    for number, line in _checked_lines(archive, place):
        digest.add(line)
        if model is not None:
            row_id, target = _check_row(archive, model, line, f"{place}:{number}")
            leads[row_id] = (number, target)
    if name == PROFILE:
        digest.rows = 1
    if digest.as_json() != said:
        raise InvalidInput("This file isn't as the manifest says.", field=place)
    if model is not None:
        archive.levels[table] = _levels_of(leads)


def _checked_lines(archive: Archive, place: str) -> Iterator[tuple[int, bytes]]:
    for number, line in archive.lines_of(place):
        archive.left_bytes -= len(line)
        if archive.left_bytes < 0:
            raise InvalidInput(f"At most {MAX_BYTES >> 20} MB, unpacked.", field=place)
        yield number, line


def _check_row(archive: Archive, model: PersonalModel, line: bytes, where: str) -> tuple[str, str | None]:
    """Its id, and that of the row of its table that it leads to."""
    row = parse_line(line, model, where)
    row_id = str(row["id"])
    if row_id in archive.known:
        raise InvalidInput("Two rows have this id.", field=f"{where}:id")
    if "person_id" in row and row["person_id"] != str(archive.names.source_id):
        raise InvalidInput("This row is about somebody else.", field=f"{where}:person_id")
    if model is Memory and row["scope"] == "global" and archive.person.kind != UserProfile.Kind.SHARED:
        raise InvalidInput("What everybody is told can't be a person's.", field=f"{where}:scope")
    archive.personas.check(model, row, where)
    archive.known.add(row_id)
    return row_id, next((row[key.attname] for key in own_keys_of(model)), None)


def _levels_of(leads: Mapping[str, tuple[int, str | None]]) -> list[int]:
    """By line: 0 for a row that leads to none of its table, else one more than the row that it leads to."""
    levels: dict[str, int] = {}
    for row_id in leads:
        path: list[str] = []
        step: str | None = row_id
        while step is not None and step in leads and step not in levels and step not in path:
            path.append(step)
            step = leads[step][1]
        base = levels.get(step, -1) if step is not None else -1
        for place, one in enumerate(reversed(path), start=1):
            levels[one] = min(base + place, MOST_LEVELS)
    return [levels[row_id] for row_id in leads]

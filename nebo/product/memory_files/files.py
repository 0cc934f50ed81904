"""A person's files: which there are, and every change of them, each with a version of its own and a line in the log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from memories.audit.log import record_audit
from nebo.errors import Conflict, NotFound
from nebo.postgres.locks import lock
from nebo.product.memory_files.holding import list_held, list_passages
from nebo.product.memory_files.limits import MOST_DELETED, MOST_FILES, MOST_VERSIONS
from nebo.product.memory_files.models import MemoryFile, MemoryFileVersion
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant

Action = MemoryFileVersion.Action
TAKEN = _("There is another file at its path: rename or delete that one first.")


@dataclass(frozen=True, slots=True)
class Folder:
    """`/memories` of a person, as one persona's agents or all others see it; and who acts there."""

    tenant: Tenant | UUID
    person_id: UUID
    persona_id: UUID | None
    actor: Actor


def folder_of(file: MemoryFile, *, tenant: Tenant | UUID, actor: Actor) -> Folder:
    """The folder in which a file is."""
    return Folder(tenant, file.person_id, file.persona_id, actor)


def lock_folder(folder: Folder) -> None:
    """Let nobody else change this person's files until the transaction ends."""
    lock(f"nebo.memory_files:{folder.person_id}")


def list_files(*, tenant: Tenant | UUID, person_id: UUID) -> QuerySet[MemoryFile]:
    """All of a person, also those in the trash."""
    return MemoryFile.objects.for_tenant(tenant).filter(person_id=person_id).select_related("persona")


def list_in(folder: Folder) -> QuerySet[MemoryFile]:
    """Those that are there for an agent."""
    rows = list_files(tenant=folder.tenant, person_id=folder.person_id).filter(deleted_at=None)
    return rows.filter(Q(persona_id=folder.persona_id))


def find_file(folder: Folder, path: str) -> MemoryFile | None:
    """The file at a path."""
    return list_in(folder).filter(path=path).first()


def list_below(folder: Folder, path: str) -> QuerySet[MemoryFile]:
    """The files in a folder, `""` for all."""
    return list_in(folder).filter(path__startswith=f"{path}/") if path else list_in(folder)


def get_file(*, tenant: Tenant | UUID, person_id: UUID, file_id: UUID) -> MemoryFile:
    """One of a person's; raises NotFound."""
    found = list_files(tenant=tenant, person_id=person_id).filter(pk=file_id).first()
    if found is None:
        raise NotFound
    return found


def list_versions(file: MemoryFile) -> QuerySet[MemoryFileVersion]:
    """What it was, newest first."""
    rows = MemoryFileVersion.objects.for_tenant(file.tenant_id).filter(file=file)
    return rows.order_by("-number")


def has_room(folder: Folder) -> bool:
    """Whether there may be one more file."""
    return list_in(folder).count() < MOST_FILES


def create_file(folder: Folder, *, path: str, text: str) -> MemoryFile:
    """A new one at a free path."""
    file: MemoryFile = MemoryFile.objects.for_tenant(folder.tenant).create(
        person_id=folder.person_id,
        persona_id=folder.persona_id,
        path=path,
        text=text,
        held=list_held(text, known=(), held=(), allowed=()),
        updated_at=timezone.now(),
    )
    _note(folder, file, Action.CREATED)
    return file


def write_text(folder: Folder, file: MemoryFile, text: str) -> None:
    """Another text, in which what stood there before keeps how it was judged."""
    known = set(list_passages(file.text))
    held = list_held(text, known=known, held=file.held, allowed=file.allowed)
    _change(folder, file, Action.EDITED, text=text, held=held)


def move_files(folder: Folder, files: Sequence[MemoryFile], *, old: str, new: str) -> None:
    """Put those at or below one path at another."""
    for file in files:
        _change(folder, file, Action.RENAMED, path=new + file.path[len(old) :])


def delete_files(folder: Folder, files: Sequence[MemoryFile]) -> None:
    """Move them to the trash, where no agent reaches them and the person can bring them back."""
    now = timezone.now()
    for file in files:
        _change(folder, file, Action.DELETED, deleted_at=now)
    trash = list_files(tenant=folder.tenant, person_id=folder.person_id).exclude(deleted_at=None)
    oldest = trash.order_by("-deleted_at", "-id").values_list("pk", flat=True)[MOST_DELETED:]
    MemoryFile.objects.for_tenant(folder.tenant).filter(pk__in=list(oldest)).delete()


def restore_file(folder: Folder, file: MemoryFile) -> None:
    """Bring one back from the trash. Raises Conflict."""
    if find_file(folder, file.path) is not None or not has_room(folder):
        raise Conflict(gettext(TAKEN))
    _change(folder, file, Action.RESTORED, deleted_at=None)


def purge_file(folder: Folder, file: MemoryFile) -> None:
    """Remove it for good, with all that it ever said."""
    _audit(folder, file, "purged")
    MemoryFile.objects.for_tenant(folder.tenant).filter(pk=file.pk).delete()


def allow_passages(folder: Folder, file: MemoryFile, *, number: int) -> None:
    """Let agents read what was held back of the version that the person saw. Raises Conflict."""
    if file.number != number:
        raise Conflict(gettext("The file has changed since: look again."))
    _change(folder, file, Action.ALLOWED, allowed=[*file.allowed, *file.held], held=[])


def _change(folder: Folder, file: MemoryFile, action: Action, **fields: Any) -> None:
    file.number += 1
    file.updated_at = timezone.now()
    for name, value in fields.items():
        setattr(file, name, value)
    file.save(update_fields=[*fields, "number", "updated_at"])
    versions = MemoryFileVersion.objects.for_tenant(folder.tenant).filter(file=file)
    versions.filter(number__lte=file.number - MOST_VERSIONS).delete()
    _note(folder, file, action)


def _note(folder: Folder, file: MemoryFile, action: Action) -> None:
    MemoryFileVersion.objects.for_tenant(folder.tenant).create(
        file=file,
        number=file.number,
        action=action,
        path=file.path,
        text=file.text,
        actor=str(folder.actor)[:120],
        created_at=file.updated_at,
    )
    _audit(folder, file, action.value)


def _audit(folder: Folder, file: MemoryFile, action: str) -> None:
    record_audit(
        tenant=folder.tenant,
        actor=folder.actor,
        action=f"file.{action}",
        object_type="memory_file",
        object_id=file.pk,
        person_id=folder.person_id,
        detail={"version": file.number},
    )

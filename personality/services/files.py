"""Writing a persona's files. What the columns say stays first; a file adds its own section to the prompt.

| `file_sync` | read | write | in prompts |
|---|---|---|---|
| `export_only` (default) | yes | 409 | what was written before |
| `import_export` | yes | yes | yes |
| `disabled` | 409 | 409 | no |
"""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from memories.sanitize import clean_text
from memories.services import record_audit
from nebo.errors import Conflict, InvalidInput, NotFound
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from personality.files import FILE_MAX_CHARS, FILE_NAMES, FileText
from personality.models import Persona, PersonaFile, PersonaRevision
from personality.selectors import get_file
from personality.services.personas import as_revision, lock_persona

NOT_IMPORTED = (
    "The files of this persona are only exported; set its file_sync to import_export to write them."
)


def write_files(
    *, tenant: Tenant | UUID, persona: Persona, contents: Mapping[str, str], actor: Actor, reason: str = ""
) -> list[str]:
    """Write files by name, all or none, with one revision; returns the names of those that changed.

    An empty content takes the file away. Raises NotFound for another name, Conflict unless the persona imports,
    InvalidInput for a file over `FILE_MAX_CHARS`.
    """
    held = lock_persona(tenant=tenant, persona=persona)
    wanted = {name: _checked(name, content) for name, content in contents.items()}
    before = {name: get_file(tenant=tenant, persona=held, name=name) for name in wanted}
    if held.file_sync != Persona.FileSync.IMPORT_EXPORT:
        raise Conflict(NOT_IMPORTED, field="file_sync")
    changed = {name: text for name, text in wanted.items() if text != before[name].content}
    if changed:
        _write(tenant, held, changed)
        _revise(tenant, held, before, changed, actor, reason)
    return list(changed)


def _checked(name: str, content: str) -> str:
    if name not in FILE_NAMES:
        raise NotFound
    text = clean_text(content)
    if len(text) > FILE_MAX_CHARS:
        raise InvalidInput(f"{name} has {len(text)} characters; at most {FILE_MAX_CHARS}.", field="content")
    return text


def _write(tenant: Tenant | UUID, persona: Persona, contents: Mapping[str, str]) -> None:
    rows = PersonaFile.objects.for_tenant(tenant)
    for name, content in contents.items():
        if content:
            rows.update_or_create(persona=persona, name=name, defaults={"content": content})
        else:
            rows.filter(persona=persona, name=name).delete()
    persona.version += 1
    persona.save()


def _revise(
    tenant: Tenant | UUID,
    persona: Persona,
    before: Mapping[str, FileText],
    changed: Mapping[str, str],
    actor: Actor,
    reason: str,
) -> None:
    """A revision of the files alone, so that each content that ever stood can be brought back."""
    held = as_revision(persona)
    PersonaRevision.objects.for_tenant(tenant).create(
        persona=persona,
        number=persona.version,
        before={**held, "files": {name: before[name].content for name in changed}},
        after={**held, "files": dict(changed)},
        actor=str(actor)[:120],
        reason=reason[:300],
    )
    record_audit(
        tenant=tenant,
        actor=actor,
        action="persona.files_written",
        object_type="persona",
        object_id=persona.pk,
        detail={"version": persona.version, "files": list(changed)},
    )

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

from memories.screening.sanitize import clean_text
from nebo.errors import Conflict, InvalidInput, NotFound
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from personality.models import Persona, PersonaCandidate, PersonaFile
from personality.personas.editing import as_revision, lock_persona, refuse_secrets
from personality.personas.files import FILE_MAX_CHARS, FILE_NAMES, FileText
from personality.personas.revisions import Change, revise_persona
from personality.personas.selectors import get_file

FILE_IMPORT = "file_import"  # the reason of what a file says
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
        replace_files(tenant=tenant, persona=held, contents=changed)
        held.version += 1
        held.save()
        _revise(tenant, held, before, changed, actor, reason)
    return list(changed)


def _checked(name: str, content: str) -> str:
    if name not in FILE_NAMES:
        raise NotFound
    text = clean_text(content)
    if len(text) > FILE_MAX_CHARS:
        raise InvalidInput(f"{name} has {len(text)} characters; at most {FILE_MAX_CHARS}.", field="content")
    refuse_secrets("content", text)
    return text


def replace_files(*, tenant: Tenant | UUID, persona: Persona, contents: Mapping[str, str]) -> None:
    """Write contents by name, without a revision: the caller's has them. An empty one takes the file away."""
    rows = PersonaFile.objects.for_tenant(tenant)
    for name, content in contents.items():
        if content:
            rows.update_or_create(persona=persona, name=name, defaults={"content": content})
        else:
            rows.filter(persona=persona, name=name).delete()


def _revise(
    tenant: Tenant | UUID,
    persona: Persona,
    before: Mapping[str, FileText],
    changed: Mapping[str, str],
    actor: Actor,
    reason: str,
) -> None:
    """A candidate a file, and one revision of the files, so that each content that ever stood can be brought back."""
    held = as_revision(persona)
    candidates = [_accepted(tenant, persona, name, text, actor) for name, text in changed.items()]
    revise_persona(
        tenant=tenant,
        persona=persona,
        before={**held, "files": {name: before[name].content for name in changed}},
        after={**held, "files": dict(changed)},
        change=Change("persona.files_written", actor, reason, candidates[0]),
    )


def _accepted(
    tenant: Tenant | UUID, persona: Persona, name: str, content: str, actor: Actor
) -> PersonaCandidate:
    candidate: PersonaCandidate = PersonaCandidate.objects.for_tenant(tenant).create(
        persona=persona,
        field=name,
        value=content,
        confidence=1.0,
        decision=PersonaCandidate.Decision.ACCEPTED,
        reason=FILE_IMPORT,
        source=PersonaCandidate.Source.FILE,
        decided_by=str(actor)[:120],
    )
    return candidate

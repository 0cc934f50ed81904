"""Bringing back what a persona was: a new revision with the old content. History is never rewritten."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from nebo.errors import NotFound
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from personality.models import Persona, PersonaFile, PersonaRevision
from personality.personas.editing import EDITABLE, as_revision, lock_persona
from personality.personas.file_writing import replace_files
from personality.personas.revisions import Change, revise_persona
from personality.personas.selectors import list_revisions


def roll_back_persona(*, tenant: Tenant | UUID, persona: Persona, to: int, actor: Actor) -> Persona:
    """Columns and files as they stood after revision `to`; again it changes nothing. Raises NotFound.

    Whether it is archived stays as it is.
    """
    held = lock_persona(tenant=tenant, persona=persona)
    revisions = list(list_revisions(tenant=tenant, persona=held).order_by("number"))
    target = next((revision for revision in revisions if revision.number == to), None)
    if target is None:
        raise NotFound("There is no such revision.", field="to")
    files = _files_at(revisions, to)
    shown = dict(PersonaFile.objects.for_tenant(tenant).filter(persona=held).values_list("name", "content"))
    changed = {name: text for name, text in files.items() if text != shown.get(name, "")}
    before = as_revision(held)
    for name in EDITABLE:
        setattr(held, name, target.after.get(name, getattr(held, name)))
    after = as_revision(held)
    if after == before and not changed:
        return held
    replace_files(tenant=tenant, persona=held, contents=changed)
    _write(tenant, held, _with_files(before, shown, changed), _with_files(after, files, changed), to, actor)
    return held


def _write(
    tenant: Tenant | UUID,
    persona: Persona,
    before: dict[str, Any],
    after: dict[str, Any],
    to: int,
    actor: Actor,
) -> None:
    persona.version += 1
    persona.save()
    change = Change("persona.rolled_back", actor, reason=f"rolled back to {to}")
    revise_persona(tenant=tenant, persona=persona, before=before, after=after, change=change)


def _files_at(revisions: list[PersonaRevision], number: int) -> dict[str, str]:
    """What each file that was ever written held then: the last word up to it, else what stood before the first."""
    contents: dict[str, str] = {}
    for revision in revisions:
        for name, text in revision.after.get("files", {}).items():
            if revision.number <= number:
                contents[name] = text
            else:
                contents.setdefault(name, "")
    return contents


def _with_files(state: dict[str, Any], files: dict[str, str], changed: dict[str, str]) -> dict[str, Any]:
    return {**state, "files": {name: files.get(name, "") for name in changed}} if changed else state

"""`persona_files export|import --tenant SLUG --persona SLUG DIR`: a persona's Markdown files, to and from a folder."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from nebo.errors import NeboError
from nebo.tenants.actor import Actor
from nebo.tenants.commands import tenant_named
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_scope
from personality.models import Persona
from personality.personas.editing import ensure_default_persona
from personality.personas.file_writing import write_files
from personality.personas.files import FILE_MAX_CHARS, FILE_NAMES
from personality.personas.selectors import DEFAULT_SLUG, get_file, get_persona

ACTOR = Actor(kind="operator", id="persona_files")
FILE_MAX_BYTES = 4 * FILE_MAX_CHARS  # bytes; no character of UTF-8 takes more than four


class Command(BaseCommand):
    """Export writes what there is; import takes what stands in the folder, all or none."""

    help = (
        f"Export or import {', '.join(FILE_NAMES)} of a persona. file_sync must be import_export to import."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=("export", "import"))
        parser.add_argument("directory", metavar="DIR", type=Path)
        parser.add_argument("--tenant", required=True, metavar="SLUG", help="whose persona")
        parser.add_argument(
            "--persona", default=DEFAULT_SLUG, metavar="SLUG", help="which (default: default)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        tenant = tenant_named(options["tenant"])
        act = export_files if options["action"] == "export" else import_files
        try:
            self.stdout.write(act(tenant, options["persona"], options["directory"]))
        except NeboError as error:
            raise CommandError(error.detail) from error
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{options['directory']}: {error}") from error


def export_files(tenant: Tenant, slug: str, directory: Path) -> str:
    """Write every file that says something; raises NeboError and OSError."""
    with tenant_scope(tenant):
        persona = find_named(tenant, slug)
        files = [get_file(tenant=tenant, persona=persona, name=name) for name in FILE_NAMES]
    directory.mkdir(parents=True, exist_ok=True)
    written = [file for file in files if file.content]
    for file in written:
        (directory / file.name).write_text(file.content + "\n", encoding="utf-8")
    return f"Exported {', '.join(file.name for file in written) or 'nothing'} to {directory}."


def import_files(tenant: Tenant, slug: str, directory: Path) -> str:
    """Store what the folder holds under the four names; raises NeboError and OSError."""
    paths = [directory / name for name in FILE_NAMES if (directory / name).is_file()]
    if not paths:
        raise CommandError(f"{directory} holds none of {', '.join(FILE_NAMES)}.")
    contents = {path.name: read_file(path) for path in paths}
    with tenant_scope(tenant):
        persona = find_named(tenant, slug)
        changed = write_files(
            tenant=tenant,
            persona=persona,
            contents=contents,
            actor=ACTOR,
            reason=f"imported from {directory.name}",
        )
    same = [name for name in contents if name not in changed]
    line = f"Imported {', '.join(changed) or 'nothing'}"
    return f"{line}; unchanged: {', '.join(same)}." if same else f"{line}."


def find_named(tenant: Tenant, slug: str) -> Persona:
    """The persona; the default one is made when it is first asked for. Raises NotFound."""
    if slug == DEFAULT_SLUG:
        return ensure_default_persona(tenant=tenant)
    return get_persona(tenant=tenant, slug=slug)


def read_file(path: Path) -> str:
    """UTF-8 with or without a byte order mark; raises CommandError for a file that is far too large."""
    if path.stat().st_size > FILE_MAX_BYTES:
        raise CommandError(f"{path.name} is larger than {FILE_MAX_CHARS} characters.")
    return path.read_text(encoding="utf-8-sig")

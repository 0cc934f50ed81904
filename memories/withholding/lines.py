"""Lines beside the conversations that say what was forgotten: of the long-term summary, of tasks, open todos and the
files of assistants.

Half of the telling words is enough at once; the job `forget-elsewhere` then decides by meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db.models import QuerySet

from memories.models import Memory, Todo, WithheldLine
from memories.withholding.word_sets import WordSets
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_id_of

VERSIONS = 50  # of the long-term summary that are looked at
TASKS = 200  # sessions with a task, the last active
TODOS = 500  # open ones
FILE_LINES = 5_000  # of the files changed last
_JOINTS = re.compile(r"[/_.\-]+")
DIRECTIVE = ("tacit/personality", "directive")


def list_withheld_lines(*, tenant: Tenant | UUID, person_id: UUID) -> QuerySet[WithheldLine]:
    """Lines about a person that aren't served."""
    return WithheldLine.objects.for_tenant(tenant).filter(person_id=person_id)


def keep_lines(*, tenant: Tenant | UUID, memory: Memory, telling: WordSets) -> None:
    """Withhold lines that may say it."""
    found = [
        line for line in list_lines(tenant=tenant, person_id=memory.person_id) if telling.may_be_in(line)
    ]
    replace_lines(tenant=tenant, memory=memory, lines=found)


def replace_lines(*, tenant: Tenant | UUID, memory: Memory, lines: Iterable[str]) -> None:
    """Withhold exactly these for a memory."""
    rows = WithheldLine.objects.for_tenant(tenant)
    rows.filter(memory=memory).delete()
    rows.bulk_create(
        WithheldLine(tenant_id=tenant_id_of(tenant), person_id=memory.person_id, memory=memory, text=line)
        for line in dict.fromkeys(lines)
    )


def list_lines(*, tenant: Tenant | UUID, person_id: UUID) -> list[str]:
    """All that is served line by line about a person. Spines, sessions and files are known by name only: they stand
    above.
    """
    spines: Any = apps.get_model("agent_sessions", "Spine")
    sessions: Any = apps.get_model("agent_sessions", "Session")
    versions = spines.objects.for_tenant(tenant).filter(person_id=person_id).order_by("-version")
    own = sessions.objects.for_tenant(tenant).filter(person_id=person_id)
    tasks = own.exclude(active_task="").order_by("-last_activity_at")
    todos = Todo.objects.for_tenant(tenant).filter(person_id=person_id, status=Todo.Status.OPEN)
    namespace, key = DIRECTIVE
    directives = Memory.objects.for_tenant(tenant).filter(
        person_id=person_id, namespace=namespace, key=key, status=Memory.Status.ACTIVE
    )
    lines = [
        *(line for each in versions.values_list("sections", flat=True)[:VERSIONS] for line in _items(each)),
        *tasks.values_list("active_task", flat=True)[:TASKS],
        *todos.order_by("-created_at").values_list("text", flat=True)[:TODOS],
        *directives.values_list("value", flat=True),
        *islice(_file_lines(tenant, person_id), FILE_LINES),
    ]
    return list(dict.fromkeys(lines))


def spoken_path(path: str) -> str:
    """The name of a file as words, a line like those in it."""
    return _JOINTS.sub(" ", path)


def _file_lines(tenant: Tenant | UUID, person_id: UUID) -> Iterator[str]:
    files: Any = apps.get_model("memory_files", "MemoryFile")
    own = files.objects.for_tenant(tenant).filter(person_id=person_id).order_by("-updated_at")
    for path, text in own.values_list("path", "text").iterator():
        yield spoken_path(path)
        yield from (line for line in text.split("\n") if line.strip())


def _items(sections: dict[str, dict[str, list[str]]]) -> Iterable[str]:
    for own in sections.values():
        for items in own.values():
            yield from items

"""The page of an export that a person can read in any browser. It holds no more than the files beside it do.

Rows come from a cursor, piece by piece. Everything anybody said is escaped, and set apart in its own direction.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from itertools import islice
from typing import Any, TypeVar
from uuid import UUID
from zipfile import ZipFile

from django.utils import translation

from memories.models import Memory, Observation, Todo, says_withheld
from nebo.product.governance.services.manifest import PAGE, FileDigest
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from personality.models import PersonaOverlay
from sessions.models import Message

T = TypeVar("T")
ROWS_AT_ONCE = 200
MOST_QUOTES = 3  # of a memory; the others are in its file
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
STYLE = """body{font:1rem/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;
color:#1d1d1f;background:#fff}
h2{margin-top:2.5rem;border-bottom:1px solid #bbb}h3{margin-top:2rem}li,.said{margin:.6rem 0}
.about,time{color:#555;font-size:.875rem}bdi{white-space:pre-wrap;overflow-wrap:anywhere}
blockquote{margin:.3rem 0 .3rem 1rem;padding-left:.6rem;border-left:3px solid #ccc}
"""


@dataclass(frozen=True, slots=True)
class Page:
    """Whose it is, when it was made, and the files that it stands beside."""

    person: UserProfile
    made_at: datetime
    files: Mapping[str, FileDigest]

    @property
    def owner(self) -> dict[str, UUID]:
        """What ties a row to the person."""
        return {"person_id": self.person.pk}


def write_page(archive: ZipFile, page: Page, *, store: Callable[[], None], folder: str = "") -> str:
    """Its SHA-256. Opens a scope of its own; `store` is called in it every so many pieces."""
    digest = hashlib.sha256()
    with (
        tenant_scope(page.person.tenant_id),
        translation.override("en"),  # as all other files of the archive
        archive.open(f"{folder}{PAGE}", "w") as file,
    ):
        for pieces in _batches(_pieces(page)):
            for piece in pieces:
                data = piece.encode()
                file.write(data)
                digest.update(data)
            store()
    return digest.hexdigest()


def _pieces(page: Page) -> Iterator[str]:
    name = _words(page.person.display_name or page.person.external_id)
    yield (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Nebo: an export of a person</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"<h1>What Nebo knows about {name}</h1>\n"
        f"<p>Known to agents as {_words(page.person.external_id)}. Made {_time(page.made_at)}; "
        "all times are in UTC. What was forgotten, and is kept until it leaves the trash, isn’t shown here.</p>\n"
    )
    yield from _section("What is known", _memories(page))
    yield from _section("To do and to come back to", _todos(page))
    yield from _section("How agents speak with you", _wishes(page))
    yield from _section("Conversations", _conversations(page))
    yield from _section("All files", _links(page))
    yield "</main>\n</body>\n</html>\n"


def _section(title: str, pieces: Iterable[str]) -> Iterator[str]:
    yield f"<section>\n<h2>{title}</h2>\n"
    empty = True
    for piece in pieces:
        empty = False
        yield piece
    yield "<p>Nothing.</p>\n</section>\n" if empty else "</section>\n"


# --- Memories -----------------------------------------------------------------------------------------------


def _memories(page: Page) -> Iterator[str]:
    """By layer and subject; the oldest first."""
    memories = Memory.objects.for_tenant(page.person.tenant_id)
    rows = memories.filter(**page.owner, created_at__lte=page.made_at).exclude(status__in=Memory.FORGOTTEN)
    found = rows.order_by("layer", "entity_label", "pk").iterator(ROWS_AT_ONCE)
    heading = None
    for batch in _batches(found):
        quotes = _quotes_of(page, batch)
        for memory in batch:
            if heading != (memory.layer, memory.entity_label):
                yield "</ul>\n" if heading else ""
                heading = (memory.layer, memory.entity_label)
                yield f"<h3>{_heading_of(memory)}</h3>\n<ul>\n"
            yield _memory(memory, quotes[memory.pk])
    yield from ["</ul>\n"] if heading else []


def _heading_of(memory: Memory) -> str:
    layer = escape(str(memory.get_layer_display())) or "Other"
    return f"{layer}: {_words(memory.entity_label)}" if memory.entity_label else layer


def _memory(memory: Memory, quotes: list[str]) -> str:
    about = ", ".join(
        escape(str(one))
        for one in (memory.get_status_display(), memory.get_trust_display(), memory.get_source_display())
    )
    said = "".join(f"<blockquote>{_words(quote)}</blockquote>" for quote in quotes)
    since = f"since {_time(memory.first_observed)}, last heard {_time(memory.last_reinforced)}"
    return f'<li>{_words(memory.value)}<br><span class="about">{about}; {since}</span>{said}</li>\n'


def _quotes_of(page: Page, memories: tuple[Memory, ...]) -> dict[UUID, list[str]]:
    """The first quotes of each, without those of messages of which something is withheld."""
    rows = Observation.objects.for_tenant(page.person.tenant_id).filter(
        memory_id__in=[memory.pk for memory in memories],
        message__shown=None,
        created_at__lte=page.made_at,
    )
    quotes: dict[UUID, list[str]] = defaultdict(list)
    named = rows.exclude(quote="").order_by("pk").values_list("memory_id", "quote")
    for memory_id, quote in named.iterator(ROWS_AT_ONCE):
        if len(quotes[memory_id]) < MOST_QUOTES and quote not in quotes[memory_id]:
            quotes[memory_id].append(quote)
    return quotes


# --- Todos, wishes, conversations ---------------------------------------------------------------------------


def _todos(page: Page) -> Iterator[str]:
    todos = Todo.objects.for_tenant(page.person.tenant_id)
    rows = (
        todos.filter(**page.owner, created_at__lte=page.made_at).exclude(says_withheld("text")).order_by("pk")
    )
    for todo in rows.iterator(ROWS_AT_ONCE):
        about = f"{escape(str(todo.get_kind_display()))}, {escape(str(todo.get_status_display()))}"
        due = f", due {_time(todo.due_at)}" if todo.due_at else ""
        noted = f"noted {_time(todo.created_at)}{due}"
        yield f'<p>{_words(todo.text)}<br><span class="about">{about}; {noted}</span></p>\n'


def _wishes(page: Page) -> Iterator[str]:
    """What the person asked of each persona."""
    overlays = PersonaOverlay.objects.for_tenant(page.person.tenant_id).filter(**page.owner)
    for overlay in overlays.select_related("persona").order_by("pk").iterator(ROWS_AT_ONCE):
        if not overlay.fields:
            continue
        yield f"<h3>{_words(overlay.persona.name or overlay.persona.slug)}</h3>\n<dl>\n"
        for field, value in overlay.fields.items():
            said = value if isinstance(value, list) else [value]
            wishes = "".join(f"<dd>{_words(one)}</dd>" for one in said)
            yield f"<dt>{_words(str(field).replace('_', ' ').capitalize())}</dt>{wishes}\n"
        yield "</dl>\n"


def _conversations(page: Page) -> Iterator[str]:
    """As agents are shown them: where words are withheld, their marks."""
    messages = Message.objects.for_tenant(page.person.tenant_id)
    rows = messages.filter(**page.owner, recorded_at__lte=page.made_at).order_by("session_id", "seq")
    session = None
    for message in rows.select_related("session").iterator(ROWS_AT_ONCE):
        if message.session_id != session:
            session = message.session_id
            yield f"<h3>{_words(message.session.key)}</h3>\n"
        named = f" ({_words(message.name)})" if message.name else ""
        speaker = f"<strong>{escape(str(message.get_role_display()))}</strong>{named}"
        marked = "" if message.shown is None else ' <span class="about">Some words are withheld.</span>'
        said = f"{speaker} {_time(message.created_at)}{marked}<br>{_words(message.words)}"
        yield f'<div class="said">{said}</div>\n'


def _links(page: Page) -> Iterator[str]:
    for name, digest in page.files.items():
        rows = f" ({digest.rows})" if name.endswith(".jsonl") else ""
        yield f'<div><a href="{escape(name)}">{escape(name)}</a>{rows}</div>\n'


# --- Pieces -------------------------------------------------------------------------------------------------


def _batches(rows: Iterable[T]) -> Iterator[tuple[T, ...]]:
    left = iter(rows)
    while batch := tuple(islice(left, ROWS_AT_ONCE)):
        yield batch


def _words(text: Any) -> str:
    """What somebody said, which may run either way, and runs nothing."""
    return f'<bdi dir="auto">{escape(str(text))}</bdi>'


def _time(moment: datetime) -> str:
    moment = moment.astimezone(UTC)
    return f'<time datetime="{moment.isoformat()}">{moment:%Y-%m-%d %H:%M}</time>'

"""A language in which each text of the catalogue is marked: what a page shows without a mark is from nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from django.apps import apps
from django.test import override_settings

from nebo.tenants.models import Tenant, TenantModel, User
from nebo.tenants.scoping import tenant_scope
from tests.catalogue import Entry, compile_mo, list_asked

CODE = "en-xx"
BEGIN, END = "⟦", "⟧"
HEAD = "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n"
# What stands in a text as it is: values, tags, gaps, and formats of dates, which are marked as a whole.
GAP = re.compile(r"(%\(\w+\)s|%%|\{\w*\}|<[^>]+>)")
MARKED = re.compile(rf"{BEGIN}[^{BEGIN}{END}]*{END}")
LETTER = re.compile(r"[^\W\d_]")
SPOKEN = (
    "aria-label",
    "title",
    "placeholder",
    "alt",
    "data-none",
    "data-some",
    "data-copied",
    "data-selected",
)
QUIET = ("script", "style", "code", "pre", "kbd", "svg")


def mark(text: str) -> str:
    """Each piece of a text between brackets, apart from what stands in it."""
    pieces = GAP.split(text)
    return "".join(
        f"{BEGIN}{piece}{END}" if LETTER.search(piece) and not GAP.fullmatch(piece) else piece
        for piece in pieces
    )


@contextmanager
def marked_language(folder: Path) -> Iterator[None]:
    """Inside, pages speak it to whoever asks for `en-xx`."""
    target = folder / "en_XX" / "LC_MESSAGES"
    target.mkdir(parents=True)
    asked = list_asked()
    entries = {
        text: Entry(text, one.many, [mark(text), *([mark(one.many)] if one.many else [])])
        for text, one in asked.items()
    }
    (target / "django.mo").write_bytes(compile_mo({"": Entry("", told=[HEAD]), **entries}))
    with override_settings(LANGUAGES=[("en", "English"), (CODE, "Marked")], LOCALE_PATHS=[str(folder)]):
        yield


class _Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.quiet = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in SPOKEN]
        self.quiet += tag in QUIET

    def handle_endtag(self, tag: str) -> None:
        self.quiet -= tag in QUIET

    def handle_data(self, data: str) -> None:
        if not self.quiet:
            self.found.append(data)


def list_unmarked(page: str) -> list[str]:
    """What a person reads on a page that has no mark, in pieces."""
    texts = _Texts()
    texts.feed(page)
    pieces = (
        piece
        for text in texts.found
        for piece in re.split(rf"{BEGIN}|{END}|\s*\n\s*", MARKED.sub(BEGIN, text))
    )
    return [piece.strip() for piece in pieces if LETTER.search(piece)]


def list_data(tenant: Tenant) -> Iterator[str]:
    """All that is kept in a team: what somebody wrote, and the ids and codes that rows are known by."""
    for user in User.objects.all():
        yield user.email
    with tenant_scope(tenant):
        yield from (tenant.name, tenant.slug)
        for model in apps.get_models():
            if issubclass(model, TenantModel):
                for row in model.objects.for_tenant(tenant).values():
                    yield from _strings(row)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, one in value.items():
            yield str(name)
            yield from _strings(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _strings(one)
    elif value is not None:
        yield str(value)

"""One style sheet and one script for all pages, joined from parts: few files to fetch, and small ones to read.

A finder of static files makes them wherever they are looked for: a server that collects them, one that does not,
and the tests have the same. Nothing is compiled.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

STYLES, SCRIPTS = "nebo/css/nebo.css", "nebo/js/nebo.js"
# What all pages share, in the order in which it counts; then what belongs to some, by name.
SHARED = ("tokens", "elements", "layout", "buttons", "components", "menus", "toasts", "forms", "print")
APART = ("admin",)  # of Django's own pages
SCRIPTED = (
    "theme",
    "menus",
    "copy",
    "toasts",
    "focus",
    "palette",
    "filters",
    "drafts",
    "live",
    "memory",
    "memory-list",
    "inbox",
)


class JoinedFilesFinder(BaseFinder):
    """Finds the joined files, which it keeps up to date with their parts."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.storage = FileSystemStorage(location=settings.JOINED_FILES_DIR)

    def check(self, **kwargs: Any) -> list[Any]:
        """Nothing can be set wrong."""
        return []

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        """Where one of them is; an empty list for any other file."""
        if path not in JOINERS:
            return []
        found = join(path)
        return [found] if find_all or kwargs.get("all") else found

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        """All of them, each with where it is kept."""
        for path in JOINERS:
            join(path)
            yield path, self.storage


def join(path: str) -> str:
    """Write a joined file unless it is as its parts are; where it is. It is never seen half written."""
    target = Path(settings.JOINED_FILES_DIR, path)
    text = JOINERS[path]()
    if not target.exists() or target.read_text(encoding="utf-8") != text:
        target.parent.mkdir(parents=True, exist_ok=True)
        scratch = target.with_name(f"{target.name}.{os.getpid()}")
        scratch.write_text(text, encoding="utf-8")
        scratch.replace(target)
    return str(target)


def join_styles() -> str:
    """The shared parts, then those of pages."""
    return "\n".join(part.read_text(encoding="utf-8") for part in list_styles())


def list_styles() -> list[Path]:
    """The parts in their order."""
    folder = _folder("css")
    shared = [folder / f"{name}.css" for name in SHARED]
    others = [path for path in sorted(folder.glob("*.css")) if path.stem not in (*SHARED, *APART)]
    return [*shared, *others]


def join_scripts() -> str:
    """htmx, then the parts, each with names of its own."""
    htmx = Path(apps.get_app_config("django_htmx").path, "static", "django_htmx", "htmx-2.min.js")
    parts = [(_folder("js") / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTED]
    alone = [f'(() => {{\n"use strict";\n{part}}})();\n' for part in parts]
    return "\n".join([htmx.read_text(encoding="utf-8"), *alone])


def _folder(kind: str) -> Path:
    return Path(settings.STATICFILES_DIRS[0], "nebo", kind)


JOINERS: dict[str, Callable[[], str]] = {STYLES: join_styles, SCRIPTS: join_scripts}

"""What personas are called on pages: their names may be alike, their short names never are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from unicodedata import normalize

from django.utils.text import slugify

LONGEST = 60  # characters of a name; what comes after it has to be seen, too
DEFAULT_SLUG = "default"  # tells people nothing


def name_one(name: str, slug: str) -> str:
    """Of one that stands alone: with its short name, unless that says the same, or is the default one's."""
    return _cut(name) if slug in (DEFAULT_SLUG, slugify(name)) else _with_slug(name, slug)


def name_all(personas: Sequence[tuple[str, str]]) -> list[str]:
    """Of those in a list, by name and short name: with the latter where two names look alike."""
    names = Counter(_seen(name) for name, _ in personas)
    return [_cut(name) if names[_seen(name)] == 1 else _with_slug(name, slug) for name, slug in personas]


def _with_slug(name: str, slug: str) -> str:
    return f"{_cut(name)} ({slug})"


def _cut(name: str) -> str:
    return name if len(name) <= LONGEST else name[: LONGEST - 1].rstrip() + "…"


def _seen(name: str) -> str:
    """As people tell names from each other: not by case, width or spaces."""
    return " ".join(normalize("NFKC", _cut(name)).casefold().split())

"""How every page's address begins: the team, and the person where a login stands for several there.

`/t/acme/…` is enough for a login that stands for one person. With several it is `/t/acme/p/annie/…`, so that two tabs
show two people and a form acts on the one it was drawn for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from uuid import UUID

from nebo.errors import NotFound
from nebo.tenants.models import UserProfile

BETWEEN = "/p/"
PLAIN = re.compile(r"(?!\.{1,2}$)[A-Za-z0-9._~@+-]{1,64}")  # a name that stands in an address as it is


class PlaceConverter:
    """`<place:tenant>` in a route: `acme` or `acme/p/annie`."""

    regex = rf"[-a-zA-Z0-9_]+(?:{BETWEEN}[^/]+)?"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


def split_place(place: str) -> tuple[str, str]:
    """The team's slug and the person's handle; empty where the address names none."""
    slug, _, handle = place.partition(BETWEEN)
    return slug, handle


def place_of(slug: str, person: UserProfile | None) -> str:
    """How addresses about this person begin, after `/t/`."""
    return f"{slug}{BETWEEN}{handle_of(person)}" if person else slug


def handle_of(person: UserProfile) -> str:
    """A person in an address: as agents name them, or by id where that would not be plain to read or could be an id."""
    name = person.external_id
    return name if PLAIN.fullmatch(name) and not _is_id(name) else str(person.pk)


def find_by_handle(people: Sequence[UserProfile], handle: str) -> UserProfile:
    """Raises NotFound for somebody who isn't among `people`."""
    for person in people:
        if handle_of(person) == handle:
            return person
    raise NotFound


def _is_id(name: str) -> bool:
    try:
        UUID(name)
    except ValueError:
        return False
    return True

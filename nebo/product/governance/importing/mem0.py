"""Memories as mem0 gives them: what its `get_all` or an export answers, a list alone or under `results`."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from nebo.api.parsers import refusal_of
from nebo.errors import InvalidInput
from nebo.product.governance.importing.brought import Brought, Note
from nebo.product.governance.importing.exported_values import (
    expect,
    list_objects,
    origin_of,
    parse_moment,
    short_digest,
)

LISTS = ("results", "memories")
TEXTS = ("memory", "text", "data")  # of newer and older versions
TAGS = 20  # of one memory
TAG_CHARS = 64


def read_mem0(value: Any, name: str) -> Brought:
    """Each of its memories is a note. Raises InvalidInput, also for a file about several people."""
    found, root = _find_list(value)
    brought, users = Brought(), set[str]()
    for number, one in enumerate(list_objects(found, root)):
        where = f"{root}/{number}"
        check_one_user(users, one.get("user_id"), f"{where}/user_id")
        _add(brought, one, where)
    relations = value.get("relations") if isinstance(value, dict) else None
    brought.left_out["relations"] += len(relations) if isinstance(relations, list) else 0
    brought.left_out = +brought.left_out
    return brought


def _find_list(value: Any) -> tuple[Any, str]:
    if isinstance(value, list):
        return value, "#"
    inside = expect(value, dict, "#")
    name = next((name for name in LISTS if name in inside), LISTS[0])
    return inside.get(name), f"#/{name}"


def check_one_user(users: set[str], user: Any, where: str) -> None:
    """What is another's doesn't become this person's. Raises InvalidInput."""
    if isinstance(user, str) and user:
        users.add(user)
    if len(users) > 1:
        raise InvalidInput(_("This is about somebody else than what stands before it."), field=where)


def _add(brought: Brought, one: dict[str, Any], where: str) -> None:
    text = next((one[name] for name in TEXTS if isinstance(one.get(name), str)), None)
    if text is None:
        raise InvalidInput(_("Expected a text under “memory” here."), field=where)
    if not text.strip() or refusal_of(text):
        brought.left_out["empty"] += 1
    elif is_over(one.get("expiration_date"), f"{where}/expiration_date"):
        brought.left_out["expired"] += 1
    else:
        noted_at = parse_moment(one.get("updated_at") or one.get("created_at"), f"{where}/created_at")
        origin = origin_of("mem0", one.get("id"), text)
        brought.notes.append(Note(origin, text, tags=list_tags(one.get("categories")), noted_at=noted_at))


def is_over(value: Any, where: str) -> bool:
    """Whether that moment has passed; a day ends with its last second."""
    if isinstance(value, str) and len(value) == len("2026-01-01"):
        value = f"{value}T23:59:59Z"
    moment: datetime | None = parse_moment(value, where)
    return moment is not None and moment < timezone.now()


def list_tags(value: Any) -> tuple[str, ...]:
    """Texts that can be tags."""
    texts = [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
    tags = (" ".join(text.split()) for text in texts if not refusal_of(text))
    return tuple(dict.fromkeys(tag for tag in tags if 0 < len(tag) <= TAG_CHARS))[:TAGS]


def digest_of_place(*parts: str) -> str:
    """Names what has no id by where it stands and what it says."""
    return short_digest("\n".join(parts))

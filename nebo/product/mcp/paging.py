"""Lists of what the server offers, by cursor."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence

from nebo.product.mcp.protocol import INVALID_PARAMS, Json, RpcError

PAGE = 50  # entries; more than there are of any kind, since not every client asks for the second page


def page_of(name: str, entries: Sequence[Json], params: Json, *, size: int = PAGE) -> Json:
    """`{name: […]}`, and `nextCursor` where more follow. Raises RpcError for a cursor that isn't of this list."""
    start = _read_cursor(name, params["cursor"], len(entries)) if params.get("cursor") is not None else 0
    page: Json = {name: list(entries[start : start + size])}
    if start + size < len(entries):
        page["nextCursor"] = base64.urlsafe_b64encode(f"{name}:{start + size}".encode()).decode()
    return page


def _read_cursor(name: str, cursor: object, count: int) -> int:
    kind, _, place = _decode(cursor).partition(":")
    if kind != name or not (place.isascii() and place.isdigit() and 0 < int(place[:9]) < count):
        raise RpcError(INVALID_PARAMS, "This cursor is not one of this list's.")
    return int(place)


def _decode(cursor: object) -> str:
    try:
        return base64.urlsafe_b64decode(str(cursor).encode()).decode()
    except (binascii.Error, ValueError):
        return ""

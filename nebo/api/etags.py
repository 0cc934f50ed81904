"""`ETag` and `If-Match` (RFC 9110 §8.8.3, §13.1.1): nobody writes over what they have not seen."""

from __future__ import annotations

from rest_framework.request import Request

from nebo.errors import Stale


def etag(version: int | str) -> str:
    """The strong tag of a row's version."""
    return f'"{version}"'


def check_if_match(request: Request, version: int | str) -> None:
    """Raise Stale when the request names versions and none is this one; `*` is any."""
    header = request.headers.get("If-Match")
    if header is None:
        return
    wanted = {tag.strip() for tag in header.split(",")}
    if not wanted & {"*", etag(version)}:
        raise Stale("If-Match names another version: read it again.")

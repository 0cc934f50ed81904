"""Ids as a form posts them."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.utils.translation import gettext as _

from nebo.errors import InvalidInput


def read_ids(texts: Iterable[object]) -> list[UUID]:
    """Raises InvalidInput for one that is none."""
    try:
        return [UUID(str(text)) for text in texts]
    except ValueError as error:
        raise InvalidInput(_("The request names no such memory.")) from error

"""Public identifiers: UUIDv7 (RFC 9562 §5.7), so that new rows stand together in an index."""

from __future__ import annotations

import os
import time
from uuid import UUID, uuid5

from nebo.errors import NotFound


def uuid7() -> UUID:
    """48 bits of Unix milliseconds, then version, variant and 74 random bits."""
    millis = time.time_ns() // 1_000_000
    random = int.from_bytes(os.urandom(10), "big")
    value = (millis & ((1 << 48) - 1)) << 80
    value |= 0x7 << 76
    value |= (random >> 68 & 0xFFF) << 64
    value |= 0b10 << 62
    value |= random & ((1 << 62) - 1)
    return UUID(int=value)


def default_persona_id(tenant_id: UUID) -> UUID:
    """The id of a tenant's default persona: known without asking, since it speaks wherever none is named."""
    return uuid5(tenant_id, "persona/default")


def read_id(text: str) -> UUID:
    """An id that somebody sent; raises NotFound for what can't be one."""
    try:
        return UUID(text)
    except ValueError as error:
        raise NotFound from error

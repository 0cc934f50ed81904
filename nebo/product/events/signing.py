"""Signatures as Standard Webhooks has them: HMAC-SHA256 over id, time and body, so that a receiver can tell our calls
from anybody else's, and an old one that is sent again from a new one.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Mapping, Sequence

PREFIX = "whsec_"
SECRET_BYTES = 32  # 24 to 64 by the standard


def make_secret() -> str:
    """A new secret, from the system's random source."""
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def sign(*, secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """`v1,<base64>` over `id.timestamp.body`; the timestamp is in seconds since 1970."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    key = base64.b64decode(secret.removeprefix(PREFIX))
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def signed_headers(
    *, secrets: Sequence[str], message_id: str, timestamp: int, body: bytes
) -> Mapping[str, str]:
    """The three headers, signed with each secret: with two while one takes the place of the other."""
    signatures = [sign(secret=one, message_id=message_id, timestamp=timestamp, body=body) for one in secrets]
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signatures),
    }

"""Secrets that Nebo has to read again, encrypted under a key that follows from SECRET_KEY."""

from __future__ import annotations

import base64

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

PURPOSE = b"nebo.webhook-secret"


class Unreadable(ValueError):
    """It was sealed under another SECRET_KEY."""


def seal(secret: str) -> str:
    """What may be stored."""
    return _cipher().encrypt(secret.encode()).decode()


def unseal(sealed: str) -> str:
    """The secret again; raises Unreadable."""
    try:
        return _cipher().decrypt(sealed).decode()
    except InvalidToken:
        raise Unreadable from None


def _cipher() -> Fernet:
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=PURPOSE).derive(
        settings.SECRET_KEY.encode()
    )
    return Fernet(base64.urlsafe_b64encode(derived))

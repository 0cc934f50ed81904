"""Secrets that Nebo has to read again, kept encrypted: those of webhooks and second factors, and keys of providers.

They are sealed under the newest of the keys in `NEBO_ENCRYPTION_KEYS`, or under one that follows from SECRET_KEY where
there are none, and read with each of these, and with those that follow from SECRET_KEY and SECRET_KEY_FALLBACKS. So a
key can be changed while rows are still sealed under the old one; `manage.py reencrypt` brings them all to the new one.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import models

PURPOSE = b"nebo.secrets-at-rest"


class Unreadable(ValueError):
    """It was sealed under a key that Nebo no longer has."""


class SealedField(models.TextField):  # type: ignore[type-arg]
    """A column of what `seal` gave. What reads all of them finds them by this class."""


def seal(secret: str) -> str:
    """What may be stored."""
    return _newest().encrypt(secret.encode()).decode()


def unseal(sealed: str) -> str:
    """The secret again; raises Unreadable."""
    try:
        return MultiFernet([*_ciphers()]).decrypt(sealed).decode()
    except InvalidToken:
        raise Unreadable from None


def is_newest(sealed: str) -> bool:
    """Whether it is sealed under the key that `seal` uses now."""
    try:
        _newest().decrypt(sealed)
    except InvalidToken:
        return False
    return True


def _newest() -> Fernet:
    return next(_ciphers())


def _ciphers() -> Iterator[Fernet]:
    """The newest first."""
    for key in (*settings.ENCRYPTION_KEYS, settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        yield _derive(key)


def _derive(key: str) -> Fernet:
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=PURPOSE).derive(key.encode())
    return Fernet(base64.urlsafe_b64encode(derived))

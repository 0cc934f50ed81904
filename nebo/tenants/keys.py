"""What a key looks like, what is kept of it, and what its scopes allow.

`nebo_<public id>_<secret>`: the public id finds the row, the secret proves the right to it. Only the
secret's SHA-256 is stored; with 256 random bits in it, a slow hash would add nothing but time.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import string
from collections.abc import Iterable
from dataclasses import dataclass, field

PREFIX = "nebo"
PUBLIC_ID_LENGTH = 12  # characters of a-z0-9: 62 bits, enough never to meet twice
SECRET_LENGTH = 43  # characters of A-Za-z0-9: 256 bits
KEY_FORM = re.compile(
    rf"{PREFIX}_([a-z0-9]{{{PUBLIC_ID_LENGTH}}})_([A-Za-z0-9]{{{SECRET_LENGTH}}})", re.ASCII
)
KEY_PATTERN = KEY_FORM.pattern.replace("(", "(?:")  # to be found within other text

SCOPES = ("read", "write", "admin")  # each allows what stands before it


@dataclass(frozen=True, slots=True)
class KeyText:
    """The two halves of a key."""

    public_id: str
    secret: str = field(repr=False)

    def __str__(self) -> str:
        return f"{PREFIX}_{self.public_id}_{self.secret}"

    @property
    def digest(self) -> str:
        """What is stored: 64 hexadecimal characters."""
        return hashlib.sha256(self.secret.encode()).hexdigest()

    def matches(self, digest: str) -> bool:
        """Compare in constant time."""
        return hmac.compare_digest(self.digest, digest)


def make_key() -> KeyText:
    """A new key, from the system's random source."""
    letters = string.ascii_letters + string.digits
    lower = string.ascii_lowercase + string.digits
    return KeyText(
        public_id="".join(secrets.choice(lower) for _ in range(PUBLIC_ID_LENGTH)),
        secret="".join(secrets.choice(letters) for _ in range(SECRET_LENGTH)),
    )


def find_key_text(token: str) -> KeyText | None:
    """The halves of a well-formed key, or None."""
    match = KEY_FORM.fullmatch(token)
    return KeyText(*match.groups()) if match else None


def expand_scopes(scopes: Iterable[str]) -> frozenset[str]:
    """The scopes given and those they imply; an unknown name gives nothing."""
    highest = max((SCOPES.index(scope) for scope in scopes if scope in SCOPES), default=-1)
    return frozenset(SCOPES[: highest + 1])

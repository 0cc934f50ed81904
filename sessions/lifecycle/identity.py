"""Which conversation is this: a deterministic key from workspace, channel, conversation and actor."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from dataclasses import dataclass

KEY_PREFIX = "v2:"
KEY_LIMIT = 255  # characters
DIGEST_CHARS = 40  # 160 bits of SHA-256


@dataclass(frozen=True, slots=True)
class SessionIdentity:
    """Where a conversation takes place and who speaks; case and surplus space make no difference."""

    workspace: str
    channel: str
    conversation: str
    actor: str

    def as_dict(self) -> dict[str, str]:
        return {
            "workspace": self.workspace,
            "channel": self.channel,
            "conversation": self.conversation,
            "actor": self.actor,
        }


def normalize_part(part: str) -> str:
    """NFKC, one space between words, no case: the same place typed differently is the same place."""
    return " ".join(unicodedata.normalize("NFKC", part).casefold().split())


def v2_key(identity: SessionIdentity) -> str:
    """`v2:` and a hash over the four parts; the same identity gives the same key on every machine."""
    parts = [normalize_part(part) for part in identity.as_dict().values()]
    canonical = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return KEY_PREFIX + hashlib.sha256(canonical.encode()).hexdigest()[:DIGEST_CHARS]


def choose_key(key: str, identity: SessionIdentity | None) -> str:
    """A given `v2:` key as it is; else the identity's; else the legacy key. Empty when there is none of them."""
    if key.startswith(KEY_PREFIX):
        return key
    if identity is not None:
        return v2_key(identity)
    return key

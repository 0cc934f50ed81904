"""Which Nebo the command speaks with: its address, a key and the person, kept in the user's own configuration."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from nebo_client.synchronous import Nebo

HOOK_TIMEOUT_S = 5.0  # that an agent's prompt waits at most


@dataclass(frozen=True, slots=True)
class Account:
    """`user` is empty for a key that is bound to a person."""

    url: str
    key: str
    user: str = ""

    @property
    def person(self) -> str:
        """As the API names it."""
        return self.user or "me"

    def client(self, *, timeout: float = 30.0, retries: int = 3) -> Nebo:
        """With an outbox, so that nothing is lost while Nebo is away."""
        return Nebo(self.key, self.url, timeout=timeout, retries=retries, outbox=folder() / "outbox")


def folder() -> Path:
    """Where the account and the outbox are: `NEBO_CLIENT_DIR`, or `~/.config/nebo`."""
    return Path(os.environ.get("NEBO_CLIENT_DIR") or Path.home() / ".config" / "nebo")


def load() -> Account | None:
    """From the environment, or as it was saved; None if neither says it."""
    if key := os.environ.get("NEBO_KEY"):
        return Account(
            os.environ.get("NEBO_URL", "http://127.0.0.1:8000"), key, os.environ.get("NEBO_USER", "")
        )
    try:
        return Account(**json.loads((folder() / "account.json").read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None


def save(account: Account) -> None:
    """Readable for its owner alone."""
    folder().mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder() / "account.json"
    path.touch(mode=0o600)
    path.write_text(json.dumps(asdict(account), indent=2) + "\n", encoding="utf-8")


def forget() -> None:
    """The account, where its key has ended."""
    (folder() / "account.json").unlink(missing_ok=True)

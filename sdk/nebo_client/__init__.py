"""Long-term memory for AI agents.

from nebo_client import Nebo

annie = Nebo(key="nebo_…").user("annie")
chat = annie.session("chat-1")
chat.add([{"role": "user", "content": "I'm vegetarian."}])
print(chat.context("What could I cook?", format="text")["text"])
"""

from nebo_client.asynchronous import AsyncNebo, AsyncSession, AsyncUser
from nebo_client.errors import (
    Busy,
    CollectionPaused,
    Conflict,
    ContinuityMissing,
    Forbidden,
    Invalid,
    NeboError,
    NotFound,
    Refused,
    ServerError,
    Stale,
    Unauthorized,
    Unreachable,
    Unreadable,
)
from nebo_client.outbox import Outbox
from nebo_client.synchronous import Nebo, Session, User

__all__ = [
    "AsyncNebo",
    "AsyncSession",
    "AsyncUser",
    "Busy",
    "CollectionPaused",
    "Conflict",
    "ContinuityMissing",
    "Forbidden",
    "Invalid",
    "Nebo",
    "NeboError",
    "NotFound",
    "Outbox",
    "Refused",
    "ServerError",
    "Session",
    "Stale",
    "Unauthorized",
    "Unreachable",
    "Unreadable",
    "User",
]

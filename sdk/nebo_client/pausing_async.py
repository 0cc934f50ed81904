"""Collection off for a while, of a person or a conversation; for programs with an event loop.

`pausing.py` is made from this file by `python sdk/mirror.py`; change this one.
"""

from __future__ import annotations

from typing import Any, cast

from nebo_client.shapes import Pause
from nebo_client.wire import given


class AsyncPausable:
    """Of what collection can be off."""

    async def pause(self, *, until: str | None = None, reason: str | None = None) -> Pause:
        """Keep and learn nothing of what is told here: until a moment (ISO 8601), or until somebody resumes."""
        return cast(Pause, await self._ask_pause("PUT", given(until=until, reason=reason)))

    async def resume(self) -> Pause:
        """Collect again. Raises Forbidden where somebody paused it by hand on Nebo's pages."""
        return cast(Pause, await self._ask_pause("DELETE"))

    async def paused(self) -> Pause:
        """Whether collection is off here."""
        return cast(Pause, await self._ask_pause("GET"))

    async def _ask_pause(self, method: str, body: Any = None) -> Any:
        raise NotImplementedError

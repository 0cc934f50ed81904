"""Collection off for a while, of a person or a conversation; for ordinary programs; made by `python sdk/mirror.py`."""

from __future__ import annotations

from typing import Any, cast

from nebo_client.shapes import Pause
from nebo_client.wire import given


class Pausable:
    """Of what collection can be off."""

    def pause(self, *, until: str | None = None, reason: str | None = None) -> Pause:
        """Keep and learn nothing of what is told here: until a moment (ISO 8601), or until somebody resumes."""
        return cast(Pause, self._ask_pause("PUT", given(until=until, reason=reason)))

    def resume(self) -> Pause:
        """Collect again. Raises Forbidden where somebody paused it by hand on Nebo's pages."""
        return cast(Pause, self._ask_pause("DELETE"))

    def paused(self) -> Pause:
        """Whether collection is off here."""
        return cast(Pause, self._ask_pause("GET"))

    def _ask_pause(self, method: str, body: Any = None) -> Any:
        raise NotImplementedError

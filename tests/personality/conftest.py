"""The same quick vectors as for memories."""

from __future__ import annotations

from tests.memories.conftest import _quick_vectors

__all__ = ["_quick_vectors"]

"""Each client of a test has middleware of its own, which would look for all static files again: here it is done once.

That is a hundredth of a second in each of some thousands of tests.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from whitenoise.middleware import WhiteNoiseMiddleware

FOUND: dict[
    tuple[str, str], dict[str, Any]
] = {}  # by the place of collected files, and the storage that names them


class FindsOnce(WhiteNoiseMiddleware):  # type: ignore[misc]  # whitenoise has no types
    """WhiteNoise, but for that."""

    def add_files_from_finders(self) -> None:
        kept = str(self.static_root), settings.STORAGES["staticfiles"]["BACKEND"]
        if kept not in FOUND:
            collected, self.files = self.files, {}
            super().add_files_from_finders()
            FOUND[kept], self.files = self.files, collected
        self.files = {**self.files, **FOUND[kept]}

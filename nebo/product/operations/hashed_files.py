"""Static files under names that hold their digest: compressed once, and kept by browsers for good."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise has no types
    """Before `manage.py prepare` or `start` has collected them, files go by their own names."""

    manifest_strict = False

    def stored_name(self, name: str) -> str:
        """Its name with the digest, where there is one."""
        try:
            stored: str = super().stored_name(name)
        except ValueError:  # it stands in no collected folder
            return name
        return stored

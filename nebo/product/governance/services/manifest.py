"""What an archive says of itself: its format, who it is about, and of each file how many rows and which bytes.

Signed with the key of this installation. A file that it made itself, and that nobody has changed, comes back as it was;
what comes from elsewhere, or was changed, is looked through like anything that others say.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.crypto import constant_time_compare, salted_hmac

FORMAT = "nebo-person"
VERSION = 1
FILE = "manifest.json"
README = "README.txt"
PAGE = "index.html"  # to be read by people; it never comes back
SIGNED = ("format", "version", "made_at", "person", "files")
SIGNED_IF_THERE = ("page",)  # older archives have none


@dataclass(slots=True)
class FileDigest:
    """Rows and bytes of one file, as they are written or read."""

    rows: int = 0
    sha256: Any = field(default_factory=hashlib.sha256)

    def add(self, line: bytes) -> None:
        """One row more."""
        self.rows += 1
        self.sha256.update(line)

    def as_json(self) -> dict[str, Any]:
        return {"rows": self.rows, "sha256": self.sha256.hexdigest()}


def make_manifest(
    *,
    made_at: str,
    person: Mapping[str, str],
    files: Mapping[str, FileDigest],
    page: str,
    records: Mapping[str, int],
) -> dict[str, Any]:
    """The manifest with its signature; `page` is the SHA-256 of the readable one."""
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "made_at": made_at,
        "person": dict(person),
        "files": {name: digest.as_json() for name, digest in files.items()},
        "page": {"name": PAGE, "sha256": page},
    }
    return {**manifest, "records": dict(records), "signature": sign(manifest)}


def sign(manifest: Mapping[str, Any]) -> str:
    """Over all that says what is in the archive, as JSON with sorted names and no spaces."""
    signed = {name: manifest.get(name) for name in SIGNED}
    signed |= {name: manifest[name] for name in SIGNED_IF_THERE if name in manifest}
    canonical = json.dumps(signed, sort_keys=True, separators=(",", ":"))
    return salted_hmac("nebo.archive", canonical, algorithm="sha256").hexdigest()


def is_ours(manifest: Mapping[str, Any]) -> bool:
    """Whether this installation made it."""
    return constant_time_compare(str(manifest.get("signature", "")), sign(manifest))

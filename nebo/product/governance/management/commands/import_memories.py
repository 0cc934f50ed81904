"""`import_memories FILE`: what another memory, or a folder of Markdown, knows of somebody becomes memories."""

from __future__ import annotations

from nebo.product.governance.importing.command import ImportCommand


class Command(ImportCommand):
    """A batch a transaction: when it is stopped, the next run goes on, and doubles nothing."""

    help = "Import what mem0, Zep, or files of Markdown (a file, a folder, a ZIP archive) hold; can be run again."
    sources = ("mem0", "zep", "markdown")

"""`import_conversations FILE`: what somebody talked about elsewhere becomes sessions, and is learned from."""

from __future__ import annotations

from nebo.product.governance.importing.command import ImportCommand


class Command(ImportCommand):
    """A batch a transaction: when it is stopped, the next run goes on, and doubles nothing."""

    help = "Import conversations that ChatGPT, Claude or an OpenAI client exported; can be run again."
    sources = ("chatgpt", "claude", "openai", "zep")

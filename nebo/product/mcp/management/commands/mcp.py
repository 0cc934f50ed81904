"""`mcp`: the memory for a client that starts a program and speaks over its pipes, such as Claude Desktop."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from nebo.env import env
from nebo.product.mcp.bridge import Bridge, open_http

NO_KEY = "Set NEBO_MCP_KEY to a key of Nebo (manage.py issue_key makes one)."


class Command(BaseCommand):
    """Needs no database: all it knows is an address and a key."""

    help = "Bridge stdio to /mcp, for clients that start a program. Wants NEBO_MCP_KEY."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--url", default=env.mcp_url, help="of the endpoint (default: NEBO_MCP_URL)")
        parser.add_argument("--user", default=env.mcp_user, help="whose memory (default: NEBO_MCP_USER)")

    def handle(self, *args: Any, **options: Any) -> None:
        if not env.mcp_key:
            raise CommandError(NO_KEY)
        with open_http(env.mcp_key, options["user"]) as http:
            Bridge(options["url"], http).carry(sys.stdin.buffer, sys.stdout.buffer)

#!/usr/bin/env python
"""Nebo's command line."""

import os
import sys

from django.core.management import execute_from_command_line

from nebo.database import ensure_server

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nebo.settings")
    ensure_server()
    execute_from_command_line(sys.argv)

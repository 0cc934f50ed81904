#!/usr/bin/env python
"""Nebo's command line."""

import os
import sys

from django.core.management import execute_from_command_line

from nebo.product.operations.bootstrap import database_for

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nebo.settings")
    with database_for(sys.argv):
        execute_from_command_line(sys.argv)

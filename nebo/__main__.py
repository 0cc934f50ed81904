"""Nebo's command line: `manage.py` of a checkout, `nebo-server` of a wheel, `python -m nebo` of either."""

from __future__ import annotations

import os
import sys

from django.core.management import execute_from_command_line

from nebo.product.operations.bootstrap import database_for


def main() -> None:
    """The command that the arguments name, with a database server around it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nebo.settings")
    with database_for(sys.argv):
        execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()

"""The code of the web server, loaded before there is anything to serve, so that no request pays for it."""

from __future__ import annotations

import os
from importlib import import_module

import django
from django.conf import settings


def load_code() -> None:
    """Django and every address with its views. Models are loaded when they are first asked, after the fork."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nebo.settings")
    django.setup()
    import_module(settings.ROOT_URLCONF)

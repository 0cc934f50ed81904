"""The code of the web server, loaded before there is anything to serve, so that no request pays for it."""

from __future__ import annotations

import os
from importlib import import_module

import django
from django.conf import settings

from nebo.llm.rules.grammar import compile_rules
from personality.wish_rules import compile_wish_rules


def load_code() -> None:
    """Django, every address with its views, and the patterns by which a turn is read."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nebo.settings")
    django.setup()
    import_module(settings.ROOT_URLCONF)
    compile_rules()
    compile_wish_rules()

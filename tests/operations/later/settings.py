"""The product's own settings, with that app."""

from nebo.settings import *  # noqa: F403

INSTALLED_APPS = [*INSTALLED_APPS, "tests.operations.later"]  # noqa: F405

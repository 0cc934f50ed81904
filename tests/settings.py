"""The product's own settings; vectors by hashing, which ships beside the real model and loads nothing."""

import os
import sys

# Where no bytecode is kept, as in many containers, each process that a test starts would compile every module anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

os.environ.setdefault("NEBO_EMBEDDING_MODEL", "hashing/384")

# Workers of pytest-xdist have a database each, and the processes that they start have their worker's.
_database, _worker = os.environ.get("NEBO_TEST_DB", "test_nebo"), os.environ.get("PYTEST_XDIST_WORKER", "")
if not _database.endswith(_worker):
    os.environ["NEBO_TEST_DB"] = f"{_database}_{_worker}"

from nebo.database import ensure_server  # noqa: E402

ensure_server()  # its port must be known when the settings are read: on a new machine it does not run yet

from nebo.settings import *  # noqa: E402, F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # quick logins
USAGE_ADDED_EVERY_S = float("inf")  # no statement comes by itself
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}  # noqa: F405  nothing is collected
INSTEAD = {"whitenoise.middleware.WhiteNoiseMiddleware": "tests.static_files.FindsOnce"}
MIDDLEWARE = ["tests.documented.HoldToDocument", *(INSTEAD.get(name, name) for name in MIDDLEWARE)]  # noqa: F405

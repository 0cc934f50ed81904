"""The product's own settings; vectors by hashing, which ships beside the real model and loads nothing."""

import os

os.environ.setdefault("NEBO_EMBEDDING_MODEL", "hashing/384")

from nebo.database import ensure_server

ensure_server()  # its port must be known when the settings are read: on a new machine it does not run yet

from nebo.settings import *  # noqa: E402, F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # quick logins
MIDDLEWARE = ["tests.documented.HoldToDocument", *MIDDLEWARE]  # noqa: F405

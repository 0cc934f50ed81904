"""The product's own settings; vectors by hashing, which ships beside the real model and loads nothing."""

import os

os.environ.setdefault("NEBO_EMBEDDING_MODEL", "hashing/384")

from nebo.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # quick logins

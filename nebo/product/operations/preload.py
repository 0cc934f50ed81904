"""What the web server loads before there is anything to serve, so that no request pays for it: code and models."""

from __future__ import annotations

import os
from contextlib import suppress
from importlib import import_module

import django
from django.conf import settings

from nebo.encoders.files import EncoderError
from nebo.env import env
from nebo.llm.errors import LlmError

TRADE = "I'm a teacher."  # reading it also makes the vectors that trades are told by


def load_code() -> None:
    """Django, every address with its views, and every job, whose lane is asked for where one is enqueued."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nebo.settings")
    django.setup()
    import_module(settings.ROOT_URLCONF)
    import_module("nebo.jobs.registry").load_handlers()


def load_models() -> None:
    """The models of this process that every request may need. Before the fork: nothing of theirs is a thread, and the
    processes that serve share all of it.
    """
    embedder = import_module("search.embeddings.registry").get_embedder()
    if env.embedding_model.startswith(("local", "hashing")):
        embedder.embed(["ready"])
    with suppress(EncoderError, LlmError):  # a damaged file is told to whoever needs it, and by `doctor`
        import_module("nebo.reading.meaning.reader").read_sentence(TRADE)
        import_module("search.relevance.floor").load_second_encoder(embedder)

"""Which language a page speaks: the one its reader chose, or else the browser's, or else English.

Pages and mails alone are translated. What agents and programs read is English whatever a request asks for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.http import HttpRequest
from django.utils import translation

PAGES = ("/t/", "/accounts/", "/join/", "/admin/")  # below these, and at / itself, people read
CAPITALISING = ("de",)  # languages whose nouns begin with a capital wherever they stand


def is_page(path: str) -> bool:
    """Whether people read what is at that address, rather than programs."""
    return path == "/" or path.startswith(PAGES)


@contextmanager
def language_for(request: HttpRequest) -> Iterator[str]:
    """Inside, texts are in the language of whoever reads the answer."""
    login = getattr(request, "user", None)  # an error may come before it is known
    code = find_language(getattr(login, "language", "")) or translation.get_language_from_request(request)
    with translation.override(code):
        yield code


def find_language(code: str) -> str:
    """The code, where Nebo has that language; else nothing."""
    return code if code in dict(settings.LANGUAGES) else ""


def in_sentence(word: str) -> str:
    """A word of ours as it stands within a sentence: with a small letter, except where nouns keep a capital."""
    return word if translation.get_language() in CAPITALISING else word.lower()

"""What a text says beneath a disguise: encoded, in other characters, backwards. A model reads through all of it."""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
import unicodedata
from collections.abc import Callable, Iterator
from urllib.parse import unquote

from memories.screening.sanitize import fold
from nebo.reading.words.stop_words import ENGLISH, FRENCH, GERMAN, ITALIAN, SPANISH, STOPWORDS

LEAST_SHARE = 0.2  # of words that are among the commonest: from there a decoded text is one
LEAST_LETTERS = 0.7  # of the characters
_COMMON = STOPWORDS | ENGLISH | FRENCH | GERMAN | ITALIAN | SPANISH
_BASE64 = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{16,}={0,2}(?![\w+/=])")
_HEX = re.compile(r"(?<!\w)(?:0x)?(?:[0-9a-fA-F]{2}[\s:]?){10,}(?!\w)")
_ESCAPED = re.compile(r"(?:\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2})+")
_BINARY = re.compile(r"(?<!\d)(?:[01]{8}\s?){6,}(?!\d)")
_SPACED = re.compile(r"(?<!\w)(?:\w[ .\-_*|·]){5,}\w(?!\w)")
_WORD = re.compile(r"[^\W\d_]+")
_DIGIT_LETTERS = str.maketrans("013457@$", "oieastas")
_LEET = re.compile(
    r"(?<=[A-Za-z])[013457@$](?=[A-Za-z])|(?<!\S)[013457@$](?=[A-Za-z]{2})|(?<=[A-Za-z]{2})[013457@$](?!\S)"
)


def list_readings(text: str) -> list[str]:
    """The text as it stands, and whatever else can be read out of it; each once."""
    plain = text if text.isascii() else _plain(text)
    return list(dict.fromkeys([plain, *_undisguised(text)]))


def _plain(text: str) -> str:
    """Without invisible characters, and with its own letters where it mixes look-alikes among them."""
    seen = "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != "Cf")
    return fold(seen) if any(_is_mixed(word) for word in _WORD.findall(seen)) else seen


def _is_mixed(word: str) -> bool:
    """Whether a word has letters of two scripts, one of them Latin."""
    scripts = {unicodedata.name(c, "").split(" ")[0] for c in word}
    return "LATIN" in scripts and bool(scripts & {"CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE"})


def _undisguised(text: str) -> Iterator[str]:
    for pattern, decode in _CODES:
        if pattern.search(text):
            yield from _decoded(text, pattern, decode)
    for change in (html.unescape, unquote):
        if (changed := change(text)) != text:
            yield changed
    if len(_LEET.findall(text)) >= 3:
        yield _LEET.sub(lambda found: found.group().translate(_DIGIT_LETTERS), text)
    if not _is_wordy(text):
        yield from (other for other in (codecs.encode(text, "rot13"), text[::-1]) if _is_wordy(other))
    if _SPACED.search(text):
        yield _SPACED.sub(lambda found: re.sub(r"[ .\-_*|·]", "", found.group()), text)


def _decoded(text: str, pattern: re.Pattern[str], decode: Callable[[str], str]) -> Iterator[str]:
    """Each stretch alone, and all of them in their places."""
    found = {run.group(): decode(run.group()) for run in pattern.finditer(text)}
    readable = {run: words for run, words in found.items() if words}
    yield from readable.values()
    if readable:
        yield pattern.sub(lambda run: readable.get(run.group(), run.group()), text)


def _of_base64(run: str) -> str:
    padded = run.rstrip("=") + "=" * (-len(run.rstrip("=")) % 4)
    try:
        return _as_words(base64.b64decode(padded, altchars=b"-_" if set(run) & set("-_") else None))
    except (binascii.Error, ValueError):
        return ""


def _of_hex(run: str) -> str:
    digits = re.sub(r"[\s:]", "", run).removeprefix("0x")
    return _as_words(bytes.fromhex(digits)) if len(digits) % 2 == 0 else ""


def _of_binary(run: str) -> str:
    return _as_words(bytes(int(octet, 2) for octet in re.findall(r"[01]{8}", run)))


def _of_escapes(run: str) -> str:
    points = re.findall(r"\\[ux]([0-9a-fA-F]+)", run)
    return "".join(chr(int(point, 16)) for point in points)


def _as_words(data: bytes) -> str:
    """What the bytes spell, if that is a text."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    letters = sum(c.isalpha() or c.isspace() for c in text)
    return text if text.isprintable() and letters >= LEAST_LETTERS * len(text) else ""


def _is_wordy(text: str) -> bool:
    """Whether enough of its words are among the commonest of the languages we know, or it is in another script."""
    words = [word.lower() for word in _WORD.findall(text)]
    if not words or not text.isascii():
        return bool(words)
    return sum(word in _COMMON for word in words) >= LEAST_SHARE * len(words)


_CODES: tuple[tuple[re.Pattern[str], Callable[[str], str]], ...] = (
    (_BASE64, _of_base64),
    (_HEX, _of_hex),
    (_BINARY, _of_binary),
    (_ESCAPED, _of_escapes),
)

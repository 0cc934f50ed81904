"""Namespaces and keys of others as Nebo's, and back. Nebo's have one spelling: lower case, no spaces, no `--`."""

from __future__ import annotations

import re

ROOT = "langgraph"
MOST_CHARS = 128
_KEPT = re.compile(r"(?:[a-z0-9.:@+]+(?:-(?=[a-z0-9]))?)+")
_CODED = re.compile(r"(?:=[0-9a-f]{2})+")


def namespace_of(namespace: tuple[str, ...]) -> str:
    """Nebo's namespace. Raises ValueError for one that is too long."""
    return _within("/".join((ROOT, *(_spell(label) for label in namespace))))


def address_of(namespace: tuple[str, ...], key: str) -> tuple[str, str]:
    """Nebo's namespace and key."""
    return namespace_of(namespace), _within(_spell(key))


def read_namespace(spelled: str) -> tuple[str, ...]:
    """The namespace that was spelled so."""
    return tuple(read_key(label) for label in spelled.split("/")[1:])


def read_key(spelled: str) -> str:
    """The key that was spelled so."""
    return _CODED.sub(
        lambda run: bytes.fromhex(run.group().replace("=", "")).decode("utf-8", "replace"), spelled
    )


def _spell(text: str) -> str:
    """Whatever Nebo would write otherwise as `=` and two digits for each byte."""
    spelled, at = "", 0
    for kept in _KEPT.finditer(text):
        spelled += _code(text[at : kept.start()]) + kept.group()
        at = kept.end()
    return spelled + _code(text[at:])


def _code(text: str) -> str:
    return "".join(f"={byte:02x}" for byte in text.encode())


def _within(spelled: str) -> str:
    if len(spelled) > MOST_CHARS:
        raise ValueError(f"{spelled[:40]}… is too long: Nebo keeps {MOST_CHARS} characters")
    return spelled

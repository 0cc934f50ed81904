"""One spelling for keys and namespaces, so that a fact has one address."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

KEY_MAX_CHARS = 128  # characters; docs/design.md#memory-numbers
NAMESPACE_MAX_CHARS = 128  # characters
LAYERS = ("tacit", "daily", "entity")  # what lasts, what happened on a day, who and what there is
DEFAULT_NAMESPACE = "default"  # where a memory goes that names neither layer nor namespace
PROFILE_NAMESPACE = "tacit/user"  # what is stored here also fills the person's profile

_SPACES = re.compile(r"[\s_]+")
_HYPHENS = re.compile(r"-+")
_SLASHES = re.compile(r"/+")
_DOTTED_LAYER = re.compile(rf"^({'|'.join(LAYERS)})\.")
_UNSTORABLE = ("Cc", "Cf", "Cs")  # control, invisible and half characters


@dataclass(frozen=True, slots=True)
class Namespace:
    """An effective namespace in its two parts; `layer` is empty for one outside the layers."""

    layer: str
    name: str

    def __str__(self) -> str:
        return "/".join(part for part in (self.layer, self.name) if part)


def normalize_key(key: str) -> str:
    """Lower case, underscores and spaces to hyphens, repeats collapsed, ends trimmed, at most 128 characters.

    Idempotent. Invisible and control characters go, composed and decomposed letters are one (NFC).
    """
    return _tidy(key, KEY_MAX_CHARS)


def normalize_namespace(namespace: str) -> str:
    """A namespace in the spelling of keys; `tacit.user` and `tacit/user` are one."""
    return _DOTTED_LAYER.sub(r"\1/", _tidy(namespace, NAMESPACE_MAX_CHARS))


def effective_namespace(layer: str, namespace: str) -> str:
    """`layer/namespace` for a search; empty when both are, which searches everything.

    A namespace that is the layer, or that already starts with it, isn't doubled.
    """
    head, name = normalize_namespace(layer), normalize_namespace(namespace)
    if not head or name == head or name.startswith(f"{head}/"):
        return name or head
    return f"{head}/{name}"[:NAMESPACE_MAX_CHARS].rstrip("-/") if name else head


def storage_namespace(layer: str, namespace: str) -> str:
    """`layer/namespace` for a write; `default` when neither is given."""
    return effective_namespace(layer, namespace) or DEFAULT_NAMESPACE


def parse_namespace(effective: str) -> Namespace:
    """The layer and the name of an effective namespace, in any spelling."""
    head, _, name = normalize_namespace(effective).partition("/")
    if head in LAYERS:
        return Namespace(head, name)
    return Namespace("", normalize_namespace(effective))


def is_profile_namespace(namespace: str) -> bool:
    """Whether memories here also fill the person's profile (`tacit/user`, `tacit.user`)."""
    return normalize_namespace(namespace) == PROFILE_NAMESPACE


def _tidy(text: str, limit: int) -> str:
    joined = _SPACES.sub("-", text)
    visible = "".join(c for c in joined if unicodedata.category(c) not in _UNSTORABLE)
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", visible).lower())
    collapsed = _SLASHES.sub("/", _HYPHENS.sub("-", folded)).strip("-/")
    return collapsed[:limit].rstrip("-/")

"""Paths below `/memories`, of which none leads out. Pure."""

from __future__ import annotations

import unicodedata
from urllib.parse import unquote

from memories.screening.checks import find_reason
from memories.screening.orders import find_order_reason
from nebo.product.memory_files.models import PATH_CHARS

ROOT = "/memories"
NAME_CHARS = 100  # of a file or a folder
MOST_DEEP = 10  # folders, with the file's own name
SHOWN_CHARS = 200  # of a refused path, in the answer
DECODED_TIMES = 3  # `%252e%252e` says `..` once it was decoded twice


class WrongPath(ValueError):
    """A path that names nothing below `/memories`; its text is for the model."""


def read_path(path: str) -> str:
    """The path below `/memories`, `""` for that folder itself. Raises WrongPath."""
    shown = path[:SHOWN_CHARS]
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        raise WrongPath(f"Error: Path must start with {ROOT}, got: {shown}")
    if _leads_out(path):
        raise WrongPath(f"Error: Path {shown} would escape {ROOT} directory")
    names = [name for name in unicodedata.normalize("NFC", path).split("/")[2:] if name]
    below = "/".join(names)
    if len(below) > PATH_CHARS or len(names) > MOST_DEEP or any(len(name) > NAME_CHARS for name in names):
        raise WrongPath(
            f"Error: The path {shown} is too long: at most {PATH_CHARS} characters, {NAME_CHARS} a name, "
            f"{MOST_DEEP} levels"
        )
    if not below.isprintable() or any(name != name.strip() for name in names):
        raise WrongPath(f"Error: The path {shown} holds characters that no name may have")
    return below


def check_name(below: str, *, path: str) -> None:
    """Whether a new name may stand where every agent reads it. Raises WrongPath."""
    words = below.replace("_", " ").replace("-", " ").replace("/", " ")
    if find_reason(below, words) or find_order_reason(words):
        raise WrongPath(
            f"Error: The path {path[:SHOWN_CHARS]} can't be used: it holds a secret or reads like an order"
        )


def _leads_out(path: str) -> bool:
    """Whether it goes up anywhere, plainly or encoded."""
    for _ in range(DECODED_TIMES):
        names = unicodedata.normalize("NFKC", path).replace("\\", "/").split("/")
        if "\\" in path or any(name.strip() in (".", "..") for name in names):
            return True
        path = unquote(path)
    return False


def is_hidden(name: str) -> bool:
    """Whether a list leaves it out."""
    return name.startswith(".") or name == "node_modules"

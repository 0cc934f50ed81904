"""Named arrays out of the files that models come in: ONNX, of which only the constants are read, and safetensors."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
Span: TypeAlias = tuple[int, int]  # of a message's bytes in the file: from, to

ONNX_TYPES = {1: np.float32, 3: np.int8, 7: np.int64}  # TensorProto.DataType; others aren't weights
SAFETENSORS_TYPES = {"F32": np.float32, "F16": np.float16, "I8": np.int8, "I64": np.int64}
GRAPH, CONSTANT, DIMS, DATA_TYPE, NAME, RAW = 7, 5, 1, 2, 8, 9  # fields in onnx.proto
NUMBER, EIGHT_BYTES, BYTES = 0, 1, 2  # wire types of Protocol Buffers; 5 is four bytes


def read_weights(path: Path) -> dict[str, Array]:
    """The arrays of a file by their names; they stay in the file until they are used."""
    with path.open("rb") as file:
        content = mmap(file.fileno(), 0, access=ACCESS_READ)
    is_safetensors = content[8:9] == b"{"  # behind the length of what is JSON
    return dict(_read_safetensors(content) if is_safetensors else _read_onnx(content))


def _read_safetensors(content: mmap) -> Iterator[tuple[str, Array]]:
    (size,) = struct.unpack_from("<Q", content)
    for name, entry in json.loads(content[8 : 8 + size]).items():
        kind = SAFETENSORS_TYPES.get(entry.get("dtype", ""))
        if kind:
            first, last = entry["data_offsets"]
            yield name, _array(content, kind, (8 + size + first, 8 + size + last), entry["shape"])


def _read_onnx(content: mmap) -> Iterator[tuple[str, Array]]:
    """Each constant that carries its bytes in itself, as all do in a file below 2 GB."""
    for field, graph in _fields(content, (0, len(content))):
        if field == GRAPH and isinstance(graph, tuple):
            for inner, constant in _fields(content, graph):
                if inner == CONSTANT and isinstance(constant, tuple):
                    yield from _read_constant(content, constant)


def _read_constant(content: mmap, span: Span) -> Iterator[tuple[str, Array]]:
    shape: list[int] = []
    kind, name, raw = 0, (0, 0), None
    for field, value in _fields(content, span):
        if isinstance(value, tuple):
            name, raw = (value if field == NAME else name), (value if field == RAW else raw)
        elif field == DIMS:
            shape.append(value)
        elif field == DATA_TYPE:
            kind = value
    if kind in ONNX_TYPES and raw:
        yield content[slice(*name)].decode(), _array(content, ONNX_TYPES[kind], raw, shape)


def _array(content: mmap, kind: type, span: Span, shape: list[int]) -> Array:
    count = (span[1] - span[0]) // np.dtype(kind).itemsize
    return np.frombuffer(content, kind, count, span[0]).reshape(shape)


def _fields(content: mmap, span: Span) -> Iterator[tuple[int, int | Span]]:
    """Number and value of each field of a message; of what is longer than a number, where it stands."""
    at, end = span
    while at < end:
        tag, at = _varint(content, at)
        kind = tag & 7
        if kind == NUMBER:
            value, at = _varint(content, at)
            yield tag >> 3, value
            continue
        length, at = _varint(content, at) if kind == BYTES else (8 if kind == EIGHT_BYTES else 4, at)
        yield tag >> 3, (at, at + length)
        at += length


def _varint(content: mmap, at: int) -> tuple[int, int]:
    """Seven bits a byte, the lowest first; and where it ends."""
    value = shift = 0
    while (byte := content[at]) & 0x80:
        value |= (byte & 0x7F) << shift
        shift += 7
        at += 1
    return value | byte << shift, at + 1

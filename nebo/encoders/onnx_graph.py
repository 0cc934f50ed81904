"""The messages of an ONNX file that an encoder is made of, written. The package `onnx` takes 20 MB and more a process.

Field numbers are those of onnx.proto (https://github.com/onnx/onnx), the bytes those of Protocol Buffers. Whatever is
long stays a part of its own until the end, so that 21 MB of weights are copied once.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np

from nebo.encoders.weights import Array

Part: TypeAlias = bytes | memoryview

IR_VERSION = 10  # of ONNX 1.16, which every onnxruntime that we allow can read
NUMBER, BYTES, FOUR_BYTES = 0, 2, 5  # wire types
FLOAT, INT8, INT64 = 1, 3, 7  # TensorProto.DataType
TYPES = {"float32": FLOAT, "int8": INT8, "int64": INT64}
ATTRIBUTE_FLOAT, ATTRIBUTE_INT, ATTRIBUTE_INTS = 1, 2, 7  # AttributeProto.AttributeType


def write_node(operator: str, inputs: Sequence[str], output: str, domain: str, **attributes: Any) -> bytes:
    """A field of a graph: an operator with one output."""
    names = b"".join(_text(1, name) for name in inputs) + _text(2, output)
    chosen = b"".join(_bytes(5, _attribute(*one)) for one in sorted(attributes.items()))
    return _bytes(1, names + _text(4, operator) + chosen + (_text(7, domain) if domain else b""))


def write_constant(name: str, values: Array) -> list[Part]:
    """A field of a graph: an array by its name."""
    shape = b"".join(_number(1, size) for size in values.shape)
    raw = np.ascontiguousarray(values).data.cast("B")
    head = shape + _number(2, TYPES[values.dtype.name]) + _text(8, name) + _head(9, len(raw))
    return [_head(5, len(head) + len(raw)) + head, raw]


def write_value(kind: int, shape: Iterable[int | str]) -> bytes:
    """What is given to a graph or found by it: the type of its numbers and its shape, names for what varies."""
    sizes = (_number(1, size) if isinstance(size, int) else _text(2, size) for size in shape)
    dimensions = b"".join(_bytes(1, size) for size in sizes)
    return _bytes(1, _number(1, kind) + _bytes(2, dimensions))


def write_model(
    name: str,
    parts: Sequence[Part],
    given: tuple[str, bytes],
    found: tuple[str, bytes],
    domains: dict[str, int],
) -> bytes:
    """A whole file: a graph's nodes and constants as they come, its input and output, and versions of operators."""
    ends = _text(2, name) + b"".join(
        _bytes(number, _text(1, of) + _bytes(2, value)) for number, (of, value) in ((11, given), (12, found))
    )
    used = b"".join(_bytes(8, _text(1, domain) + _number(2, version)) for domain, version in domains.items())
    size = sum(map(len, parts)) + len(ends)
    return b"".join([_number(1, IR_VERSION), used, _head(7, size), *parts, ends])


def _attribute(name: str, value: Any) -> bytes:
    if isinstance(value, float):
        content, kind = _varint(2 << 3 | FOUR_BYTES) + struct.pack("<f", value), ATTRIBUTE_FLOAT
    elif isinstance(value, list):
        content, kind = b"".join(_number(8, one) for one in value), ATTRIBUTE_INTS
    else:
        content, kind = _number(3, value), ATTRIBUTE_INT
    return _text(1, name) + content + _number(20, kind)


def _text(field: int, text: str) -> bytes:
    return _bytes(field, text.encode())


def _bytes(field: int, content: bytes) -> bytes:
    return _head(field, len(content)) + content


def _head(field: int, length: int) -> bytes:
    return _varint(field << 3 | BYTES) + _varint(length)


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3 | NUMBER) + _varint(value)


def _varint(value: int) -> bytes:
    """Seven bits a byte, the lowest first; negative numbers have 64."""
    rest, found = value % (1 << 64), bytearray()
    while rest > 0x7F:
        found.append(rest & 0x7F | 0x80)
        rest >>= 7
    found.append(rest)
    return bytes(found)

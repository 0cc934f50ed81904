"""A BERT encoder as onnxruntime runs it fastest: eight-bit products and fused attention, put together from weights.

What the weights are multiplied with is scaled to eight bits by its largest number (dynamic quantization), so a graph
takes one text at a time: in the company of others it would get another vector.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nebo.encoders.onnx_graph import FLOAT, Part, write_constant, write_model, write_node, write_value
from nebo.encoders.weights import Array

HIDDEN = 384  # numbers a token, in both models that come along
WIDE = 4 * HIDDEN  # numbers between the two halves of a feed-forward network
HEADS = 12
LARGEST = 127  # in eight bits
EPSILON = 1e-12  # of every normalization, as in BERT
ONNXRUNTIME = "com.microsoft"  # the domain of its own operators
VERSIONS = {"": 17, ONNXRUNTIME: 1}  # of ONNX's operators, and of those


@dataclass(frozen=True, slots=True)
class Matrix:
    """A weight of shape (in, out), int8, what each of its columns is multiplied by (out,), and its bias (out,)."""

    numbers: Array
    scales: Array
    bias: Array


@dataclass(frozen=True, slots=True)
class Normalization:
    """Of 384 numbers: what they are multiplied by, and what is added."""

    weight: Array
    bias: Array


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer: attention and a feed-forward network, each with what normalizes its outcome."""

    query: Matrix
    key: Matrix
    value: Matrix
    output: Matrix
    up: Matrix
    down: Matrix
    after_attention: Normalization
    after_feed_forward: Normalization


def read_layer(
    number: int, matrix: Callable[[str], Matrix], normalization: Callable[[str], Normalization]
) -> Layer:
    """A layer by the names that both files have for its parts."""
    return Layer(
        query=matrix("q"),
        key=matrix("k"),
        value=matrix("v"),
        output=matrix("ao"),
        up=matrix("fi"),
        down=matrix("fo"),
        after_attention=normalization(f"l{number}.aln"),
        after_feed_forward=normalization(f"l{number}.oln"),
    )


def add_adapter(rows: Array, name: str, adapter: Mapping[str, Array]) -> Array:
    """A matrix (out, in) with what an adapter adds to it.

    An adapter has for the matrix `l0.q` two small ones, `l0.q.a` (rank, in) and `l0.q.b` (out, rank), whose product
    is added to it (Hu et al., LoRA, ICLR 2022). By `@` the 48 products would take two cores of BLAS's threads 0.3 s
    each, for work of 0.05.
    """
    if f"{name}.b" not in adapter:
        return rows
    added: Array = np.einsum("or,ri->oi", adapter[f"{name}.b"], adapter[f"{name}.a"])
    return rows + added


def quantize(rows: Array, bias: Array) -> Matrix:
    """A matrix (out, in) of floats in eight bits, a scale for each outcome."""
    scales = np.abs(rows).max(axis=1) / LARGEST
    return Matrix(np.rint(rows / scales[:, None]).astype(np.int8).T.copy(), scales.astype(np.float32), bias)


class Graph:
    """Operators and constants as they are added, each by the name of its one output."""

    def __init__(self) -> None:
        self._parts: list[Part] = []

    def add(
        self, operator: str, inputs: Sequence[str], output: str, domain: str = "", **attributes: Any
    ) -> str:
        self._parts.append(write_node(operator, inputs, output, domain, **attributes))
        return output

    def constant(self, name: str, values: Array) -> str:
        self._parts += write_constant(name, values)
        return name

    def normalize(self, values: str, by: Normalization, name: str) -> str:
        inputs = [values, *self._normalization(by, name)]
        return self.add("LayerNormalization", inputs, name, axis=-1, epsilon=EPSILON)

    def transform(self, number: int, layer: Layer, states: str) -> str:
        """A layer over `states`, (1, tokens, 384)."""
        here = f"layer.{number}"
        query, key, value = (
            self._multiply(states, matrix, f"{here}.{name}")
            for name, matrix in (("query", layer.query), ("key", layer.key), ("value", layer.value))
        )
        biases = np.concatenate([layer.query.bias, layer.key.bias, layer.value.bias])
        bias = self.constant(f"{here}.attention.bias", biases)
        attended = self._add_ours(
            "MultiHeadAttention", [query, key, value, bias], f"{here}.attended", num_heads=HEADS
        )
        mixed = self._add_to(states, attended, layer.output, layer.after_attention, f"{here}.mixed")
        widened = self._multiply(mixed, layer.up, f"{here}.up")
        up_bias = self.constant(f"{here}.up.bias", layer.up.bias)
        hidden = self._add_ours("BiasGelu", [widened, up_bias], f"{here}.hidden")
        return self._add_to(mixed, hidden, layer.down, layer.after_feed_forward, f"{here}.states")

    def serialize(self, name: str, given: tuple[str, bytes], states: str) -> bytes:
        """The model of `given` to `vector` (1, 384): the mean of the last states at length one."""
        mean = self.add("ReduceMean", [states], "mean", axes=[1], keepdims=0)
        self.add("LpNormalization", [mean], "vector", axis=1, p=2)
        found = ("vector", write_value(FLOAT, [1, HIDDEN]))
        return write_model(name, self._parts, given, found, VERSIONS)

    def _add_ours(self, operator: str, inputs: Sequence[str], output: str, **attributes: Any) -> str:
        return self.add(operator, inputs, output, ONNXRUNTIME, **attributes)

    def _normalization(self, by: Normalization, name: str) -> list[str]:
        return [self.constant(f"{name}.weight", by.weight), self.constant(f"{name}.shift", by.bias)]

    def _multiply(self, values: str, matrix: Matrix, name: str) -> str:
        numbers = self.constant(f"{name}.numbers", matrix.numbers)
        scales = self.constant(f"{name}.scales", matrix.scales)
        return self._add_ours("DynamicQuantizeMatMul", [values, numbers, scales], name)

    def _add_to(self, before: str, values: str, matrix: Matrix, by: Normalization, name: str) -> str:
        """What a part of a layer makes of `before`, added to it and normalized."""
        product = self._multiply(values, matrix, f"{name}.product")
        bias = self.constant(f"{name}.bias", matrix.bias)
        inputs = [product, before, *self._normalization(by, name), bias]
        return self._add_ours("SkipLayerNormalization", inputs, name, epsilon=EPSILON)

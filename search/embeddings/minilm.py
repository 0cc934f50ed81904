"""The graph of all-MiniLM-L6-v2 as it runs fastest: the weights of its file, put together anew.

The file multiplies its int8 weights out into floats, which takes four times the memory and more than twice the
time. Here the processor's eight-bit instructions work with them as they are. What they are multiplied with is scaled
to eight bits by its largest number (dynamic quantization), so the graph takes one text at a time: in the company of
others it would get another vector. On LoCoMo such vectors find what the float ones find, and each finds the other's.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

Weights: TypeAlias = dict[str, NDArray[Any]]

DIMENSIONS = 384  # the model's hidden size
LAYERS = 6
HEADS = 12
MATRICES = 6  # of a layer, in the file's order: query, key, value, output of the attention, up, down
EPSILON = 1e-12  # of every normalization, as in BERT
ONNX = helper.make_opsetid("", 17)
ONNXRUNTIME = helper.make_opsetid("com.microsoft", 1)  # its own operators
IR_VERSION = 10  # of ONNX 1.16, which every onnxruntime that we allow can read


def build_model(path: Path) -> bytes:
    """A model of `input_ids` (1, tokens) to `vector` (1, 384), the mean of the token vectors at length one."""
    graph = _Graph({one.name: numpy_helper.to_array(one) for one in onnx.load(path).graph.initializer})
    states = graph.embed_tokens("input_ids")
    for layer in range(LAYERS):
        states = graph.transform(layer, states)
    mean = graph.add("ReduceMean", [states], "mean", axes=[1], keepdims=0)
    graph.add("LpNormalization", [mean], "vector", axis=1, p=2)
    return graph.serialize()


class _Graph:
    """Operators and constants as they are added, each by the name of its one output.

    Of a matrix `x`, `weights` hold `x_q`, int8, and `x_scale`, what its columns are multiplied by (of embeddings: its
    rows).
    """

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._matrices = [
            name.removesuffix("_q") for name in weights if name.startswith("val_") and name.endswith("_q")
        ]
        self._operators: list[onnx.NodeProto] = []
        self._constants: list[onnx.TensorProto] = []

    def add(self, operator: str, inputs: Sequence[str], output: str, **attributes: Any) -> str:
        self._operators.append(helper.make_node(operator, inputs, [output], **attributes))
        return output

    def embed_tokens(self, ids: str) -> str:
        """(1, tokens, 384): words and their places. Only the rows that the text needs are multiplied out."""
        words = "inner.embeddings.word_embeddings.weight"
        rows = self.add("Gather", [self._own(f"{words}_q"), ids], "rows")
        scales = self.add("Gather", [self._own(f"{words}_scale"), ids], "scales")
        floats = self.add("Cast", [rows], "floats", to=onnx.TensorProto.FLOAT)
        scaled = self.add("Mul", [floats, scales], "scaled")
        embedded = self.add("Add", [scaled, self._places(ids)], "embedded")
        inputs = [embedded, *self._normalization("inner.embeddings")]
        return self.add("LayerNormalization", inputs, "states", axis=-1, epsilon=EPSILON)

    def transform(self, layer: int, states: str) -> str:
        """A layer of the transformer: attention and a feed-forward network, each beside what came in."""
        query, key, value, output, up, down = self._matrices[layer * MATRICES : (layer + 1) * MATRICES]
        here = f"inner.encoder.layer.{layer}"
        projected = [self._multiply(states, matrix) for matrix in (query, key, value)]
        attended = self._add_ours(
            "MultiHeadAttention",
            [*projected, self._attention_bias(here)],
            f"{here}.attended",
            num_heads=HEADS,
        )
        mixed = self._add_to(states, self._multiply(attended, output), f"{here}.attention.output")
        bias = self._own(f"{here}.intermediate.dense.bias")
        hidden = self._add_ours("BiasGelu", [self._multiply(mixed, up), bias], f"{here}.hidden")
        return self._add_to(mixed, self._multiply(hidden, down), f"{here}.output")

    def serialize(self) -> bytes:
        graph = helper.make_graph(
            self._operators,
            "all-MiniLM-L6-v2",
            [helper.make_tensor_value_info("input_ids", onnx.TensorProto.INT64, [1, "tokens"])],
            [helper.make_tensor_value_info("vector", onnx.TensorProto.FLOAT, [1, DIMENSIONS])],
            self._constants,
        )
        model = helper.make_model(graph, opset_imports=[ONNX, ONNXRUNTIME], ir_version=IR_VERSION)
        content: bytes = model.SerializeToString()
        return content

    def _add_ours(self, operator: str, inputs: Sequence[str], output: str, **attributes: Any) -> str:
        return self.add(operator, inputs, output, domain=ONNXRUNTIME.domain, **attributes)

    def _constant(self, name: str, values: NDArray[Any]) -> str:
        self._constants.append(numpy_helper.from_array(values, name))
        return name

    def _own(self, name: str) -> str:
        """A constant as the file has it."""
        return self._constant(name, self._weights[name])

    def _places(self, ids: str) -> str:
        """(tokens, 384): what a token's place adds to it, and its type, which is the same for all."""
        name = "inner.embeddings.position_embeddings.weight"
        places = self._weights[f"{name}_q"].astype(np.float32) * self._weights[f"{name}_scale"]
        kind = self._weights["inner.embeddings.token_type_embeddings.weight"][0]
        start, length = self._constant("start", np.array([0])), self.add("Shape", [ids], "length", start=1)
        return self.add("Slice", [self._constant(name, places + kind), start, length, start], "places")

    def _normalization(self, name: str) -> list[str]:
        return [self._own(f"{name}.LayerNorm.{part}") for part in ("weight", "bias")]

    def _attention_bias(self, layer: str) -> str:
        own = [self._weights[f"{layer}.attention.self.{name}.bias"] for name in ("query", "key", "value")]
        return self._constant(f"{layer}.attention.bias", np.concatenate(own))

    def _multiply(self, values: str, matrix: str) -> str:
        scale = self._constant(f"{matrix}_scale", self._weights[f"{matrix}_scale"][0])
        return self._add_ours("DynamicQuantizeMatMul", [values, self._own(f"{matrix}_q"), scale], matrix)

    def _add_to(self, before: str, values: str, name: str) -> str:
        """What a part of a layer makes of `before`, added to it and normalized."""
        inputs = [values, before, *self._normalization(name), self._own(f"{name}.dense.bias")]
        return self._add_ours("SkipLayerNormalization", inputs, name, epsilon=EPSILON)

"""all-MiniLM-L6-v2 from the weights of its file, put together anew.

The file multiplies its int8 weights out into floats, which takes four times the memory and more than twice the
time. Here the processor's eight-bit instructions work with them as they are (`bert.py`). On LoCoMo such vectors find
what the float ones find, and each finds the other's.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

import numpy as np
import onnx
from onnx import helper, numpy_helper

from nebo.encoders.bert import HIDDEN, Array, Graph, Layer, Matrix, Normalization

Weights: TypeAlias = dict[str, Array]

DIMENSIONS = HIDDEN
LAYERS = 6
MATRICES = 6  # of a layer


def build_model(path: Path) -> bytes:
    """A model of `input_ids` (1, tokens) to `vector` (1, 384), the mean of the token vectors at length one."""
    weights = {one.name: numpy_helper.to_array(one) for one in onnx.load(path).graph.initializer}
    graph = Graph()
    states = _embed_tokens(graph, weights)
    for number in range(LAYERS):
        states = graph.transform(number, _layer(weights, number), states)
    ids = helper.make_tensor_value_info("input_ids", onnx.TensorProto.INT64, [1, "tokens"])
    return graph.serialize("all-MiniLM-L6-v2", ids, states)


def _embed_tokens(graph: Graph, weights: Weights) -> str:
    """(1, tokens, 384): words and their places. Only the rows that the text needs are multiplied out."""
    words = "inner.embeddings.word_embeddings.weight"
    ids = "input_ids"
    rows = graph.add("Gather", [graph.constant("words", weights[f"{words}_q"]), ids], "rows")
    scales = graph.add("Gather", [graph.constant("word_scales", weights[f"{words}_scale"]), ids], "scales")
    floats = graph.add("Cast", [rows], "floats", to=onnx.TensorProto.FLOAT)
    scaled = graph.add("Mul", [floats, scales], "scaled")
    embedded = graph.add("Add", [scaled, _places(graph, weights)], "embedded")
    return graph.normalize(embedded, _normalization(weights, "inner.embeddings"), "states")


def _places(graph: Graph, weights: Weights) -> str:
    """(tokens, 384): what a token's place adds to it, and its type, which is the same for all."""
    name = "inner.embeddings.position_embeddings.weight"
    places = weights[f"{name}_q"].astype(np.float32) * weights[f"{name}_scale"]
    kind = weights["inner.embeddings.token_type_embeddings.weight"][0]
    start = graph.constant("start", np.array([0]))
    length = graph.add("Shape", ["input_ids"], "length", start=1)
    every = graph.constant("every_place", places + kind)
    return graph.add("Slice", [every, start, length, start], "places")


def _layer(weights: Weights, number: int) -> Layer:
    names = [name.removesuffix("_q") for name in weights if name.startswith("val_") and name.endswith("_q")]
    here = f"inner.encoder.layer.{number}"

    def matrix(place: int, bias: str) -> Matrix:
        name = names[number * MATRICES + place]
        return Matrix(weights[f"{name}_q"], weights[f"{name}_scale"][0], weights[f"{here}.{bias}.bias"])

    return Layer(
        query=matrix(0, "attention.self.query"),
        key=matrix(1, "attention.self.key"),
        value=matrix(2, "attention.self.value"),
        output=matrix(3, "attention.output.dense"),
        up=matrix(4, "intermediate.dense"),
        down=matrix(5, "output.dense"),
        after_attention=_normalization(weights, f"{here}.attention.output"),
        after_feed_forward=_normalization(weights, f"{here}.output"),
    )


def _normalization(weights: Weights, name: str) -> Normalization:
    return Normalization(*(weights[f"{name}.LayerNorm.{part}"] for part in ("weight", "bias")))

"""A model file out of a graph, read by the engine that it is for."""

from __future__ import annotations

import numpy as np
import onnxruntime

from exegesis.adapters.onnx_file import Element, Graph, Node, Tensor, Value, write_model


def test_the_engine_computes_what_was_written() -> None:
    """Constants of all kinds, attributes that are numbers and fractions, names of any letters, and dimensions of any size."""
    graph = Graph(
        [
            Node("Cast", ("bytes",), ("as floats",), {"to": int(Element.FLOAT)}),
            Node("Add", ("x", "größe"), ("sum",), {}),
            Node("Gemm", ("sum", "as floats"), ("product",), {"alpha": 0.5, "transB": 1}),
            Node("Reshape", ("product", "shape"), ("y",), {}),
        ],
        [
            Tensor("bytes", Element.INT8, (2, 3), bytes([1, 2, 3, 255, 0, 1])),
            Tensor("größe", Element.FLOAT, (1,), b"\x00\x00\x80\x3f"),
            Tensor("shape", Element.INT64, (1,), (-1).to_bytes(8, "little", signed=True)),
        ],
        [Value("x", Element.FLOAT, ("any", 3))],
        [Value("y", Element.FLOAT, ("numbers",))],
    )
    session = onnxruntime.InferenceSession(write_model(graph, {"": 17}), providers=["CPUExecutionProvider"])
    rows = np.array([[0, 0, 0], [1, 2, 3]], np.float32)
    expected = ((rows + 1) @ np.array([[1, 2, 3], [-1, 0, 1]]).T) / 2
    assert session.run(None, {"x": rows})[0].tolist() == expected.ravel().tolist()

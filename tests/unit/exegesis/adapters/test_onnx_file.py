"""Tensors out of a model file, and a model file out of a graph."""

from __future__ import annotations

import contextlib

import pytest

from exegesis.adapters.onnx_file import Element, Graph, Node, Tensor, Value, read_tensors, write_model

TENSORS = (
    Tensor("weights", Element.INT8, (2, 3), bytes(range(6))),
    Tensor("größe", Element.FLOAT, (1,), b"\x00\x00\x80\x3f"),
    Tensor("none", Element.INT64, (0, 300), b""),
)
GRAPH = Graph(
    [Node("Add", ("x", "größe"), ("y",), {"axis": -1, "epsilon": 1e-12})],
    TENSORS,
    [Value("x", Element.FLOAT, ("any", 3))],
    [Value("y", Element.FLOAT, ("any", 3))],
)


def test_what_was_written_is_read_back() -> None:
    """Names, kinds, shapes and bytes of all tensors."""
    assert list(read_tensors(write_model(GRAPH, {"": 17})).values()) == list(TENSORS)


def test_dimensions_may_stand_together() -> None:
    """Writers may put the numbers of a shape into one field, and this reader takes either."""
    packed = b"\x0a\x03\x02\x80\x01" + b"\x10\x03" + b"\x42\x01w" + b"\x4a\x01\x07"  # a shape of 2 and 128, bytes, "w", one byte
    model = b"\x3a" + bytes([len(packed) + 2]) + b"\x2a" + bytes([len(packed)]) + packed
    assert read_tensors(model)["w"] == Tensor("w", Element.INT8, (2, 128), b"\x07")


def test_a_file_that_ends_too_early_is_told() -> None:
    """Cut anywhere it gives no tensor that was not whole: an error, or those before the cut."""
    model = write_model(GRAPH, {"": 17})
    for end in range(len(model)):
        with contextlib.suppress(ValueError):
            assert set(read_tensors(model[:end]).values()) <= set(TENSORS)


@pytest.mark.parametrize("content", [b"\x3a\xff", b"\x3b", b"\x38\x01", b"\xff" * 20, b"\x3a\x02\x2a\x09"])
def test_what_is_no_such_file_is_told(content: bytes) -> None:
    """A length beyond the end, an unknown kind of field, a number for a message, a number without an end."""
    with pytest.raises(ValueError, match="file"):
        read_tensors(content)

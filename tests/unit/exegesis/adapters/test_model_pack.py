"""Weights and a tokenizer out of a file."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
import pytest

from exegesis.adapters.model_pack import read_pack

TOKENIZER = '{"name": "größe"}'
VALUES = np.array([[1, -2, 3, -4], [5, 6, 127, -128]], np.int8)
SCALES = np.array([[0.5, 2.0], [1.0, 0.25]], "<f4")
BIAS = np.array([0.5, -0.5], "<f4")
TENSORS = [
    {"name": "matrix", "dtype": "i8", "shape": [2, 4], "len": 24, "group": 2},
    {"name": "bias", "dtype": "f32", "shape": [2], "len": 8, "group": 0},
]


def pack(**changed: Any) -> bytes:
    header = json.dumps({"tokenizer_len": len(TOKENIZER.encode()), "tensors": TENSORS} | changed).encode()
    return b"HMSEMB01" + struct.pack("<Q", len(header)) + header + TOKENIZER.encode() + VALUES.tobytes() + SCALES.tobytes() + BIAS.tobytes()


def test_a_pack_is_read() -> None:
    """The tokenizer, arrays of floats, and matrices whose groups of columns have a scale each."""
    read = read_pack(pack())
    assert read.tokenizer == TOKENIZER
    assert read.arrays["bias"].tolist() == [0.5, -0.5]
    assert read.matrices["matrix"].floats().tolist() == [[0.5, -1, 6, -8], [5, 6, 31.75, -32]]


def test_a_pack_that_ends_too_early_is_told() -> None:
    """Cut anywhere, it is no pack."""
    whole = pack()
    for end in range(len(whole)):
        with pytest.raises(ValueError, match="pack"):
            read_pack(whole[:end])


@pytest.mark.parametrize(
    "changed",
    [
        {"tensors": [TENSORS[0] | {"group": 3}]},
        {"tensors": [TENSORS[0] | {"group": 0}]},
        {"tensors": [TENSORS[0] | {"shape": [2, 2, 2]}]},
        {"tensors": [TENSORS[0] | {"shape": [1 << 20, 1 << 20]}]},
        {"tensors": [TENSORS[0] | {"len": 23}]},
        {"tensors": [TENSORS[0] | {"len": -24}]},
        {"tensors": [{"name": "bias"}]},
        {"tensors": 3},
        {"tokenizer_len": "many"},
        {"tokenizer_len": 2},
    ],
)
def test_what_does_not_fit_is_told(changed: dict[str, Any]) -> None:
    """Shapes, groups and lengths that contradict each other, and a header that says something else."""
    with pytest.raises(ValueError):  # noqa: PT011 - each in its own words
        read_pack(pack(**changed))

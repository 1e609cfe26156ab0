"""An embedder that knows words and, where told, synonyms: the same text gets the same unit vector in every process."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from exegesis.errors import EmbedderUnavailable
from exegesis.terms import spoken, stem, term_id


@dataclass(slots=True)
class WordEmbedder:
    synonyms: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    """What one batch takes."""
    broken: bool = False
    embedded: list[str] = field(default_factory=list)
    """Every text that was embedded, in order."""
    questions: list[str] = field(default_factory=list)
    """Every question."""
    dimensions: int = 256
    fingerprint: str = "words/256"

    def embed(self, texts: Sequence[str], *, tokens: int) -> Sequence[Sequence[float]]:
        if self.broken:
            raise EmbedderUnavailable("The embedder does not answer.")
        time.sleep(self.seconds)
        self.embedded += texts
        return [self._vector(text) for text in texts]

    def embed_question(self, text: str) -> Sequence[float]:
        if self.broken:
            raise EmbedderUnavailable("The embedder does not answer.")
        self.questions.append(text)
        return self._vector(text)

    def _vector(self, text: str) -> list[float]:
        vector = [0.0] * self.dimensions
        for word in spoken(text).split():
            root = stem(self.synonyms.get(word, word))
            vector[term_id(root) % self.dimensions] += 1.0
        length = math.sqrt(sum(value * value for value in vector)) or 1.0
        return [value / length for value in vector]

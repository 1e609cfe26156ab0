"""The embedding models that a server may be asked to serve, with what must be known of each before it answers for the first time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from exegesis.errors import UsageError


@dataclass(frozen=True, slots=True)
class EmbeddingModel:
    """What makes vectors comparable, beside the weights."""

    name: str
    """On the Hugging Face hub, as the server reports it."""
    dimensions: int
    pooling: str
    """As the server reports it: ``mean``, ``cls``, ``last_token``."""
    question_prefix: str
    """Before every question: models that were trained with one find little without it."""
    text_prefix: str
    """Before every text that is indexed."""
    license: str

    def fingerprint(self, revision: str) -> str:
        """Equal only for vectors that may be compared. ``revision`` is the pinned commit of the weights, or empty."""
        prefixes = f"{self.question_prefix!r}|{self.text_prefix!r}"
        return f"{self.name};{revision[:12] or 'any-revision'};{self.dimensions};{self.pooling};l2;{prefixes}"


_NO_PREFIX: Final = ("", "")
_INSTRUCTION: Final = ("Instruct: Given a question about a codebase, retrieve the code that answers it\nQuery:", "")
_CODE_QUERY: Final = ("Represent this query for searching relevant code: ", "")

MODELS: Final = (
    # First the default: it runs on a CPU, its licence restricts nobody, and it was trained on code.
    EmbeddingModel("jinaai/jina-embeddings-v2-base-code", 768, "mean", *_NO_PREFIX, license="Apache-2.0"),
    EmbeddingModel("Qwen/Qwen3-Embedding-0.6B", 1024, "last_token", *_INSTRUCTION, license="Apache-2.0"),  # where there is a GPU
    EmbeddingModel("nomic-ai/CodeRankEmbed", 768, "cls", *_CODE_QUERY, license="MIT"),
    EmbeddingModel("Alibaba-NLP/gte-modernbert-base", 768, "cls", *_NO_PREFIX, license="Apache-2.0"),
    EmbeddingModel("ibm-granite/granite-embedding-english-r2", 768, "cls", *_NO_PREFIX, license="Apache-2.0"),
    EmbeddingModel("ibm-granite/granite-embedding-small-english-r2", 384, "cls", *_NO_PREFIX, license="Apache-2.0"),
    EmbeddingModel("sentence-transformers/all-MiniLM-L6-v2", 384, "mean", *_NO_PREFIX, license="Apache-2.0"),  # small, for a first try
)
"""No model whose licence forbids commercial use or whose download asks for consent: an installation must not depend on either by accident."""


def embedding_model(name: str) -> EmbeddingModel:
    for model in MODELS:
        if model.name == name:
            return model
    known = ", ".join(model.name for model in MODELS)
    raise UsageError(f"EXEGESIS_EMBEDDER_MODEL names {name!r}, which this version knows nothing about", hint=f"Set it to one of: {known}.")

"""A question taken through the stages up to composition, as the pipeline does it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from exegesis.model import Context, Options, Question
from services.query.compose import compose
from services.query.corpus import Corpus, Key
from services.query.expand import Expansion, expand
from services.query.rank import Ranking, rank
from services.query.retrieve import Seeds, retrieve, with_chunks
from services.query.survey import Glimpse
from services.query.symbols import Anchor, map_to_symbols


@dataclass(frozen=True, slots=True)
class Asked:
    seeds: Seeds
    ranking: Ranking
    """Without what the graph lends."""
    anchors: tuple[Anchor, ...]
    expansion: Expansion
    context: Context

    @property
    def names(self) -> list[str]:
        return [item.symbol for item in self.context.items]


def ask(text: str, *corpora: Corpus, options: Options | None = None, mapped: Mapping[Key, Glimpse] | None = None) -> Asked:
    seeds = retrieve(Question(text, tuple(corpus.repository for corpus in corpora), options or Options()), corpora)
    ranking = rank(seeds)
    anchors = map_to_symbols(seeds, ranking)
    expansion = expand(seeds, anchors)
    full = with_chunks(seeds, expansion.chunks)
    return Asked(seeds, ranking, anchors, expansion, compose(full, rank(full, expansion.lent), anchors, expansion, mapped or {}))

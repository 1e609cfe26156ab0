from pathlib import Path

from exegesis.model import Options
from services.query.corpus import chunks_holding
from services.query.retrieve import Seeds, with_chunks
from services.query.within import further_chunks
from tests.fakes.asking import ask
from tests.fakes.small_repository import Piece, small_repository

FILES = {
    "Sources/Session.swift": [Piece("openSession", "socket.connect()"), Piece("closeSession", "socket.end()", enclosing="Pool")],
    "Sources/RetryPolicy.swift": [Piece("retryPolicy", "limit()"), Piece("backoff", "pow(2)")],
}


def names(seeds: Seeds) -> set[str]:
    return {candidate.chunk.name for candidate in seeds.candidates}


def test_words_phrases_and_identifiers_all_find(tmp_path: Path) -> None:
    """Split words meet identifiers, and two words side by side meet the name that joins them."""
    corpus = small_repository(tmp_path, FILES)
    assert {"openSession", "closeSession"} <= names(ask("sessions", corpus).seeds)
    assert "retryPolicy" in names(ask("retry policy", corpus).seeds)
    assert names(ask("backoff", corpus).seeds) >= {"backoff"}


def test_what_no_chunk_contains_is_counted_as_unknown(tmp_path: Path) -> None:
    """The judgement of relevance needs to know which words the repository never says."""
    mass = ask("session blockchain", small_repository(tmp_path, FILES)).seeds.masses["repo"]
    assert mass.unknown == ("blockchain",)
    assert 0 < mass.known < mass.total


def test_added_chunks_are_scored_like_found_ones(tmp_path: Path) -> None:
    """What the graph adds gets the score that a search would have given it, and what is known is not added twice."""
    corpus = small_repository(tmp_path, FILES)
    seeds = ask("session", corpus).seeds
    everything = {chunk.id: chunk for chunk in corpus.graph.chunks_in(corpus.pin, sorted(FILES))}
    widened = with_chunks(seeds, {"repo": everything})
    assert len(widened.candidates) == len(everything)
    scores = {candidate.chunk.name: candidate.lexical for candidate in widened.candidates}
    assert scores["backoff"] == 0
    assert all(candidate in widened.candidates for candidate in seeds.candidates)


def test_a_prefilter_keeps_only_what_shares_a_word(tmp_path: Path) -> None:
    """With the option nothing enters by vector or name alone."""
    asked = ask("session", small_repository(tmp_path, FILES), options=Options(lexical_prefilter=True))
    assert all(candidate.lexical > 0 for candidate in asked.seeds.candidates)


def test_symbols_are_held_by_their_own_chunk(tmp_path: Path) -> None:
    """The way back from a symbol to what shows it."""
    corpus = small_repository(tmp_path, FILES)
    symbols = corpus.graph.symbols_named(corpus.pin, ["backoff", "openSession"])
    held = corpus.graph.chunks(corpus.pin, list(chunks_holding(corpus, [symbol.id for symbol in symbols]).values()))
    assert {chunk.symbol for chunk in held.values()} == {symbol.id for symbol in symbols}


def test_anchors_know_what_is_declared_in_them(tmp_path: Path) -> None:
    """Each anchor brings the symbols in its lines, best chunk first."""
    asked = ask("Pool.closeSession", small_repository(tmp_path, FILES))
    corpus = asked.seeds.corpora["repo"]
    declared = corpus.graph.symbols(corpus.pin, list(asked.anchors[0].symbols))
    assert [symbol.qualified for symbol in declared.values()] == ["Pool.closeSession"]


def test_within_a_file_rare_words_decide(tmp_path: Path) -> None:
    """A word that every file has still singles out one function of this file."""
    others = {f"o{number}.swift": [Piece(f"other{number}", "flush()")] for number in range(6)}
    files = {"Cache.swift": [Piece("cacheLookup", "cache.find()"), Piece("evict", "flush()"), Piece("count", "size()")], **others}
    asked = ask("how does the cache lookup flush?", small_repository(tmp_path, files))
    best = next(chunk for chunk in asked.ranking.chunks if chunk.candidate.chunk.name == "cacheLookup")
    further = further_chunks(asked.seeds, asked.ranking, frozenset({best.candidate.key}))
    of_file = [chunk.candidate.chunk.name for chunk in further if chunk.candidate.chunk.path == "Cache.swift"]
    assert of_file[0] == "evict"

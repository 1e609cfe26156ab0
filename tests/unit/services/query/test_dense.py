from pathlib import Path

from exegesis.adapters.cached_embedder import CachedEmbedder
from exegesis.adapters.sqlite_cache import SqliteCache
from exegesis.model import Options, Question
from services.query.corpus import Corpus
from services.query.dense import LATE, with_late_vectors
from services.query.rank import rank
from services.query.retrieve import Seeds, retrieve
from tests.fakes.small_repository import Piece, small_repository
from tests.fakes.word_embedder import WordEmbedder

FILES = {
    "Sources/Login.swift": [Piece("authenticate", "check(password)", doc="Signs a person in.")],
    "Sources/Other.swift": [Piece(f"person{number}", "sign()") for number in range(LATE + 8)],
}


def late(corpus: Corpus, options: Options | None = None) -> tuple[Seeds, tuple[str, ...]]:
    seeds = retrieve(Question("how does a person sign in", ("repo",), options or Options()), [corpus])
    return with_late_vectors(seeds, rank(seeds))


def test_the_best_candidates_are_compared_with_the_question(tmp_path: Path) -> None:
    """As many as the table says, no more, and each gets its similarity."""
    embedder = WordEmbedder()
    seeds, warnings = late(small_repository(tmp_path, FILES, embedder=embedder))
    assert not warnings
    assert sum(candidate.cosine is not None for candidate in seeds.candidates) == LATE
    assert len(embedder.embedded) <= LATE


def test_vectors_are_kept_for_the_next_question(tmp_path: Path) -> None:
    """What was embedded once is never embedded again, and similarities stay the same."""
    cache = SqliteCache(tmp_path / "cache.db")
    embedder = WordEmbedder()
    corpus = small_repository(tmp_path, FILES, embedder=CachedEmbedder(embedder, cache))
    first, _ = late(corpus)
    count = len(embedder.embedded)
    second, _ = late(corpus)
    cache.close()
    assert len(embedder.embedded) == count > 0
    assert first.candidates == second.candidates


def test_past_its_time_the_dense_part_is_left_out_whole(tmp_path: Path) -> None:
    """Half of the vectors would make the answer depend on the weather."""
    seeds, warnings = late(small_repository(tmp_path, FILES, embedder=WordEmbedder(seconds=0.02)), Options(dense_seconds=0.01))
    assert all(candidate.cosine is None for candidate in seeds.candidates)
    assert "Vectors were left out" in warnings[0]
    assert "`exegesis index` stores vectors" in warnings[0]


def test_a_broken_embedder_costs_the_vectors_only(tmp_path: Path) -> None:
    """The question goes on without them, and says so."""
    seeds, warnings = late(small_repository(tmp_path, FILES, embedder=WordEmbedder(broken=True)))
    assert seeds.candidates
    assert "does not answer" in warnings[0]


def test_stored_vectors_find_what_no_word_names(tmp_path: Path) -> None:
    """With all vectors in the index the nearest chunks are candidates, and their names join the question."""
    embedder = WordEmbedder(synonyms={"login": "authenticate"})
    files = {"a.swift": [Piece("authenticate", "verify(secret)"), Piece("draw", "canvas.line()")], "b.swift": [Piece("paint", "canvas.fill()")]}
    corpus = small_repository(tmp_path, files, embedder=embedder, vectors=True)
    assert corpus.has_vectors
    seeds = retrieve(Question("login", ("repo",), Options()), [corpus])
    best = rank(seeds).chunks[0].candidate
    assert best.chunk.name == "authenticate"
    assert best.lexical > 0  # by feedback alone: the question shares no word with it
    plain = retrieve(Question("login", ("repo",), Options(dense=False)), [corpus])
    assert not plain.candidates


def test_a_question_about_the_whole_resembles_nothing(tmp_path: Path) -> None:
    """Its nearest chunks are chance: they and their names stay out, although every vector is there."""
    files = {"a.swift": [Piece("tour", "guide()"), Piece("draw", "canvas.line()")], "README.md": [Piece("Painting", "Draws.")]}
    corpus = small_repository(tmp_path, files, embedder=WordEmbedder(), vectors=True)
    assert retrieve(Question("how is a line drawn?", ("repo",), Options()), [corpus]).has_vectors
    assert not retrieve(Question("I am new here, give me a tour", ("repo",), Options()), [corpus]).has_vectors

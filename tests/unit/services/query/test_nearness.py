from dataclasses import replace
from pathlib import Path

import pytest

from exegesis.model import FileRole, Question
from services.query.corpus import Corpus
from services.query.events import drain
from services.query.nearness import nearness_of_files, with_nearness
from services.query.pipeline import search
from services.query.rank import NEAR, rank
from services.query.retrieve import NOTHING_NEAR, Nearest, Seeds, find_nearest, retrieve
from tests.fakes.small_repository import Piece, small_repository
from tests.fakes.word_embedder import WordEmbedder

FILES = {
    "Login.swift": [Piece("session", "token()", doc="The session of the token."), Piece("token", "session()", doc="The token of the session.")],
    "Vault.swift": [Piece("secret", "keep()", doc="Credential kept."), Piece("credential", "keep()", doc="Credential kept secret.")],
    "Clock.swift": [Piece("tick", "count()", doc="Credential ticks."), Piece("tock", "count()", doc="Counts seconds.")],
}
SYNONYMS = {"credential": "token", "secret": "token", "kept": "session"}


def found(text: str, corpus: Corpus) -> tuple[Seeds, Nearest]:
    """What words find, and what vectors do."""
    question = Question(text, (corpus.repository,))
    return retrieve(question, [corpus], near=NOTHING_NEAR), find_nearest(question, [corpus])


def test_a_file_is_as_near_as_the_two_of_its_chunks_that_are_nearest(tmp_path: Path) -> None:
    """A second chunk counts as much as the first; the farthest of all counts nothing, and the nearest 1."""
    corpus = small_repository(tmp_path, FILES, embedder=WordEmbedder(synonyms=SYNONYMS), vectors=True)
    seeds, nearest = found("token session", corpus)
    cosines = {chunk.name: nearest.chunks["repo"][id_] for id_, chunk in corpus.graph.chunks(corpus.pin, sorted(nearest.chunks["repo"])).items()}
    farthest, highest = min(cosines.values()), max(cosines.values())
    near = {path: share for (_, path), share in (nearness_of_files(seeds, nearest) or {}).items()}
    for path, pieces in FILES.items():
        shares = [(cosines[piece.name] - farthest) / (highest - farthest) for piece in pieces]
        assert near[path] == pytest.approx(sum(shares) / 2)
    assert near["Vault.swift"] > near["Clock.swift"]


def test_without_stored_vectors_nothing_is_near(tmp_path: Path) -> None:
    """Nothing is embedded to find out."""
    embedder = WordEmbedder()
    assert nearness_of_files(*found("token session", small_repository(tmp_path, FILES, embedder=embedder))) is None
    assert not embedder.embedded


def test_files_without_vectors_yet_are_not_pushed_behind_those_that_have_them(tmp_path: Path) -> None:
    """Where only the code itself has vectors, and tests are asked for, the list is made as if nothing had any."""
    files = FILES | {"LoginTests.swift": [Piece("testToken", "token()", doc="Tests of the token of a session.")]}
    corpus = small_repository(tmp_path, files, {"LoginTests.swift": FileRole.TEST}, embedder=WordEmbedder(synonyms=SYNONYMS), vectors=True)
    of_code = replace(corpus, has_all_vectors=False)
    about_tests = "tests of the token of a session"
    assert nearness_of_files(*found(about_tests, corpus))
    assert nearness_of_files(*found(about_tests, of_code)) is None
    assert nearness_of_files(*found("the token of a session", of_code))


def test_a_name_that_is_typed_asks_for_its_definition(tmp_path: Path) -> None:
    """However near others are."""
    assert nearness_of_files(*found("sessionToken", small_repository(tmp_path, FILES, embedder=WordEmbedder(), vectors=True))) == {}


def test_what_is_equally_near_says_nothing(tmp_path: Path) -> None:
    """There is no scale between one cosine and itself."""
    files = {"a.swift": [Piece("token", "")], "b.swift": [Piece("token", "")]}
    assert not nearness_of_files(*found("token", small_repository(tmp_path, files, embedder=WordEmbedder(), vectors=True)))


def test_files_move_and_none_joins(tmp_path: Path) -> None:
    """Each by its share of the weight; what words did not find is in no list for its vector alone."""
    corpus = small_repository(tmp_path, FILES, embedder=WordEmbedder(synonyms=SYNONYMS), vectors=True)
    question = Question("tick of a session", (corpus.repository,))
    ranking = rank(retrieve(question, [corpus], near=NOTHING_NEAR))
    near = {(corpus.repository, "Vault.swift"): 1.0, (corpus.repository, "Clock.swift"): 0.5}
    before = {file.file: file.score for file in ranking.files}
    moved = with_nearness(ranking, near)
    assert {file.file[1]: round(file.score - before[file.file], 9) for file in moved.files} == {"Clock.swift": NEAR.weight / 2, "Login.swift": 0.0}
    assert [file.score for file in moved.files] == sorted((file.score for file in moved.files), reverse=True)
    assert with_nearness(ranking, {}) is ranking


@pytest.mark.parametrize("text", ["where is a token kept", "keeping tokens"])
def test_a_list_reads_stored_vectors_and_embeds_nothing(tmp_path: Path, text: str) -> None:
    """Not even for a topic, whose best candidates are embedded where the index has no vectors."""
    files = {
        "Aside.swift": [Piece("note", "token()", doc="Keeps a token of esteem."), Piece("esteem", "poem()", doc="Poem.")],
        "Vault.swift": [Piece("vault", "token()", doc="Keeps a token of credential."), Piece("secret", "credential()", doc="Credential kept.")],
    }
    embedder = WordEmbedder(synonyms=SYNONYMS | {"keep": "session", "keeps": "session", "keeping": "session", "tokens": "token"})
    with_vectors = small_repository(tmp_path / "with", files, embedder=embedder, vectors=True)
    embedder.embedded.clear()
    by_meaning = drain(search(Question(text, ("repo",)), [with_vectors], {}))[0].listed.results
    assert not embedder.embedded
    assert by_meaning[0].path == "Vault.swift"  # by words the two are level
    by_words = drain(search(Question(text, ("repo",)), [small_repository(tmp_path / "without", files)], {}))[0].listed.results
    assert {result.path for result in by_words} == {result.path for result in by_meaning}

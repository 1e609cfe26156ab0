from pathlib import Path

from exegesis.model import FileRole
from services.query.ways import MANY, count_ways
from tests.fakes.small_repository import Piece, small_repository


def test_callers_are_counted_in_the_whole_repository_outside_tests(tmp_path: Path) -> None:
    """Each once, however often it calls."""
    files = {
        "a.swift": [Piece("serve", "x"), Piece("first", "serve()\nserve()", calls=("serve", "serve")), Piece("second", "serve()", calls=("serve",))],
        "t.swift": [Piece("testServe", "serve()", calls=("serve",))],
    }
    corpus = small_repository(tmp_path, files, {"t.swift": FileRole.TEST})
    named = {symbol.name: symbol.id for symbol in corpus.graph.symbols_named(corpus.pin, ["serve", "first"])}
    assert count_ways(corpus, list(named.values())) == {named["serve"]: 2, named["first"]: 0}


def test_nobody_counts_beyond_many(tmp_path: Path) -> None:
    """What everybody calls costs as much as anything else."""
    users = [Piece(f"user{number}", "serve()", calls=("serve",)) for number in range(40)]
    corpus = small_repository(tmp_path, {"a.swift": [Piece("serve", "x"), *users]})
    (serve,) = corpus.graph.symbols_named(corpus.pin, ["serve"])
    assert count_ways(corpus, [serve.id]) == {serve.id: MANY}

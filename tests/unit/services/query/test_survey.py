"""Repositories as wholes: what a survey names is shown by glimpses of real lines."""

from __future__ import annotations

from pathlib import Path

from exegesis.model import FileRole, Modifier, SymbolKind
from services.query.corpus import Corpus
from services.query.excerpt import glimpse
from services.query.survey import glimpses, survey
from tests.fakes.small_repository import Piece, small_repository


def shop(folder: Path) -> Corpus:
    """Two modules, one of which starts the program and uses the other, with a test beside them."""
    files = {
        "app/main.toy": [Piece("main", "open()\nclose()", kind=SymbolKind.FUNCTION, calls=("open", "close"), modifiers=Modifier.ENTRY)],
        "store/store.toy": [
            Piece("open", "load()\n" * 20, doc="Opens the store.", kind=SymbolKind.FUNCTION),
            Piece("close", "flush()", kind=SymbolKind.FUNCTION),
        ],
        "store/store_test.toy": [Piece("testOpen", "open()", kind=SymbolKind.FUNCTION, calls=("open",))],
    }
    return small_repository(folder, files, {"store/store_test.toy": FileRole.TEST}, name="shop")


def test_a_survey_knows_modules_their_dependencies_and_where_the_program_starts(tmp_path: Path) -> None:
    """Tests are a module beside the code; a call shows each dependency."""
    found = survey(shop(tmp_path), "shop")
    assert [(module.name, module.kind) for module in found.modules] == [("store", ""), ("app", ""), ("store (tests)", "tests")]
    assert [(entry.symbol.name, [called.name for called, _ in entry.calls]) for entry in found.entries] == [("main", ["open", "close"])]
    example = found.examples["app", "store"]
    assert (example.user.name, example.used.name) == ("main", "open")


def test_everything_that_is_named_is_shown_by_lines_of_its_own(tmp_path: Path) -> None:
    """Of a long function only the comment and the declaration, exactly as they stand."""
    corpus = shop(tmp_path)
    shown = glimpses(corpus, survey(corpus, "shop"))
    texts = corpus.graph.chunks(corpus.pin, [chunk for _, chunk in shown], text=True)
    excerpts = {texts[key[1]].name: glimpse(texts[key[1]], each.lines) for key, each in shown.items()}
    assert excerpts["open"].text == "/// Opens the store.\nfunc open() {\n"
    assert [(run.start, run.end) for run in excerpts["open"].runs] == [(1, 2)]
    assert {"main", "open", "close"} <= excerpts.keys()
    assert "testOpen" not in excerpts

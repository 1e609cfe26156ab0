"""Descriptions as they are asked for: by words, by name, by path."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from exegesis.adapters.edge_chunks import EdgeChunks
from exegesis.adapters.sqlite_graph import SqliteGraph
from exegesis.errors import NotFound, NothingRelevant
from exegesis.model import ChunkKind, Coverage, Generation, Options, Question, Subject, SymbolKind
from services.graph.api import Pin
from services.graph.local import LocalGraph
from services.query.corpus import Corpora, Corpus
from services.query.described import document_of
from services.query.describing import descriptions_about, list_descriptions
from tests.fakes.code import Code, instance


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    basket, till = Code("Sources/Shop/Basket.swift"), Code("Sources/Shop/Till.swift")
    whole = basket.declare(SymbolKind.CLASS, "Basket")
    for each in ("add", "remove", "empty", "weigh", "carry", "count", "price", "discount"):
        basket.declare(SymbolKind.METHOD, each, whole)
    sell = till.declare(SymbolKind.METHOD, "sell", till.declare(SymbolKind.CLASS, "Till"))
    till.call(sell, "add", instance("Basket"))
    graph, chunks, pin = LocalGraph(SqliteGraph(tmp_path / "graph")), EdgeChunks(tmp_path / "chunks"), Pin("shop", "g1")
    graph.begin(pin, basis=None)
    graph.write(pin, [basket.facts(), till.facts()])
    graph.finish(pin, [replace(code.file(), size=9_000) for code in (basket, till)])
    yield Corpora(graph, chunks, embedder=None).open(Generation("g1", "shop", "", 0.0, 0, 0, 0, Coverage(2, 2)))
    chunks.close()


def asked(text: str) -> Question:
    return Question(text, ("shop",), Options(descriptions=True, limit=3))


def test_descriptions_are_found_by_what_they_say(corpus: Corpus) -> None:
    """Also by the names of members that have no other place in common; the place is that of the declaration."""
    first, *_ = list_descriptions(asked("Where is a discount on the price counted?"), [corpus])
    assert (first.kind, first.symbol, first.path, first.start) == ("description", "Basket", "Sources/Shop/Basket.swift", 1)


def test_words_that_no_description_says_find_none(corpus: Corpus) -> None:
    """There is nothing to list."""
    with pytest.raises(NothingRelevant):
        list_descriptions(asked("zebra"), [corpus])


@pytest.mark.parametrize(
    ("about", "found"),
    [
        ("Basket", (Subject.TYPE, "Basket")),
        ("Sources/Shop/Basket.swift", (Subject.FILE, "Sources/Shop/Basket.swift")),
        ("Basket.swift", (Subject.FILE, "Sources/Shop/Basket.swift")),
        ("Till", (Subject.TYPE, "Till")),
        ("Sources/Shop", (Subject.MODULE, "Sources/Shop")),
        ("", (Subject.REPOSITORY, "")),
    ],
)
def test_what_is_named_is_described(corpus: Corpus, about: str, found: tuple[Subject, str]) -> None:
    """Types, files by their path or its end, modules; small ones too; the repository where nothing is named."""
    first, *_ = descriptions_about(corpus, about)
    assert (first.subject, first.name) == found


def test_what_bears_no_such_name_is_said_to_be_missing(corpus: Corpus) -> None:
    """With what was looked for."""
    with pytest.raises(NotFound, match="zebra"):
        descriptions_about(corpus, "zebra")


def test_of_a_function_it_is_said_what_to_ask_instead(corpus: Corpus) -> None:
    """It exists, and has no description."""
    with pytest.raises(NotFound, match=r"`sell` is a \w+ \(Sources/Shop/Till.swift:\d+\)") as raised:
        descriptions_about(corpus, "sell")
    assert "graph callers sell" in raised.value.hint


def test_the_lines_of_a_description_are_those_of_the_declarations_it_names(corpus: Corpus) -> None:
    """Of the file that it is about, and no others."""
    (basket,) = descriptions_about(corpus, "Basket")
    document = document_of(basket)
    assert document.kind is ChunkKind.DESCRIPTION
    named = {spot.line for spot in basket.spots if spot.path == basket.path}
    assert {line for run in document.runs for line in range(run.start, run.end + 1)} == named

"""What the context of a question about the whole holds: what the map names, what speaks for the repository, and nothing that only says such words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from exegesis.model import Answer, Confidence, Finished, Question
from exegesis.settings import Settings
from services.assembly import Assembly
from services.indexer.api import IndexOptions

FILES = {
    "README.md": "# Shop\n\nShop is a small program that sells things to people who like them.\n",
    "Sources/App/main.swift": "let shop = Shop()\nshop.open()\n",
    "Sources/Core/Shop.swift": "/// Sells things.\nfinal class Shop {\n    func open() { Till().ring() }\n}\n",
    "Sources/Core/Till.swift": "/// Takes money.\nstruct Till {\n    func ring() {}\n}\n",
    "Sources/Core/Modules.swift": "/// Modules depend on each other where modules have parts.\n"
    + "".join(f"func dependOnModule{number}() {{\n    modules.depend({number})\n}}\n" for number in range(30)),
}


@pytest.fixture(scope="module")
def assembly(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assembly]:
    root = tmp_path_factory.mktemp("shop")
    for path, text in FILES.items():
        Path(root, path).parent.mkdir(parents=True, exist_ok=True)
        Path(root, path).write_text(text)
    made = Assembly(Settings(home=str(tmp_path_factory.mktemp("home")), embedder="none", workers=1))
    made.indexer.index(str(root), IndexOptions(embed=False), lambda _: None)
    yield made
    made.close()


def answer(assembly: Assembly, text: str) -> Answer:
    (known,) = assembly.catalog.repositories()
    *_, last = assembly.query.explain(Question(text, (known.id,)))
    assert isinstance(last, Finished)
    return last.answer


def test_the_map_is_the_whole_answer(assembly: Assembly) -> None:
    """Code that says the words of the question is left out; the answer sounds no less sure for words that stand in no code."""
    found = answer(assembly, "What are the modules and how do they depend on each other?")
    assert all(item.why.startswith("stands on the map") or item.path == "README.md" for item in found.context.items)
    assert "depends on **Sources/Core**" in found.text
    assert found.context.tokens < 600
    assert found.confidence is not Confidence.LOW


def test_what_is_asked_beside_the_map_is_found(assembly: Assembly) -> None:
    """Words for something in particular fill the rest of the context."""
    found = answer(assembly, "How do the modules depend on each other, and how does the till ring?")
    assert [item for item in found.context.items if not item.why.startswith("stands on the map") and item.path.startswith("Sources")]

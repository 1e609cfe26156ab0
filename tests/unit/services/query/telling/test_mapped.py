"""Answers from the map, made of a small repository from end to end."""

from __future__ import annotations

from pathlib import Path

from exegesis.model import FileRole
from services.query.sides import Side
from services.query.survey import glimpses, survey
from services.query.telling.mapped import draw_modules, outline_of_map, tell_map
from tests.fakes.asking import ask
from tests.fakes.small_repository import Piece, small_repository
from tests.unit.services.query.test_survey import shop


def told(folder: Path, *sides: Side) -> str:
    corpus = shop(folder)
    known = survey(corpus, "shop")
    items = ask("how do the modules depend on each other", corpus, mapped=glimpses(corpus, known)).context.items
    return tell_map(known, sides, items)


def test_only_the_sides_that_are_asked_for_are_told(tmp_path: Path) -> None:
    """Each under its title, after one sentence on the whole."""
    assert told(tmp_path / "a", Side.ENTRIES).count("**Where it starts**") == 1
    assert "**Parts**" not in told(tmp_path / "b", Side.ENTRIES)


def test_a_dependency_is_shown_by_a_call_with_its_citation(tmp_path: Path) -> None:
    """The example is a line of the evidence, and layers are told from the ground up."""
    text = told(tmp_path, Side.DEPENDENCIES)
    assert "**store**; then **app**" in text
    assert "- **app** depends on **store** (2 uses), for example `main` uses `open` at line 2 [E" in text
    assert "Its tests depend on it, and it on none of them." in text


def test_an_entry_point_says_what_it_calls(tmp_path: Path) -> None:
    """In the order of the calls."""
    assert "`main` starts a program [E1]; it calls `open` and `close` [E1]." in told(tmp_path, Side.ENTRIES)


def test_outline_and_diagram_show_the_same_modules(tmp_path: Path) -> None:
    """Every node has a place; arrows are dependencies with their number."""
    known = survey(shop(tmp_path), "shop")
    nodes = outline_of_map(known)
    assert [node.title for node in nodes] == ["Starts: main", "store (1 file)", "app (1 file)"]
    assert all(node.path and node.start >= 1 for node in nodes)
    assert 'M0_1 -->|"2"| M0_0' in draw_modules([known])


def test_documents_alone_are_neither_a_module_of_code_nor_a_library(tmp_path: Path) -> None:
    """Nothing is claimed of code that is not there."""
    corpus = small_repository(tmp_path, {"guide/start.md": [Piece("start", "Begin here.")]}, {"guide/start.md": FileRole.DOCUMENT}, name="guide")
    known = survey(corpus, "guide")
    assert tell_map(known, list(Side), ()) == "It has no code of its own, but documents (**guide**).\n"


def test_nothing_mapped_is_drawn_as_nothing() -> None:
    """Without modules there is no map, and no diagram."""
    assert draw_modules([]) == ""

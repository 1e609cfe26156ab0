from pathlib import Path

import pytest

from exegesis.model import Edge, EdgeKind, Modifier, SymbolKind, Tier
from services.query.present import present
from services.query.standing import MOST_CALLS, Standing, passes_on
from tests.fakes.asking import Asked, ask
from tests.fakes.small_repository import Piece, small_repository


def standings(asked: Asked) -> dict[str, Standing]:
    return {candidate.chunk.qualified: candidate.standing for candidate in asked.seeds.candidates}


@pytest.fixture
def wrapped() -> dict[str, list[Piece]]:
    """A method that hands everything to another of its name, and both are found by the same words."""
    return {
        "View.swift": [Piece("make", "Maker.make(constraints)", enclosing="View", calls=("_make",), doc="Make constraints.")],
        "Maker.swift": [Piece("_make", "constraints.forEach { add }\nactivate(constraints)", enclosing="Maker", doc="Make.")],
    }


def test_what_only_passes_on_comes_after_what_does_the_work(tmp_path: Path, wrapped: dict[str, list[Piece]]) -> None:
    """However much more of the question it says; the sign before a name makes no other name of it."""
    asked = ask("how does make build constraints", small_repository(tmp_path, wrapped))
    assert standings(asked) == {"View.make": Standing.PASSES_ON, "Maker._make": Standing.OWN}
    assert [result.symbol for result in present(asked.seeds, asked.ranking)] == ["Maker._make", "View.make"]


def test_who_asks_for_the_interface_gets_it(tmp_path: Path, wrapped: dict[str, list[Piece]]) -> None:
    """What is public mostly passes on."""
    asked = ask("which api makes constraints", small_repository(tmp_path, wrapped))
    assert set(standings(asked).values()) == {Standing.OWN}


def test_a_trace_says_what_stands_back(tmp_path: Path, wrapped: dict[str, list[Piece]]) -> None:
    """The part is negative, and the score is still the sum of the parts."""
    asked = ask("how does make build constraints", small_repository(tmp_path, wrapped))
    last = present(asked.seeds, asked.ranking)[-1]
    assert [part.name for part in last.parts if part.value < 0] == ["stands back"]
    assert last.score == pytest.approx(sum(part.value for part in last.parts), abs=1e-5)


def test_what_is_deprecated_comes_after_what_replaced_it(tmp_path: Path) -> None:
    """It says all the words of it."""
    files = {
        "a.swift": [Piece("installOnce", "constraint", doc="Installs.", modifiers=Modifier.DEPRECATED)],
        "b.swift": [Piece("installNow", "constraint", doc="Installs.")],
    }
    corpus = small_repository(tmp_path, files)
    asked = ask("how is a constraint installed", corpus)
    assert standings(asked) == {"installOnce": Standing.DEPRECATED, "installNow": Standing.OWN}
    assert present(asked.seeds, asked.ranking)[0].symbol == "installNow"


@pytest.mark.parametrize("question", ["which deprecated ways install a constraint", "installOnce"])
def test_what_is_old_is_found_by_who_asks_for_it(tmp_path: Path, question: str) -> None:
    """By the word for it, or by a name that nothing new bears."""
    files = {"Old.swift": [Piece("installOnce", "constraint install", modifiers=Modifier.DEPRECATED)], "New.swift": [Piece("activate", "constraint")]}
    assert set(standings(ask(question, small_repository(tmp_path, files))).values()) == {Standing.OWN}


def test_of_two_of_one_name_the_deprecated_one_stands_back_though_the_name_is_asked_for(tmp_path: Path) -> None:
    """The name says nothing about which of them is meant."""
    files = {
        "a.swift": [Piece("installOnce", "constraint", modifiers=Modifier.DEPRECATED)],
        "b.swift": [Piece("installOnce", "constraint", enclosing="Maker")],
    }
    assert standings(ask("installOnce", small_repository(tmp_path, files))) == {
        "installOnce": Standing.DEPRECATED,
        "Maker.installOnce": Standing.OWN,
    }


def test_a_type_does_not_pass_on(tmp_path: Path) -> None:
    """What is called within it is not all of it."""
    files = {"a.swift": [Piece("retry", "x()", kind=SymbolKind.CLASS, enclosing="A", calls=("retry",)), Piece("retry", "retry()", enclosing="B")]}
    assert set(standings(ask("retry", small_repository(tmp_path, files))).values()) == {Standing.OWN}


def test_whatever_calls_much_else_does_work_of_its_own() -> None:
    """One call beside the one that passes on gets at what it is passed to; calls to itself are none."""

    def call(target: int) -> Edge:
        return Edge(1, target, EdgeKind.CALL, "S1", Tier.SCOPED, 1.0, 1, 1)

    assert passes_on(1, [call(2), call(3), call(1)], {2})
    assert not passes_on(1, [call(target) for target in range(2, 3 + MOST_CALLS)], {2})
    assert not passes_on(1, [call(1), call(3)], {1, 2} - {1})

"""What the pieces of a context lead to together."""

from pathlib import Path

import pytest

from exegesis.model import FileRole, Options
from services.query.joined import JOINED_SHARE, SMALLEST_BUDGET, joined_chunks, joined_share
from services.query.rank import rank
from tests.fakes.asking import ask
from tests.fakes.small_repository import Piece, small_repository

FILES = {
    "Sources/Login.swift": [Piece(f"login{letter}", "store()", doc="Signs a user in.", calls=("flush",)) for letter in "abc"],
    "Sources/Page.swift": [Piece("page", "sign user", doc="Signs.", calls=("draw", "testDraw"))],
    "Sources/Store.swift": [Piece("flush", "bytes()"), Piece("draw", "canvas()"), Piece("idle", "nothing()")],
    "Tests/T.swift": [Piece("testDraw", "canvas()")],
}


def test_what_several_pieces_call_comes_first(tmp_path: Path) -> None:
    """A step of three beats a step of one; what nothing leads to, what is there already, and tests stay out."""
    asked = ask("how does a user sign in?", small_repository(tmp_path, FILES, {"Tests/T.swift": FileRole.TEST}))
    taken = [chunk for chunk in rank(asked.seeds).chunks if chunk.candidate.chunk.name.startswith(("login", "page"))]
    assert [chunk.candidate.chunk.name for chunk in joined_chunks(asked.seeds, asked.ranking, taken)] == ["flush", "draw"]


def test_nothing_is_led_to_by_nothing(tmp_path: Path) -> None:
    """An empty context has no neighbours."""
    asked = ask("how does a user sign in?", small_repository(tmp_path, FILES))
    assert joined_chunks(asked.seeds, asked.ranking, []) == []


@pytest.mark.parametrize(
    ("question", "budget", "share"),
    [
        ("how does a user sign in?", SMALLEST_BUDGET, JOINED_SHARE),
        ("how does a user sign in?", SMALLEST_BUDGET - 1, 0.0),
        ("I am new here, give me a tour", SMALLEST_BUDGET, 0.0),
        ("user sign in", SMALLEST_BUDGET, 0.0),
    ],
)
def test_room_is_kept_in_large_contexts_of_one_mechanism(tmp_path: Path, question: str, budget: int, share: float) -> None:
    """Small ones have none to spare; the whole, and a topic, are no mechanism."""
    asked = ask(question, small_repository(tmp_path, FILES), options=Options(budget=budget))
    assert joined_share(asked.seeds) == share

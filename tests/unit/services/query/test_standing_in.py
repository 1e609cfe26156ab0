"""Descriptions of types that are too large for a context, beside the pieces of them that fit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from exegesis.model import Context, Options, Question
from exegesis.settings import Settings
from services.assembly import Assembly
from services.indexer.api import IndexOptions

MEMBERS = "".join(
    f"    /// Refreshes token number {number} of the session.\n    func refreshToken{number}() {{\n        store.save({number})\n    }}\n\n"
    for number in range(12)
)


@pytest.fixture(scope="module")
def assembly(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assembly]:
    root = tmp_path_factory.mktemp("tokens")
    Path(root, "Session.swift").write_text(f"/// Keeps tokens fresh.\nfinal class Session {{\n    let store = Store()\n\n{MEMBERS}}}\n")
    Path(root, "Store.swift").write_text("final class Store {\n    func save(_ number: Int) {}\n}\n")
    made = Assembly(Settings(home=str(tmp_path_factory.mktemp("home")), embedder="none", workers=1))
    made.indexer.index(str(root), IndexOptions(embed=False), lambda _: None)
    yield made
    made.close()


def context_of(assembly: Assembly, text: str, **options: int) -> Context:
    (known,) = assembly.catalog.repositories()
    return assembly.query.compose(Question(text, (known.id,), Options(**options))).context  # type: ignore[arg-type]


def test_a_large_type_is_described_beside_its_members(assembly: Assembly) -> None:
    """Once, behind all code, within the budget; its lines are those of the declarations that it names."""
    context = context_of(assembly, "How does the session refresh a token?")
    described = [item for item in context.items if item.kind == "description"]
    assert [item.symbol for item in described] == ["Session"]
    assert context.items[-1] == described[0]
    assert "`Session` is a class" in described[0].text
    assert all(item.symbol_id in {item.symbol_id for item in described} or item.kind != "description" for item in context.items)
    assert {line for run in described[0].runs for line in range(run.start, run.end + 1)} < set(range(1, 70))
    assert context.tokens == sum(item.tokens for item in context.items) <= context.budget


def test_a_small_context_has_no_room_for_descriptions(assembly: Assembly) -> None:
    """Code comes first."""
    assert all(item.kind != "description" for item in context_of(assembly, "How does the session refresh a token?", budget=6_000).items)


def test_a_question_of_use_is_answered_by_uses(assembly: Assembly) -> None:
    """A description would take the place of one."""
    assert all(item.kind != "description" for item in context_of(assembly, "How is Store.save used?").items)

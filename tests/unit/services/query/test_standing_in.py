"""Descriptions of types that are too large for a context, beside the pieces of them that fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from exegesis.descriptions import DECLARED
from exegesis.model import Context, Options, Question
from exegesis.settings import Settings
from services.assembly import Assembly
from services.indexer.api import IndexOptions
from services.indexer.further import further_name, make_head
from services.indexer.local import DIMENSIONS
from services.indexer.stores import Stores

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
    made.indexer.index(str(root), IndexOptions(embed=False, describe=False), lambda _: None)
    yield made
    made.close()


@pytest.fixture(scope="module")
def described(assembly: Assembly) -> Assembly:
    """The same with a further generation, as vectors make one, that says that it is described."""
    (known,) = assembly.catalog.repositories()
    head = assembly.catalog.head(known.id)
    assert head is not None
    stores = Stores(assembly.catalog, assembly.cache, assembly.graph, assembly.chunk_index, assembly.clock)
    make_head(stores, head, replace(head, id=further_name(head), described=DECLARED), dimensions=DIMENSIONS)
    return assembly


def context_of(assembly: Assembly, text: str, **options: int) -> Context:
    (known,) = assembly.catalog.repositories()
    return assembly.query.compose(Question(text, (known.id,), Options(**options))).context  # type: ignore[arg-type]


def test_a_generation_that_is_not_described_has_no_descriptions_in_its_contexts(assembly: Assembly) -> None:
    """However many were made of it since: one question has one context."""
    (known,) = assembly.catalog.repositories()
    assert assembly.query.describe(known.id, "Session")
    assert all(item.kind != "description" for item in context_of(assembly, "How does the session refresh a token?").items)


def test_a_large_type_is_described_beside_its_members(described: Assembly) -> None:
    """Once, behind all code, within the budget; its lines are those of the declarations that it names."""
    context = context_of(described, "How does the session refresh a token?")
    told = [item for item in context.items if item.kind == "description"]
    assert [item.symbol for item in told] == ["Session"]
    assert context.items[-1] == told[0]
    assert "`Session` is a class" in told[0].text
    assert {line for run in told[0].runs for line in range(run.start, run.end + 1)} < set(range(1, 70))
    assert context.tokens == sum(item.tokens for item in context.items) <= context.budget


def test_a_small_context_has_no_room_for_descriptions(described: Assembly) -> None:
    """Code comes first."""
    assert all(item.kind != "description" for item in context_of(described, "How does the session refresh a token?", budget=6_000).items)


def test_a_question_of_use_is_answered_by_uses(described: Assembly) -> None:
    """A description would take the place of one."""
    assert all(item.kind != "description" for item in context_of(described, "How is Store.save used?").items)

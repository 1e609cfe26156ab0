"""Linking in several processes against linking in one."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from exegesis.adapters.sqlite_graph import SqliteGraph
from exegesis.model import SymbolKind
from services.graph.api import Pin
from services.graph.change import contexts_of
from services.graph.link_pool import LinkPool, split
from services.graph.local import LocalGraph
from tests.fakes.code import Code, instance

OPENER = "exegesis.adapters.sqlite_graph:open_lent"
PIN = Pin("shop", "g1")


def shop() -> list[Code]:
    """Files that call one another; one has a name that no pipe passes on by itself."""
    cart = Code("cart")
    owner = cart.declare(SymbolKind.CLASS, "Cart")
    cart.declare(SymbolKind.METHOD, "total", owner)
    codes = [cart]
    for number in range(12):
        code = Code(f"user{number}/\U0001f6d2\n")
        user = code.declare(SymbolKind.FUNCTION, f"use{number}")
        code.call(user, "total", instance("Cart"))
        code.call(user, f"use{(number + 5) % 12}")
        code.call(user, "grö\u2028ße", instance("Cart"))
        code.call(user, "print")
        codes.append(code)
    return codes


def tables(folder: Path, linking: LinkPool) -> Mapping[str, Sequence[tuple[Any, ...]]]:
    """All that is stored of the shop when it was linked so."""
    graph = LocalGraph(SqliteGraph(folder), linking)
    graph.begin(PIN, basis=None)
    graph.write(PIN, [code.facts() for code in shop()])
    graph.finish(PIN, [code.file() for code in shop()])
    graph.close()
    reader = SqliteGraph(folder).open(*(PIN.repository, PIN.generation))
    found = reader.dump()
    reader.close()
    return found


def test_several_processes_link_like_one(tmp_path: Path) -> None:
    """Who links a file makes no difference: every table has the same rows."""
    one = tables(tmp_path / "one", LinkPool())
    assert len(one["edges"]) == 24
    assert tables(tmp_path / "three", LinkPool(3, opener=OPENER, worthwhile=0)) == one


def test_a_draft_on_a_basis_is_lent_as_well(tmp_path: Path) -> None:
    """Files that an edit re-links are linked by others like those of a clean build: from the new facts, over the old links."""
    codes = shop()
    renamed = Code("cart")
    renamed.declare(SymbolKind.METHOD, "total", renamed.declare(SymbolKind.STRUCT, "Cart"))
    found = []
    for folder, linking in (("one", LinkPool()), ("two", LinkPool(2, opener=OPENER, worthwhile=0))):
        graph = LocalGraph(SqliteGraph(tmp_path / folder), linking)
        for generation, basis, written, now in (("g1", None, codes, codes), ("g2", "g1", [renamed], [renamed, *codes[1:]])):
            pin = Pin(PIN.repository, generation)
            graph.begin(pin, basis=basis)
            graph.write(pin, [code.facts() for code in written])
            report = graph.finish(pin, [code.file() for code in now])
        assert report.relinked_files == len(codes)
        graph.close()
        reader = SqliteGraph(tmp_path / folder).open(PIN.repository, "g2")
        found.append(reader.dump())
        reader.close()
    assert found[0] == found[1]


@pytest.mark.parametrize("opener", ["exegesis.adapters.sqlite_graph:nobody", "os:abort"])
def test_what_a_process_leaves_is_linked_here(tmp_path: Path, opener: str, caplog: pytest.LogCaptureFixture) -> None:
    """Processes that fail or crash cost time, and somebody who runs a service can see why."""
    assert tables(tmp_path / "broken", LinkPool(2, opener=opener, worthwhile=0)) == tables(tmp_path / "one", LinkPool())
    assert "ended early" in caplog.text


def test_whoever_leaves_early_leaves_nothing_behind(tmp_path: Path) -> None:
    """Neither threads nor processes, when the links of the first file are all that was wanted."""
    codes = shop()
    draft = SqliteGraph(tmp_path).draft(PIN.repository, PIN.generation, basis=None)
    draft.put_facts([code.facts() for code in codes])
    draft.put_files([code.file() for code in codes])
    before = threading.active_count()
    links = LinkPool(2, opener=OPENER, worthwhile=0).link(draft, contexts_of(draft), {code.path: 10 for code in codes})
    assert next(links)[0] in {code.path for code in codes}
    links.close()
    assert threading.active_count() == before
    draft.discard()


def test_shares_are_of_equal_size() -> None:
    """Every file is in one share, and none of them is larger than the largest file must make it."""
    sizes = {f"file{number}": number for number in (100, 1, 2, 3, 40, 50, 60, 0, 44)}
    shares = split(sizes, 3)
    assert sorted(path for share in shares for path in share) == sorted(sizes)
    assert [sum(sizes[path] for path in share) for share in shares] == [100, 100, 100]

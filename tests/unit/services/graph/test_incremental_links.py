"""An incremental generation equals a clean one, table by table, after any edits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exegesis.adapters.sqlite_graph import SqliteGraph
from exegesis.model import FileRole, Modifier, ReferenceKind, Step, StepKind, SymbolKind
from services.graph.api import Pin
from services.graph.local import LocalGraph
from tests.fakes.code import IMPLICIT, INDEX, SELF, SUPER, UNKNOWN, Code, called, instance, metatype, name, shifted

REPOSITORY = "shop"
PATHS = ("a", "b", "c", "d/e", "d/f")
TYPES = ("Cart", "Item", "Store", "Base", "Cart.Line", "String", "Array<Item>", "Box<Item>", "Function<Cart>", "Self", "Value", "One.Cart")
NAMES = ("total", "items", "reconcile", "shared", "init", "Cart", "Item", "Store", "pending")
LABELS = st.lists(st.sampled_from(("_", "in", "to")), max_size=2).map(tuple)
MODULES = ("", "One", "Two")

STEPS = st.one_of(
    st.sampled_from((SELF, SUPER, UNKNOWN, INDEX, IMPLICIT)),
    st.builds(instance, st.sampled_from(TYPES)),
    st.builds(metatype, st.sampled_from(TYPES)),
    st.builds(name, st.sampled_from(NAMES)),
    st.builds(lambda of, labels: called(of, *labels), st.sampled_from(NAMES), LABELS),
)
CHAINS = st.lists(STEPS, max_size=3).map(tuple)
TYPE_KINDS = (SymbolKind.CLASS, SymbolKind.STRUCT, SymbolKind.ENUM, SymbolKind.PROTOCOL, SymbolKind.EXTENSION, SymbolKind.TYPEALIAS)
MEMBER_KINDS = (SymbolKind.METHOD, SymbolKind.PROPERTY, SymbolKind.INITIALIZER, SymbolKind.CASE, SymbolKind.SUBSCRIPT, SymbolKind.CLOSURE)
MODIFIERS = st.sampled_from((Modifier.NONE, Modifier.STATIC, Modifier.PRIVATE, Modifier.OVERRIDE, Modifier.STATIC | Modifier.PRIVATE))
REFERENCE_KINDS = st.sampled_from(
    (ReferenceKind.CALL, ReferenceKind.CALL, ReferenceKind.ACCESS, ReferenceKind.TYPE, ReferenceKind.INHERIT, ReferenceKind.MENTION)
)


@st.composite
def files(draw: st.DrawFn, path: str) -> Code:
    """A file of a few types with members, some top-level functions, and references between whatever there is."""
    code = Code(path, imports=tuple(draw(st.lists(st.sampled_from(("One", "Two", "Foundation")), max_size=2))))
    for _ in range(draw(st.integers(0, 3))):
        inside = draw(st.sampled_from([None, None, *(each for each in code.symbols if each.kind.is_type)]))
        owner = code.declare(
            draw(st.sampled_from(TYPE_KINDS)),
            draw(st.sampled_from(("Cart", "Item", "Store", "Base", "Line", "Box", "String"))),
            inside,
            inherits=draw(st.lists(st.sampled_from(TYPES), max_size=2)),
            generics=draw(st.sampled_from(((), (("Value", ""),), (("Value", "Item"),)))),
            type=draw(st.sampled_from(("", *TYPES))),
            modifiers=draw(MODIFIERS),
        )
        for _ in range(draw(st.integers(0, 3))):
            declare(draw, code, draw(st.sampled_from(MEMBER_KINDS)), owner)
    for _ in range(draw(st.integers(0, 2))):
        inside = draw(st.sampled_from([None, *(each for each in code.symbols if each.kind.is_callable)]))
        declare(draw, code, draw(st.sampled_from((SymbolKind.FUNCTION, SymbolKind.VARIABLE, SymbolKind.OPERATOR))), inside)
    for _ in range(draw(st.integers(0, 5))) if code.symbols else ():
        code.refer(
            draw(REFERENCE_KINDS),
            draw(st.sampled_from(code.symbols)),
            draw(st.sampled_from(NAMES)),
            *draw(CHAINS),
            labels=draw(LABELS),
            trailing=draw(st.integers(0, 1)),
            expected=draw(st.sampled_from(("", *TYPES))),
        )
    return code


def declare(draw: st.DrawFn, code: Code, kind: SymbolKind, inside: Any) -> None:
    base = "init" if kind is SymbolKind.INITIALIZER else "subscript" if kind is SymbolKind.SUBSCRIPT else draw(st.sampled_from(NAMES))
    labels = draw(LABELS) if kind.is_callable else ()
    code.declare(
        kind,
        base,
        inside,
        labels=labels,
        defaults=draw(st.sampled_from(((), labels))),
        type=draw(st.sampled_from(("", *TYPES))),
        modifiers=draw(MODIFIERS),
        initializer=draw(CHAINS) if kind in {SymbolKind.PROPERTY, SymbolKind.VARIABLE} else (),
    )


State = Mapping[str, tuple[Code, str, FileRole]]
"""By path: the file, its module, its roles."""


@st.composite
def states(draw: st.DrawFn, before: State | None = None) -> State:
    """A repository; after another one, most of whose files stay as they are, move by a line, change, go, or are read otherwise."""
    state = {}
    for path in PATHS:
        known = before.get(path) if before else None
        change = (
            draw(st.sampled_from(("keep", "keep", "shift", "move", "mark", "edit", "drop"))) if known else draw(st.sampled_from(("edit", "drop")))
        )
        if change == "drop":
            continue
        code, module, roles = known or (draw(files(path)), draw(st.sampled_from(MODULES)), FileRole.NONE)
        if change == "shift":
            code = shifted(code, draw(st.integers(1, 3)))
        elif change == "move":
            module = draw(st.sampled_from(MODULES))
        elif change == "mark":
            roles = FileRole.TEST
        elif change == "edit":
            code = draw(files(path))
        state[path] = (code, module, roles)
    return state


def build(graph: LocalGraph, generation: str, state: State, basis: tuple[str, State] | None = None) -> None:
    pin = Pin(REPOSITORY, generation)
    graph.begin(pin, basis=basis[0] if basis else None)
    facts = {path: code.facts() for path, (code, _, _) in state.items()}
    known = {path: code.facts() for path, (code, _, _) in basis[1].items()} if basis else {}
    graph.write(pin, [each for path, each in facts.items() if known.get(path) != each])
    graph.finish(pin, [code.file(module=module, roles=roles) for code, module, roles in state.values()])


def dump(folder: Path, generation: str) -> Mapping[str, Any]:
    reader = SqliteGraph(folder).open(REPOSITORY, generation)
    tables = reader.dump()
    reader.close()
    return tables


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data())
def test_incremental_equals_clean(data: st.DataObject) -> None:
    """Two rounds of random edits, renames, deletions and moves between modules: every table is the same as in a build from nothing."""
    with TemporaryDirectory() as folder:
        graph = LocalGraph(SqliteGraph(Path(folder)))
        state: State = data.draw(states())
        build(graph, "g0", state)
        for round_ in (1, 2):
            following: State = data.draw(states(state))
            build(graph, f"g{round_}", following, (f"g{round_ - 1}", state))
            build(graph, f"clean{round_}", following)
            assert dump(Path(folder), f"g{round_}") == dump(Path(folder), f"clean{round_}")
            state = following
        graph.close()


@pytest.fixture
def graph(tmp_path: Path) -> LocalGraph:
    return LocalGraph(SqliteGraph(tmp_path))


def relinked(graph: LocalGraph, before: list[Code], after: list[Code]) -> int:
    for generation, basis, codes in (("g1", None, before), ("g2", "g1", after)):
        pin = Pin(REPOSITORY, generation)
        graph.begin(pin, basis=basis)
        graph.write(pin, [code.facts() for code in codes if code not in before or basis is None])
        report = graph.finish(pin, [code.file() for code in codes])
    return report.relinked_files


def users(count: int) -> list[Code]:
    """Files that each call `total` on a cart."""
    made = [Code(f"user{index}") for index in range(count)]
    for code in made:
        code.call(code.declare(SymbolKind.FUNCTION, f"use{code.path}"), "total", Step(StepKind.TYPE, "Cart"))
    return made


def cart(*members: str) -> Code:
    code = Code("cart")
    owner = code.declare(SymbolKind.CLASS, "Cart")
    for member in members:
        code.declare(SymbolKind.METHOD, member, owner)
    return code


def test_moved_lines_relink_only_their_file(graph: LocalGraph) -> None:
    """An edit that changes no declaration as others see it costs one file."""
    others = users(3)
    assert relinked(graph, [cart("total"), *others], [shifted(cart("total"), 4), *others]) == 1


def test_new_member_relinks_only_those_that_asked_for_its_name(graph: LocalGraph) -> None:
    """Adding `empty` touches nobody who asked for `total`."""
    others = users(3)
    assert relinked(graph, [cart("total"), *others], [cart("total", "empty"), *others]) == 1


def test_member_that_appears_relinks_those_that_missed_it(graph: LocalGraph) -> None:
    """A call that found nothing is linked once there is something to find."""
    others = users(3)
    assert relinked(graph, [cart(), *others], [cart("total"), *others]) == 4
    assert len(graph.callers(Pin(REPOSITORY, "g2"), cart("total").symbols[1].id)) == 3


def test_file_that_goes_takes_its_edges_along(graph: LocalGraph) -> None:
    """Deleting the callee's file leaves unresolved calls, and no edge into nothing."""
    others = users(2)
    relinked(graph, [cart("total"), *others], others)
    pin = Pin(REPOSITORY, "g2")
    assert graph.symbols_named(pin, ["total"]) == []
    assert all(not graph.callees(pin, code.symbols[0].id) for code in others)


def test_changed_role_is_no_new_text(graph: LocalGraph) -> None:
    """A file that becomes a test is read anew by the linker though nothing was written."""
    pin, then = Pin(REPOSITORY, "g1"), Pin(REPOSITORY, "g2")
    code = users(1)[0]
    graph.begin(pin, basis=None)
    graph.write(pin, [code.facts()])
    graph.finish(pin, [code.file()])
    graph.begin(then, basis="g1")
    assert graph.finish(then, [replace(code.file(), roles=FileRole.TEST)]).relinked_files == 1

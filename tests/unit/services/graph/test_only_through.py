"""Dominators, companions, circles and dead ends of generated code, against what the definitions say, computed the slow way."""

from __future__ import annotations

import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exegesis.adapters.sqlite_graph import SqliteGraph
from exegesis.model import FileRole, Modifier, Symbol, SymbolKind
from services.graph.api import Pin
from services.graph.local import LocalGraph
from tests.fakes.code import Code

PIN = Pin("made-1234", "g1")
COUNT = 9

_calls = st.sets(st.tuples(st.integers(0, COUNT - 1), st.integers(0, COUNT - 1)), max_size=24)


def _built(folder: Path, calls: set[tuple[int, int]], *, entry: int | None = 0) -> tuple[LocalGraph, list[Symbol]]:
    """Functions ``f0`` to ``f8`` that call each other as said."""
    code = Code("Sources/App/made")
    functions = [
        code.declare(SymbolKind.FUNCTION, f"f{number}", modifiers=Modifier.ENTRY if number == entry else Modifier.NONE) for number in range(COUNT)
    ]
    for source, target in sorted(calls):
        code.call(functions[source], f"f{target}")
    graph = LocalGraph(SqliteGraph(folder))
    graph.begin(PIN, basis=None)
    graph.write(PIN, [code.facts()])
    graph.finish(PIN, [code.file(roles=FileRole.NONE)])
    return graph, functions


def _walk(calls: set[tuple[int, int]], starts: set[int], without: int | None = None) -> set[int]:
    seen = starts - {without}
    pending = list(seen)
    while pending:
        node = pending.pop()
        for source, target in calls:
            if source == node and target not in seen and target != without:
                seen.add(target)
                pending.append(target)
    return seen


def _starts(calls: set[tuple[int, int]]) -> set[int]:
    """The entry, and everybody whom nobody reaches but those whom they reach themselves."""
    reach = {node: _walk(calls, {node}) for node in range(COUNT)}
    return {0} | {node for node in range(COUNT) if all(other in reach[node] for other in range(COUNT) if node in reach[other])}


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=40)
@given(_calls, st.integers(0, COUNT - 1))
def test_only_through_is_what_is_lost_without_the_symbol(calls: set[tuple[int, int]], asked: int) -> None:
    """Dominated is exactly what the entry points reach with the symbol and not without it."""
    with tempfile.TemporaryDirectory() as folder:
        graph, functions = _built(Path(folder), calls)
        with closing(graph):
            found = graph.only_through(PIN, [functions[asked].id])
    starts = _starts(calls)
    expected = _walk(calls, starts) - _walk(calls, starts, asked) - {asked}
    assert {relation.target.name for relation in found.relations} == {f"f{number}" for number in expected}
    assert (found.total, found.entries) == (len(expected), len(starts))
    for relation in found.relations:
        assert relation.source.id == functions[asked].id or relation.source.id in {each.target.id for each in found.relations}


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=40)
@given(_calls, st.integers(0, COUNT - 1))
def test_companions_are_called_by_the_same_callers(calls: set[tuple[int, int]], asked: int) -> None:
    """A companion is called by four fifths of the callers, of whom there are two at least."""
    with tempfile.TemporaryDirectory() as folder:
        graph, functions = _built(Path(folder), calls)
        with closing(graph):
            found = graph.always_with(PIN, [functions[asked].id])
    callers = {source for source, target in calls if target == asked and source != asked}
    together = {
        number: {source for source in callers if (source, number) in calls and source != number} for number in range(COUNT) if number != asked
    }
    expected = {number: len(each) for number, each in together.items() if len(callers) > 1 and len(each) >= max(2, 0.8 * len(callers))}
    assert {companion.symbol.name: companion.together for companion in found} == {f"f{number}": times for number, times in expected.items()}
    for companion in found:
        number = int(companion.symbol.name[1:])
        assert companion.before == (companion.together if number < asked else 0)  # calls stand in the order of their names


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=40)
@given(_calls)
def test_cycles_are_groups_that_reach_each_other(calls: set[tuple[int, int]]) -> None:
    """Every group of symbols that reach each other is found once, with a shortest way round."""
    with tempfile.TemporaryDirectory() as folder:
        graph, _ = _built(Path(folder), calls)
        with closing(graph):
            found = graph.cycles(PIN)
    reach = {node: _walk(calls, {node}) for node in range(COUNT)}
    groups = {frozenset(other for other in reach[node] if node in reach[other]) for node in range(COUNT)}
    assert sorted(cycle.size for cycle in found) == sorted(len(group) for group in groups if len(group) > 1)
    for cycle in found:
        names = [int(relation.source.name[1:]) for relation in cycle.relations]
        (group,) = [group for group in groups if names[0] in group]
        assert set(names) <= group
        assert len(set(names)) == len(names)
        assert [relation.target.id for relation in cycle.relations] == [relation.source.id for relation in (*cycle.relations[1:], cycle.relations[0])]
        assert len(names) == min(_round(calls, node) for node in group)


def _round(calls: set[tuple[int, int]], start: int) -> int:
    level, length = {start}, 0
    while level and length <= COUNT:
        length += 1
        level = {target for source, target in calls if source in level and source != target}
        if start in level:
            return length
    return COUNT + 1


def test_constants_that_nobody_reads_are_no_way_in(tmp_path: Path) -> None:
    """A constant starts nothing; a table whose value calls something does, for that runs."""
    code = Code("Sources/App/made")
    start = code.declare(SymbolKind.FUNCTION, "start", modifiers=Modifier.ENTRY)
    asked = code.declare(SymbolKind.FUNCTION, "asked")
    code.declare(SymbolKind.FUNCTION, "below")
    limit = code.declare(SymbolKind.VARIABLE, "limit")
    unread = code.declare(SymbolKind.VARIABLE, "unread")
    table = code.declare(SymbolKind.VARIABLE, "table")
    code.declare(SymbolKind.FUNCTION, "made")
    code.call(start, "asked")
    code.call(asked, "below")
    code.access(asked, limit.name)
    code.access(unread, limit.name)
    code.call(table, "made")
    graph = LocalGraph(SqliteGraph(tmp_path))
    graph.begin(PIN, basis=None)
    graph.write(PIN, [code.facts()])
    graph.finish(PIN, [code.file(roles=FileRole.NONE)])
    with closing(graph):
        found = graph.only_through(PIN, [asked.id])
    assert {relation.target.name for relation in found.relations} == {"below", "limit"}
    assert found.entries == 2


def test_dead_ends_are_what_nothing_leads_to(tmp_path: Path) -> None:
    """A chain that nobody enters is dead, all of it; what the entry leads to is not."""
    graph, _ = _built(tmp_path, {(0, 1), (1, 2), (3, 4), (4, 5), (5, 3), (6, 2)})
    with closing(graph):
        assert [symbol.name for symbol in graph.dead_ends(PIN)] == ["f3", "f4", "f5", "f6", "f7", "f8"]


@pytest.mark.parametrize(("path", "language", "name"), [("shop.go", "go", "init"), ("shop.py", "python", "__getattr__")])
def test_what_the_runtime_calls_by_its_name_is_not_dead(tmp_path: Path, path: str, language: str, name: str) -> None:
    """Packages of Go are set up by functions that nobody calls; Python has a name for whatever its syntax does."""
    code = Code(path, language=language)
    setup = code.declare(SymbolKind.FUNCTION, name)
    code.declare(SymbolKind.FUNCTION, "register")
    code.declare(SymbolKind.FUNCTION, "forgotten")
    code.call(setup, "register")
    graph = LocalGraph(SqliteGraph(tmp_path))
    graph.begin(PIN, basis=None)
    graph.write(PIN, [code.facts()])
    graph.finish(PIN, [code.file()])
    with closing(graph):
        assert [symbol.name for symbol in graph.dead_ends(PIN)] == ["forgotten"]


def test_what_c_does_not_keep_to_its_file_is_not_dead(tmp_path: Path) -> None:
    """A function that is not static is published: its callers may be anywhere."""
    code = Code("list.c", language="c")
    code.declare(SymbolKind.FUNCTION, "list_insert")
    code.declare(SymbolKind.FUNCTION, "forgotten", modifiers=Modifier.PRIVATE)
    graph = LocalGraph(SqliteGraph(tmp_path))
    graph.begin(PIN, basis=None)
    graph.write(PIN, [code.facts()])
    graph.finish(PIN, [code.file()])
    with closing(graph):
        assert [symbol.name for symbol in graph.dead_ends(PIN)] == ["forgotten"]


def test_entry_points_say_why(tmp_path: Path) -> None:
    """Where the program starts comes first, then what nothing calls, busiest first."""
    graph, _ = _built(tmp_path, {(0, 1), (2, 1), (2, 3), (4, 3), (5, 6), (6, 7), (7, 8), (8, 5)})
    with closing(graph):
        found = [(entry.symbol.name, entry.why, entry.callees) for entry in graph.entry_points(PIN)]
    assert found[:2] == [("f0", "the program starts here", 1), ("f2", "nothing here calls it", 2)]
    assert {name for name, _, _ in found} == {"f0", "f2", "f4", "f5", "f6", "f7", "f8"}  # a circle that nobody enters is entered anywhere
    assert {why for name, why, _ in found if name in {"f5", "f6", "f7", "f8"}} == {"only what it leads to calls it"}


def test_entry_points_know_of_tests(tmp_path: Path) -> None:
    """What tests alone call is not said to be called by nothing."""
    code, tests = Code("Sources/App/made"), Code("Tests/AppTests/made")
    code.declare(SymbolKind.FUNCTION, "asked", modifiers=Modifier.PUBLIC)
    tests.call(tests.declare(SymbolKind.FUNCTION, "test"), "asked")
    with closing(LocalGraph(SqliteGraph(tmp_path))) as graph:
        graph.begin(PIN, basis=None)
        graph.write(PIN, [code.facts(), tests.facts()])
        graph.finish(PIN, [code.file(roles=FileRole.NONE), tests.file(roles=FileRole.TEST)])
        assert [(entry.symbol.name, entry.why) for entry in graph.entry_points(PIN)] == [("asked", "public, and only tests and examples call it")]

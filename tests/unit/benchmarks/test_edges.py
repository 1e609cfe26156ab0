"""The edges of the sample package against the store that a compiler made of it: the figures of the benchmark, and a floor under them."""

from __future__ import annotations

import functools
from dataclasses import replace

from benchmarks.edge_score import Score, Verdict, score, truth_of
from benchmarks.edges import ALL, CERTAIN, Graph, compare, graph_of
from exegesis.model import EdgeKind
from tests.unit.services.indexer.exact.sample import PACKAGE, STORE, read_sample


@functools.cache
def graph() -> Graph:
    return graph_of(str(PACKAGE))


@functools.cache
def found() -> Score:
    return compare(graph(), str(PACKAGE), str(STORE))


def test_rules_that_are_relied_on_are_right() -> None:
    """No edge of the sample's calls leads anywhere that the compiler does not."""
    certain = found().tiers(CERTAIN)
    assert certain.made >= 50
    assert certain.precision >= 0.98
    assert found().tiers(ALL).precision >= 0.98


def test_most_calls_of_the_project_are_edges() -> None:
    """What the compiler calls within the project, the graph calls too, but for what no syntax tells."""
    assert found().in_project == 61
    assert found().recall(CERTAIN) >= 0.85
    assert found().recall(ALL) >= 0.90


def test_callers_are_those_that_the_compiler_names() -> None:
    """Distinct pairs of caller and callee; top-level variables of a script are its `main` here and themselves to the compiler."""
    assert found().edge_precision >= 0.85
    assert found().edge_recall >= 0.75


def test_an_edge_to_another_declaration_counts_as_wrong() -> None:
    """The harness is able to fail: edges that are turned away from their targets are none of them right."""
    code = graph()
    somewhere = next(symbol.id for symbol in code.symbols.values() if symbol.name == "Package" or symbol.path == "Package.swift")
    turned = [replace(edge, target=somewhere) for edge in code.edges]
    judged = score(truth_of(read_sample().files), code.symbols, turned).judged
    assert judged
    assert not any(each.verdict is Verdict.RIGHT for each in judged)


def test_calls_without_an_edge_are_missed() -> None:
    """Without edges nothing is made and all is missed."""
    code = graph()
    none = score(truth_of(read_sample().files), code.symbols, [edge for edge in code.edges if edge.kind is EdgeKind.TYPE])
    assert (none.tiers(ALL).made, none.recall(ALL)) == (0, 0.0)
    assert sum(each.verdict is Verdict.MISSED for each in none.judged) == none.in_project

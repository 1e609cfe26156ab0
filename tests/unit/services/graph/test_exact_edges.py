"""Edges of the sample package with what its compiler recorded, against the list that was checked by hand, and against the rules."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache

import pytest

from benchmarks.edge_score import Verdict, score, truth_of
from exegesis.model import Edge, EdgeKind, ExactFacts, ExactRole, ExactSymbol, ExactUse, FileFacts, Span, Symbol, SymbolKind, Tier
from services.graph.exact import ExactTable
from services.graph.exact_edges import link_exactly
from services.graph.families import Families
from services.graph.link import Links, link
from services.graph.table import FileContext, SymbolTable
from services.indexer.exact.recorded import recorded
from services.indexer.extract import extract
from services.indexer.language import language_of
from tests.unit.services.indexer.exact.sample import read_sample, read_source, source_files

LANGUAGES = {path: language.name for path in source_files() if path.startswith("Sources/") and (language := language_of(path)) is not None}


@dataclass(frozen=True)
class Sample:
    """The sample package, linked."""

    facts: Mapping[str, FileFacts]
    links: Mapping[str, Links]

    @property
    def symbols(self) -> dict[int, Symbol]:
        return {symbol.id: symbol for facts in self.facts.values() for symbol in facts.symbols}

    @property
    def edges(self) -> list[Edge]:
        return [edge for links in self.links.values() for edge in links.edges]

    def told(self, kinds: Iterable[EdgeKind], *, path: str = "") -> set[tuple[str, str, str]]:
        """Rule, source and target of edges of these kinds that start in files whose path ends so."""
        named = self.symbols
        return {
            (edge.rule, named[edge.source].qualified, named[edge.target].qualified)
            for edge in self.edges
            if edge.kind in set(kinds) and named[edge.source].path.endswith(path)
        }


@cache
def parsed() -> Mapping[str, FileFacts]:
    contents = {path: read_source(path) for path in LANGUAGES}
    return {path: extract(path, content, hashlib.sha256(content).hexdigest(), LANGUAGES[path]) for path, content in contents.items()}


@cache
def records() -> Mapping[str, ExactFacts]:
    files = read_sample().files
    return {path: recorded(path, [file for file in files if file.path == path], is_fresh=True) for path in {file.path for file in files}}


def linked(exact: Mapping[str, ExactFacts], facts: Mapping[str, FileFacts] | None = None) -> Sample:
    facts = facts or parsed()
    symbols = [symbol for each in facts.values() for symbol in each.symbols]
    contexts = {path: FileContext(path.split("/")[1], frozenset(each.imports), each.language) for path, each in facts.items()}
    tables, exact_table = Families(symbols, contexts), ExactTable(exact.values(), symbols)
    return Sample(facts, {path: link_exactly(each, tables.of(each.language), exact.get(path), exact_table) for path, each in facts.items()})


def test_every_call_within_the_project_is_an_edge_and_exact() -> None:
    """All calls lead to what the compiler says, from Swift into C as well, or to its type where nobody wrote it."""
    sample = linked(records())
    found = score(truth_of(read_sample().files), sample.symbols, sample.edges)
    assert {(each.callee, each.site) for each in found.judged if each.verdict is not Verdict.RIGHT} == set()
    assert len(found.judged) == found.in_project == 61
    assert {each.rule for each in found.judged} == {"E1", "E2"}


def test_nothing_else_claims_to_be_exact() -> None:
    """Every edge of the first tier stands where a compiler placed a use of its target, or at the declaration that it tied to another."""
    sample, table = linked(records()), ExactTable(records().values(), linked(records()).symbols.values())

    def meant(usr: str) -> int:
        found = table.meaning(usr)
        return found.symbol.id if found is not None else 0

    said = {(path, use.line, use.column, meant(use.usr)) for path, each in records().items() for use in each.uses}
    ties = {frozenset({meant(tie.source), meant(tie.target)}) for each in records().values() for tie in each.ties}
    exact = [edge for edge in sample.edges if edge.tier is Tier.EXACT]
    assert len(exact) > 150
    for edge in exact:
        place = (sample.symbols[edge.source].path, edge.line, edge.column, edge.target)
        assert place in said or frozenset({edge.source, edge.target}) in ties


def test_an_initialiser_that_nobody_wrote_is_its_type() -> None:
    """`Apple(grams: 150)` makes a value of `Apple`."""
    assert {("E2", "Apple"), ("E2", "Pear")} <= {
        (rule, target) for rule, _, target in linked(records()).told({EdgeKind.CONSTRUCT}, path="main.swift")
    }


def test_what_the_compiler_calls_is_an_edge_of_its_own_kind() -> None:
    """Nobody wrote `buildBlock`, but it runs."""
    assert ("E4", "PlanBuilder.buildBlock(_:)") in {(rule, target) for rule, _, target in linked(records()).told({EdgeKind.IMPLICIT})}


def test_accessors_are_their_property() -> None:
    """Reading a property is one edge to it; what its code calls starts at it."""
    sample = linked(records())
    assert ("E3", "Journal.drain()", "Journal.ledger") in sample.told({EdgeKind.ACCESS})
    assert ("E1", "Tree.age", "Tree.log(_:)") in sample.told({EdgeKind.CALL})


def test_closures_and_local_functions_hang_in_the_same_graph() -> None:
    """The compiler has no name for them: a call inside of a closure starts there, and a call of a local function is found by the rules."""
    told = linked(records()).told({EdgeKind.CALL})
    assert ("E1", "Journal.write(_:).closure@29", "Ledger.append(_:)") in told


def test_structure_comes_from_the_compiler() -> None:
    """Overrides, what satisfies a requirement (default implementations too), what is extended, and what is inherited."""
    sample = linked(records())
    assert ("E5", "AppleTree.grow()", "Tree.grow()") in sample.told({EdgeKind.OVERRIDE})
    assert ("E5", "Tree", "Tree") in sample.told({EdgeKind.EXTEND})
    assert ("E3", "AppleTree", "Tree") in sample.told({EdgeKind.INHERIT})
    satisfying = {target for rule, source, target in sample.told({EdgeKind.WITNESS}) if source == "Fruit.ripeness(after:)" and rule == "E6"}
    assert satisfying == {"Apple.ripeness(after:)", "Fruit.ripeness(after:)"}


def test_nothing_but_a_compiler_is_exact() -> None:
    """Without records every edge is of another tier."""
    assert Tier.EXACT not in {edge.tier for edge in linked({}).edges}


def test_without_a_record_a_file_is_linked_as_ever() -> None:
    """Files beside those that a compiler recorded have the edges of the rules."""
    without = linked({})
    part = linked({path: facts for path, facts in records().items() if not path.endswith("main.swift")})
    (main,) = [path for path in LANGUAGES if path.endswith("main.swift")]
    assert part.links[main] == without.links[main]


def edited(facts: ExactFacts) -> ExactFacts:
    """The record of a file whose text is another now."""
    return ExactFacts(facts.path, is_fresh=False, symbols=facts.symbols)


def test_a_definition_in_a_changed_file_is_found_anew_and_not_called_exact() -> None:
    """The caller's record names the callee; where that stands now is told by name, labels and owner."""
    (trees,) = [path for path in LANGUAGES if path.endswith("/Trees.swift")]
    sample = linked({**records(), trees: edited(records()[trees])})
    calls = sample.told({EdgeKind.CALL}, path="main.swift")
    assert {("S8", "Tree.grow(by:)"), ("S8", "Tree.grow()")} <= {(rule, target) for rule, _, target in calls}
    assert not {rule for rule, _, target in calls if target.startswith("Tree.grow")} & {"E1"}
    assert {edge.tier for edge in sample.links[trees].edges} & {Tier.EXACT} == set()


def test_a_definition_that_is_gone_leaves_the_call_to_the_rules() -> None:
    """A key that no declaration answers to is no edge."""
    (trees,) = [path for path in LANGUAGES if path.endswith("/Trees.swift")]
    facts = parsed()[trees]
    gone = replace(facts, symbols=tuple(symbol for symbol in facts.symbols if symbol.name != "grow"))
    sample = linked({**records(), trees: edited(records()[trees])}, {**parsed(), trees: gone})
    assert not [target for _, _, target in sample.told({EdgeKind.CALL}) if target.startswith("Tree.grow")]


def test_calls_that_lead_out_are_said_once_for_each_caller() -> None:
    """What the compiler places in a library is no edge, and is listed as external."""
    links = linked(records()).links
    (main,) = [path for path in LANGUAGES if path.endswith("main.swift")]
    led_out = [each for each in links[main].unresolved if each.external]
    assert "print" in {each.name for each in led_out}
    assert len({(each.source, each.name) for each in led_out}) == len(led_out)


# ------------------------------------------------------------------------------------------------ gaps of one side or the other


PATH = "a.swift"
HERE = Symbol(1, "run", "run()", SymbolKind.FUNCTION, PATH, Span(1, 9), 1, 6)
THERE = replace(HERE, id=2, name="stop", qualified="stop()", line=11, span=Span(11, 12))
KNOWN = (ExactSymbol("s:run", "run()", 1, 6), ExactSymbol("s:stop", "stop()", 11, 6))


def links_of(*uses: ExactUse, symbols: tuple[Symbol, ...] = (HERE, THERE)) -> Links:
    facts = FileFacts(PATH, "", "swift", symbols, (), (), ())
    exact = ExactFacts(PATH, is_fresh=True, symbols=KNOWN, uses=uses)
    return link_exactly(facts, SymbolTable(symbols, {}), exact, ExactTable([exact], symbols))


@pytest.mark.parametrize(
    ("user", "symbols", "source"),
    [
        ("s:run", (HERE, THERE), 1),
        ("s:unknown", (HERE, THERE), 1),
        ("", (replace(HERE, span=Span(1, 1)), THERE), None),
    ],
    ids=["whom the compiler names", "the declaration that has the line", "nothing around it"],
)
def test_a_use_that_the_parser_did_not_see_starts_in_what_is_around_it(user: str, symbols: tuple[Symbol, ...], source: int | None) -> None:
    """Grammars have gaps; the compiler has none."""
    links = links_of(ExactUse("s:stop", 3, 5, ExactRole.CALL, user), symbols=symbols)
    assert [edge.source for edge in links.edges] == ([] if source is None else [source])


def test_circles_of_owners_end() -> None:
    """A record that says that two things stand for one another means neither."""
    symbols = (ExactSymbol("s:a", "a", 50, 1, "s:b", stands_for_owner=True), ExactSymbol("s:b", "b", 51, 1, "s:a", stands_for_owner=True))
    table = ExactTable([ExactFacts(PATH, is_fresh=True, symbols=symbols)], [HERE])
    assert table.meaning("s:a") is None


def test_an_empty_record_leaves_everything_to_the_rules() -> None:
    """A fresh record without uses settles nothing."""
    facts = parsed()[next(path for path in LANGUAGES if path.endswith(".swift"))]
    table = SymbolTable(facts.symbols, {})
    nothing = ExactFacts(facts.path, is_fresh=True)
    assert link_exactly(facts, table, nothing, ExactTable([nothing], facts.symbols)).edges == link(facts, table).edges

"""The edges of one file by what a compiler recorded about it, and by the rules where that says nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from exegesis.model import Edge, EdgeKind, ExactFacts, ExactRole, ExactUse, FileFacts, Reference, ReferenceKind, Symbol, SymbolKind, Unresolved
from services.graph.exact import ExactTable, Meant
from services.graph.link import Links, link
from services.graph.rules import RULES
from services.graph.table import SymbolTable

Place = tuple[int, int]
"""Line and column."""

_CALL, _IMPLICIT = int(ExactRole.CALL), int(ExactRole.IMPLICIT)
_MADE = frozenset({SymbolKind.INITIALIZER, SymbolKind.CASE})
_USED = frozenset({EdgeKind.CALL, EdgeKind.CONSTRUCT, EdgeKind.ACCESS})
_TIED = frozenset({EdgeKind.EXTEND, EdgeKind.OVERRIDE})


def link_exactly(facts: FileFacts, table: SymbolTable, exact: ExactFacts | None, exact_table: ExactTable) -> Links:
    """The edges that start in one file: by what a compiler recorded about it where that is of the present text, and for the rest by the rules."""
    if exact is None or not exact.is_fresh:
        return link(facts, table)
    exact_table.start()
    maker = _Maker(facts, exact_table)
    for place, uses in _by_place(exact.uses):
        maker.take(place, uses)
    known = frozenset(symbol.id for symbol in facts.symbols if exact_table.knows(symbol.id))
    compiled = frozenset(use.line for use in exact.uses)
    rest = link(facts, table, settled=maker.places)
    left = [edge for edge in rest.edges if not _is_settled(edge, known, compiled, exact_table)]
    edges = dict.fromkeys((*maker.edges, *_ties(exact, exact_table), *_satisfied(facts, known, exact_table), *left))
    led_out = {(each.source, each.name) for each in maker.unresolved}
    unresolved = (*maker.unresolved, *(each for each in rest.unresolved if not (each.external and (each.source, each.name) in led_out)))
    return Links(tuple(edges), unresolved, rest.consulted | exact_table.consulted)


def _by_place(uses: Iterable[ExactUse]) -> list[tuple[Place, list[ExactUse]]]:
    found: dict[Place, list[ExactUse]] = {}
    for use in uses:
        found.setdefault((use.line, use.column), []).append(use)
    return sorted(found.items())


def _is_settled(edge: Edge, known: frozenset[int], compiled: frozenset[int], table: ExactTable) -> bool:
    """Whether the compiler would have said so if it were true: what a rule made of a compiled line leads at most to what has no USR."""
    if edge.kind in _TIED:
        return edge.source in known
    if edge.kind is EdgeKind.WITNESS:
        return edge.source in known and table.knows(edge.target)
    return edge.kind in _USED and edge.line in compiled and table.knows(edge.target)


@dataclass(slots=True)
class _Maker:
    facts: FileFacts
    table: ExactTable
    edges: list[Edge] = field(default_factory=list)
    unresolved: list[Unresolved] = field(default_factory=list)
    places: set[Place] = field(default_factory=set)
    _references: dict[Place, list[Reference]] = field(init=False)
    _closures: dict[int, list[Symbol]] = field(init=False)
    _external: set[tuple[int, str]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._references = defaultdict(list)
        for reference in self.facts.references:
            self._references[reference.line, reference.column].append(reference)
        self._closures = defaultdict(list)
        for symbol in self.facts.symbols:
            if symbol.kind is SymbolKind.CLOSURE and symbol.parent is not None:
                self._closures[symbol.parent].append(symbol)

    def take(self, place: Place, uses: Sequence[ExactUse]) -> None:
        """Everything that is used at one place."""
        references = self._references.get(place, ())
        source = references[0].source if references else self._source(uses[0])
        if source is None:
            return
        written = [use for use in uses if not use.roles & _IMPLICIT]
        meant = [(use, self.table.meaning(use.usr)) for use in written]
        found = [(use, it) for use, it in meant if it is not None]
        kinds = {reference.kind for reference in references}
        makes = any(use.roles & _CALL and _constructs(it) for use, it in found)
        for use, it in found:
            kind = _kind_of(use, it, kinds)
            if kind is EdgeKind.TYPE and makes:
                continue  # a type that is named to make a value of it
            if it.symbol.id != source or use.roles & _CALL:
                self._add(source, it, kind, _rule_of(use, it), place)
        targets = {it.symbol.id for _, it in found}
        for use in uses:
            made = self.table.meaning(use.usr) if use.roles & _IMPLICIT else None
            if made is None or made.symbol.id in targets or made.symbol.id == source:
                continue
            if use.roles & _CALL or made.symbol.kind.is_callable:  # of builders and loops it is said without CALL
                kind = EdgeKind.IMPLICIT if made.symbol.kind.is_callable or made.symbol.kind.is_type else EdgeKind.ACCESS
                self._add(source, made, kind, "E4", place)
        if found or (written and all(not self.table.is_defined(use.usr) for use in written)):
            self.places.add(place)
            if not found:
                self._lead_out(references)

    def _add(self, source: int, meant: Meant, kind: EdgeKind, rule: str, place: Place) -> None:
        self.edges.append(_edge(source, meant.symbol.id, kind, rule if meant.is_certain else "S8", place))

    def _lead_out(self, references: Iterable[Reference]) -> None:
        """A call of what the project does not define."""
        for reference in references:
            key = (reference.source, reference.name)
            if reference.kind is ReferenceKind.CALL and reference.name and key not in self._external:
                self._external.add(key)
                self.unresolved.append(Unresolved(*key, reference.line, reference.column, 0, external=True))

    def _source(self, use: ExactUse) -> int | None:
        """The innermost declaration around a use that the parser did not see as one: the closure there, else whom the compiler names.

        Where the parser did not see that either (its grammar has gaps), the smallest declaration that has the line.
        """
        user = self.table.meaning(use.user) if use.user else None
        if user is None or user.symbol.path != self.facts.path:
            around = [each for each in self.facts.symbols if each.span.start <= use.line <= each.span.end]
            return min(around, key=lambda each: (each.span.end - each.span.start, each.id)).id if around else None
        current = user.symbol
        while True:
            inside = [each for each in self._closures.get(current.id, ()) if each.span.start < use.line <= each.span.end]
            if len(inside) != 1:
                return current.id
            current = inside[0]


def _constructs(meant: Meant) -> bool:
    return meant.symbol.kind in _MADE or (meant.symbol.kind.is_type and meant.name.startswith("init("))


def _kind_of(use: ExactUse, meant: Meant, kinds: set[ReferenceKind]) -> EdgeKind:
    if use.roles & _CALL:
        if _constructs(meant):
            return EdgeKind.CONSTRUCT
        return EdgeKind.CALL if meant.symbol.kind.is_callable else EdgeKind.ACCESS
    if not meant.symbol.kind.is_type or meant.symbol.name != meant.name:
        return EdgeKind.ACCESS
    return EdgeKind.INHERIT if ReferenceKind.INHERIT in kinds else EdgeKind.TYPE


def _rule_of(use: ExactUse, meant: Meant) -> str:
    if not use.roles & _CALL:
        return "E3"
    return "E2" if meant.symbol.kind.is_type else "E1"


def _ties(exact: ExactFacts, table: ExactTable) -> Iterator[Edge]:
    """What extensions of the file extend and members override; what satisfies a requirement starts at the requirement."""
    for tie in exact.ties:
        source, target = table.meaning(tie.source), table.meaning(tie.target)
        if source is None or target is None or source.symbol.path != exact.path or source.symbol.id == target.symbol.id:
            continue
        if tie.kind is EdgeKind.OVERRIDE and table.kind_of(target.symbol.parent) is SymbolKind.PROTOCOL:
            continue
        kind, rule = tie.kind, "E5" if source.is_certain and target.is_certain else "S8"
        yield _edge(source.symbol.id, target.symbol.id, kind, rule, (source.symbol.line, source.symbol.column))


def _satisfied(facts: FileFacts, known: frozenset[int], table: ExactTable) -> Iterator[Edge]:
    kinds: Mapping[int, SymbolKind] = {symbol.id: symbol.kind for symbol in facts.symbols}
    for symbol in facts.symbols:
        if symbol.id not in known or symbol.parent is None or kinds.get(symbol.parent) is not SymbolKind.PROTOCOL:
            continue
        for usr in table.usrs_of(symbol):
            for witness in table.satisfying(usr):
                meant = table.meaning(witness)
                if meant is not None and meant.symbol.id != symbol.id and not meant.symbol.kind.is_type:
                    rule = "E6" if meant.is_certain else "S8"
                    yield _edge(symbol.id, meant.symbol.id, EdgeKind.WITNESS, rule, (symbol.line, symbol.column))


def _edge(source: int, target: int, kind: EdgeKind, rule: str, place: Place) -> Edge:
    found = RULES[rule]
    return Edge(source, target, kind, rule, found.tier, found.confidence, *place)

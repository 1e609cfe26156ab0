"""How true the edges of a graph are, by what a compiler wrote down about the same sources. Pure functions.

The universe are the calls that stand in the source: occurrences that are references and calls and not implicit, of neither accessors nor
operators, keyed by file, line and column of the callee's name. A call is in the project if its callee is defined there.

An edge at such a place is RIGHT if it leads to the callee, to what overrides or witnesses it, or, for an initialiser that nobody wrote, to its
type (the compiler defines it at the type's name). It is LOOSE if it leads to the type where somebody wrote the initialiser: true, for the type is
constructed, so it counts for precision; but not for recall, for the callee was not found. All else is wrong: OTHER if the project has the callee,
EXTERNAL if it has not. Edges of calls at places where the compiler saw none (local functions, code that was not compiled) are counted apart.
"""

from __future__ import annotations

import enum
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from exegesis.model import Edge, EdgeKind, Symbol, SymbolKind
from services.indexer.exact.facts import Call, Definition, IndexedFile, calls, definitions, links
from services.indexer.exact.vocabulary import Role, is_accessor, is_operator

Site = tuple[str, int, int]
"""Path, line and column."""

CALLS = frozenset({EdgeKind.CALL, EdgeKind.CONSTRUCT, EdgeKind.ACCESS})
"""Edges that may be what a compiler calls a call. An access may: to name a member that is a closure and call it is one or the other."""


class Verdict(enum.StrEnum):
    RIGHT = "right"
    LOOSE = "loose"
    OTHER = "other"
    EXTERNAL = "external"
    MISSED = "missed"
    """A call within the project that no edge was made for."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of one call, or of one edge at its place."""

    site: Site
    verdict: Verdict
    rule: str
    """Empty for a missed call."""
    callee: str
    """Name of what is called."""
    predicted: Symbol | None


@dataclass(slots=True)
class Tally:
    """Edges of one rule, one tier, or all."""

    right: int = 0
    loose: int = 0
    other: int = 0
    external: int = 0

    @property
    def made(self) -> int:
        return self.right + self.loose + self.other + self.external

    @property
    def precision(self) -> float:
        return (self.right + self.loose) / self.made if self.made else 1.0


@dataclass(frozen=True, slots=True)
class Score:
    judged: tuple[Judged, ...]
    in_project: int
    """Calls of what the project defines."""
    external: int
    """Calls of what it does not."""
    unseen: Mapping[str, int]
    """Edges of calls where the compiler saw none, by rule."""
    edge_precision: float
    """Of distinct pairs of caller and callee."""
    edge_recall: float

    def tally(self, prefix: str = "") -> Tally:
        """Of all rules that begin so."""
        found = Counter(each.verdict for each in self.judged if each.rule.startswith(prefix) and each.verdict is not Verdict.MISSED)
        return Tally(found[Verdict.RIGHT], found[Verdict.LOOSE], found[Verdict.OTHER], found[Verdict.EXTERNAL])

    def tiers(self, tiers: str) -> Tally:
        """Of several tiers together, each named by its letter."""
        parts = [self.tally(tier) for tier in tiers]
        return Tally(*(sum(values) for values in zip(*((each.right, each.loose, each.other, each.external) for each in parts), strict=True)))

    def recall(self, tiers: str) -> float:
        return self.tiers(tiers).right / self.in_project if self.in_project else 1.0


@dataclass(slots=True)
class Truth:
    """What a compiler knew, arranged for the questions of this file."""

    known: Mapping[str, tuple[Definition, ...]]
    paths: frozenset[str]
    sites: dict[Site, list[Call]] = field(default_factory=lambda: defaultdict(list))
    allowed: dict[str, frozenset[Site]] = field(default_factory=dict)
    overriding: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def declared(self, usr: str) -> str:
        """The property of an accessor; any other symbol as it is."""
        for at in self.known.get(usr, ()):
            if is_accessor(at.symbol.subkind) and at.parent:
                return at.parent
        return usr

    def places(self, usr: str) -> frozenset[Site]:
        """Where a symbol, and what overrides or witnesses it, is defined."""
        found = self.allowed.get(usr)
        if found is None:
            reached, pending = {usr}, [usr]
            while pending:
                fresh = self.overriding.get(pending.pop(), set()) - reached
                reached |= fresh
                pending += fresh
            defined = [at for each in reached for at in self.known.get(each, ())]
            # What nobody wrote stands for its type, wherever the compiler places it.
            types = [parent for at in defined if at.is_implicit for parent in self.known.get(at.parent, ())]
            found = self.allowed[usr] = frozenset((at.path, at.line, at.column) for at in (*defined, *types))
        return found


def truth_of(files: Sequence[IndexedFile]) -> Truth:
    truth = Truth(definitions(files), frozenset(file.path for file in files))
    for call in calls(files, implicit=False):
        if not is_accessor(call.callee.subkind) and not is_operator(call.callee.subkind):
            truth.sites[call.path, call.line, call.column].append(call)
    for link in links(files, Role.OVERRIDE_OF):
        truth.overriding[link.target].add(link.source)
    return truth


def score(truth: Truth, symbols: Mapping[int, Symbol], edges: Iterable[Edge]) -> Score:
    """Judge the edges of calls in the files that the compiler saw."""
    made: dict[Site, list[Edge]] = defaultdict(list)
    for edge in edges:
        path = symbols[edge.source].path
        if edge.kind in CALLS and path in truth.paths:
            made[path, edge.line, edge.column].append(edge)
    judged: list[Judged] = []
    true_pairs: set[tuple[str, str]] = set()
    found_pairs: set[tuple[str, str]] = set()
    by_place = {
        (at.path, at.line, at.column): usr
        for usr, places in truth.known.items()
        for at in places
        if not at.is_implicit and not is_accessor(at.symbol.subkind)
    }
    counts = Counter[bool]()
    for site, called in truth.sites.items():
        inside = [call for call in called if call.callee.usr in truth.known]
        counts[bool(inside)] += 1
        true_pairs |= {(truth.declared(call.caller), call.callee.usr) for call in inside}
        verdicts = [(edge, _judge(symbols[edge.target], inside, truth)) for edge in made.get(site, ())]
        judged += [Judged(site, verdict, edge.rule, called[0].callee.name, symbols[edge.target]) for edge, verdict in verdicts]
        if inside and not verdicts:
            judged.append(Judged(site, Verdict.MISSED, "", inside[0].callee.name, None))
        for edge, verdict in verdicts:
            caller = _caller(edge.source, symbols, by_place)
            target = symbols[edge.target]
            callee = inside[0].callee.usr if verdict is Verdict.RIGHT else by_place.get((target.path, target.line, target.column), str(target.id))
            found_pairs.add((caller, callee))
    unseen = Counter(each.rule for site, group in made.items() if site not in truth.sites for each in group if each.kind is not EdgeKind.ACCESS)
    common = len(true_pairs & found_pairs)
    return Score(
        judged=tuple(judged),
        in_project=counts[True],
        external=counts[False],
        unseen=unseen,
        edge_precision=common / len(found_pairs) if found_pairs else 1.0,
        edge_recall=common / len(true_pairs) if true_pairs else 1.0,
    )


def _judge(target: Symbol, inside: Sequence[Call], truth: Truth) -> Verdict:
    if not inside:
        return Verdict.EXTERNAL
    place = (target.path, target.line, target.column)
    if any(place in truth.places(call.callee.usr) for call in inside):
        return Verdict.RIGHT
    if target.kind.is_type and any(_makes(call, target, truth) for call in inside):
        return Verdict.LOOSE
    return Verdict.OTHER


def _makes(call: Call, target: Symbol, truth: Truth) -> bool:
    """Is it an initialiser of this type that is called?"""
    name = target.name.rpartition(".")[2]
    return call.callee.name.startswith("init") and any(
        name == parent.symbol.name for at in truth.known[call.callee.usr] for parent in truth.known.get(at.parent, ())
    )


def _caller(source: int, symbols: Mapping[int, Symbol], by_place: Mapping[Site, str]) -> str:
    """USR of the innermost symbol around that the compiler knows: closures and local functions are none to it."""
    current: Symbol | None = symbols[source]
    while current is not None:
        usr = by_place.get((current.path, current.line, current.column))
        if usr is not None and current.kind is not SymbolKind.CLOSURE:
            return usr
        current = symbols.get(current.parent) if current.parent is not None else None
    return ""

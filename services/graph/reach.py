"""Questions about ways through the whole program: what leads nowhere but through one symbol, where control comes in, what nothing leads to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from exegesis.model import Edge, EdgeKind, EntryPoint, FileRole, Modifier, OnlyThrough, Relation, Symbol, SymbolKind
from exegesis.ports import GraphReader
from services.graph.dialects import dialect_of
from services.graph.parts import FLOW, MOST_EDGES, between_wholes, endpoints_of, parts_of
from services.graph.whole import Mask, Places, WholeGraph

_ENTRY, _PUBLIC, _OVERRIDE = int(Modifier.ENTRY), int(Modifier.PUBLIC), int(Modifier.OVERRIDE)

_ASIDE = int(FileRole.TEST | FileRole.EXAMPLE)

_CODE = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.PROCEDURE, SymbolKind.SUBROUTINE})
"""Kinds that are told as dead: initialisers, accessors, cases and operators are used in ways that no syntax shows."""


def entries(whole: WholeGraph, among: Mask) -> Mask:
    """Where control comes into a part of the program: what says so, and what nothing else in the part leads to, as far as it can be entered:
    constants, types and tables that nobody reads begin nothing.

    A project without a start of its own is a library, and what it publishes is called from outside.
    """
    declared: Mask = among & (whole.modifiers & _ENTRY != 0)
    published: Mask = among & whole.runs & (whole.modifiers & _PUBLIC != 0)
    found: Mask = declared | (whole.flow.sources(among) & whole.runs)
    return found if declared.any() else found | published


def only_through(reader: GraphReader, whole: WholeGraph, symbol_ids: Sequence[int], *, limit: int = 200) -> OnlyThrough:
    """What is reachable from the entry points by way of a symbol alone; of a type, by way of its members.

    Exact on the graph as it is: the dominated set is what is reached with the symbol and not without it. Tests and examples are left
    out, for they call everything, unless the symbol stands in one.
    """
    flow = whole.flow
    own = flow.places(endpoints_of(reader, symbol_ids))
    dominator = flow.mask(own)
    among = np.ones(len(flow), dtype=bool) if whole.aside[own].any() else ~whole.aside
    starts = entries(whole, among)
    shut = ~among
    through = flow.reach(starts, without=shut) & ~flow.reach(starts, without=shut | dominator) & ~dominator
    relations = _told(reader, whole, own, through, limit)
    lost = reader.unresolved_names()
    unsure = sorted({relation.target.name for relation in relations if relation.target.name in lost})
    return OnlyThrough(tuple(relations), int(through.sum()), int(starts.sum()), tuple(unsure))


def entry_points(reader: GraphReader, whole: WholeGraph, *, limit: int = 50) -> Sequence[EntryPoint]:
    """Callable symbols where control comes in: those that say so first, then those that lead on most. Tests and examples are left out, and so is
    what a protocol asks for, which has no code.
    """
    flow, modifiers = whole.flow, whole.modifiers
    among = ~whole.aside
    found = np.flatnonzero(flow.sources(among) | (among & (modifiers & _ENTRY != 0)))
    onward = np.diff(flow.forward.indptr)
    rank = np.where(modifiers[found] & _ENTRY, 0, 1)
    ordered = found[np.lexsort((flow.ids[found], -onward[found], rank))]
    told: list[EntryPoint] = []
    for begin in range(0, len(ordered), 4 * limit):  # some are no code, so they are read by handfuls
        symbols = reader.symbols(int(flow.ids[place]) for place in ordered[begin : begin + 4 * limit])
        around = reader.symbols({symbol.parent for symbol in symbols.values() if symbol.parent is not None})
        for place in ordered[begin : begin + 4 * limit]:
            symbol = symbols[int(flow.ids[place])]
            parent = around.get(symbol.parent) if symbol.parent is not None else None
            required = parent is not None and parent.kind is SymbolKind.PROTOCOL
            if (symbol.kind.is_callable and not required) or symbol.modifiers & Modifier.ENTRY:
                told.append(EntryPoint(symbol, _why(whole, int(place), symbol), int(onward[place])))
            if len(told) == limit:
                return told
    return told


def _why(whole: WholeGraph, place: int, symbol: Symbol) -> str:
    if symbol.modifiers & Modifier.ENTRY:
        return "the program starts here"
    if symbol.modifiers & Modifier.OVERRIDE:
        return "overrides what is declared elsewhere"
    callers = whole.flow.before(place)
    if not len(callers):
        reason = "nothing here calls it"
    elif whole.aside[callers].all():
        reason = "only tests and examples call it"
    else:
        reason = "only what it leads to calls it"
    return f"public, and {reason}" if symbol.modifiers & Modifier.PUBLIC else reason


def dead_ends(reader: GraphReader, whole: WholeGraph, *, limit: int = 500) -> Sequence[Symbol]:
    """Functions and methods that nothing leads to, in the order of the files: candidates for deletion.

    Silent where it cannot know: what is public (in C all that is not static), overrides, starts the program, stands in a test or in a protocol,
    belongs to a type that conforms to something declared elsewhere, is named as a value, runs by its name, or bears a name that some unresolved
    reference bears.
    """
    flow, modifiers = whole.flow, whole.modifiers
    unreached = np.flatnonzero(~flow.reach(_alive(reader, whole)))
    unreached = unreached[modifiers[unreached] & (_ENTRY | _PUBLIC | _OVERRIDE) == 0]
    lost = reader.unresolved_names()
    symbols = reader.symbols(int(each) for each in flow.ids[unreached])
    found = sorted((each for each in symbols.values() if each.name not in lost), key=lambda each: (each.path, each.line, each.id))
    return found[:limit]


def _alive(reader: GraphReader, whole: WholeGraph) -> Mask:
    """Symbols that are used in ways the flow does not show, or may be."""
    flow = whole.flow
    shapes = {row.id: row for row in reader.skeleton().shapes()}
    named = set(reader.pairs((EdgeKind.MENTION,)).targets.tolist())
    lost = reader.unresolved_names()
    bound = _bound_types(reader)
    alive = np.zeros(len(flow), dtype=bool)
    suspects: list[int] = []
    for place, node in enumerate(flow.ids.tolist()):
        row = shapes[node]
        parent = shapes.get(row.parent) if row.parent is not None else None
        free = row.kind in _CODE and not row.roles & _ASIDE and node not in named and not row.modifiers & (_ENTRY | _PUBLIC | _OVERRIDE)
        if free and (parent is None or (parent.kind is not SymbolKind.PROTOCOL and parent.id not in bound)):
            suspects.append(node)
        else:
            alive[place] = True
    symbols = reader.symbols(suspects).values()
    languages = {row.file.path: row.file.language for row in reader.files(sorted({symbol.path for symbol in symbols}))}
    for symbol in symbols:
        dialect = dialect_of(languages.get(symbol.path, ""))
        # Where everything is seen everywhere unless it is private, as in C, whatever is not private is published.
        exported = dialect.prototypes and not symbol.modifiers & Modifier.PRIVATE
        if exported or symbol.name in lost or dialect.hooks.fullmatch(symbol.name):
            alive[flow.places((symbol.id,))] = True
    return alive


def _bound_types(reader: GraphReader) -> set[int]:
    """Types, and extensions of types, that inherit from or conform to something which the project does not declare: that may call their members."""
    known = Counter(reader.pairs((EdgeKind.INHERIT,)).sources.tolist())
    extensions = reader.pairs((EdgeKind.EXTEND,))
    extended = dict(zip(extensions.sources.tolist(), extensions.targets.tolist(), strict=True))
    types = [row.id for row in reader.skeleton().shapes() if row.kind.is_type]
    foreign = {each.id for each in reader.symbols(types).values() if len(each.inherits) > known[each.id] or _is_foreign(each, extended)}
    wholes = foreign | {extended[each] for each in foreign if each in extended}
    return wholes | {extension for extension, target in extended.items() if target in wholes}


def _is_foreign(symbol: Symbol, extended: dict[int, int]) -> bool:
    """An extension of a type that is declared elsewhere."""
    return symbol.kind is SymbolKind.EXTENSION and symbol.id not in extended


# ------------------------------------------------------------------------------------------------- the ways that are told


def _told(reader: GraphReader, whole: WholeGraph, own: Places, through: Mask, limit: int) -> list[Relation]:
    """Breadth first from a symbol into what it dominates, each with the edge by which the most confident of the shortest ways comes in."""
    flow = whole.flow
    confidence = {int(place): 1.0 for place in own}
    level = dict(confidence)
    told: list[Relation] = []
    depth = 0
    while level and len(told) < limit:
        depth += 1
        best: dict[int, tuple[float, int]] = {}
        for place, so_far in level.items():
            for after in flow.after(place).tolist():
                if through[after] and after not in confidence:
                    offer = (so_far * flow.weight(place, after), -place)
                    best[after] = max(best.get(after, offer), offer)
        reached = sorted(best, key=lambda after: (-round(best[after][0], 6), after))[: limit - len(told)]
        pairs = [(int(flow.ids[-best[after][1]]), int(flow.ids[after]), best[after][0]) for after in reached]
        found = relations_between(reader, pairs, depth)
        told.extend(sorted(found, key=lambda each: (-round(each.confidence, 6), each.target.path, each.target.line, each.target.id)))
        level = {after: best[after][0] for after in best}
        confidence.update(level)
    return told


def relations_between(reader: GraphReader, pairs: Sequence[tuple[int, int, float]], depth: int) -> list[Relation]:
    """Relations for pairs of symbols between which control passes, each with the surest edge that says so, in the given order."""
    targets = [target for _, target, _ in pairs]
    parts = [part for each in parts_of(targets, reader).values() for part in each]
    into = between_wholes(reader.edges_to(parts, per_node=MOST_EDGES, kinds=FLOW - {EdgeKind.OVERRIDE}), reader)
    edges: dict[tuple[int, int], Edge] = {}
    for edge in into:
        known = edges.get((edge.source, edge.target))
        if known is None or (-edge.confidence, edge.line, edge.column) < (-known.confidence, known.line, known.column):
            edges[edge.source, edge.target] = edge
    for edge in reader.edges_from(targets, per_node=MOST_EDGES, kinds={EdgeKind.OVERRIDE}):
        edges.setdefault((edge.target, edge.source), edge)
    ends = reader.symbols({end for source, target, _ in pairs for end in (source, target)})
    return [
        Relation(ends[source], ends[target], edges[source, target], depth, confidence)
        for source, target, confidence in pairs
        if (source, target) in edges
    ]

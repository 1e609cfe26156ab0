"""The map of a repository: its modules, how they depend on each other, where they start, and the parts that large ones fall into.

Which files make a module is told in :mod:`services.graph.areas`. Parts are communities of the files of a module: files that
refer to each other more than to the rest (Blondel et al., "Fast unfolding of communities in large networks", 2008; by networkx, with a fixed seed).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from exegesis.model import ModulePart, ModuleSummary, Symbol, SymbolKind
from exegesis.ports import GraphReader
from exegesis.terms import spoken
from services.graph.areas import KINDS, areas_of

if TYPE_CHECKING:
    import networkx as nx

SURE = 0.8
"""Edges below this are guesses at names, and one of them is enough to draw a dependency that does not exist."""

DIVIDED_FROM = 12
"""Files from which on a module is divided into parts; smaller ones are read as a whole."""

SMALLEST_PART = 3
"""Files of a part; what is smaller hangs together with nothing and is not told."""

MOST_PARTS = 12
CENTRAL = 5

_NO_DECLARATION = frozenset({SymbolKind.EXTENSION, SymbolKind.HEADING, SymbolKind.CLOSURE})

Links = Mapping[str, Mapping[str, int]]
"""For each source the targets, with the number of edges."""


def map_of(reader: GraphReader) -> Sequence[ModuleSummary]:
    """The modules of a repository, the code of the project first, then what accompanies it, kind by kind; largest first. Files without symbols are
    left out.
    """
    counts = reader.symbol_counts()
    programs = {symbol.path for symbol in reader.all_symbols({SymbolKind.PROCEDURE, SymbolKind.SUBROUTINE})}
    areas = areas_of({row.file.path: row for row in reader.files()}, counts.keys(), programs)
    files: dict[str, list[str]] = {}
    for path in sorted(areas):
        files.setdefault(areas[path].name, []).append(path)
    kinds = {area.name: area.kind for area in areas.values()}
    between: dict[str, dict[str, int]] = {name: {} for name in files}
    inside: dict[str, dict[tuple[str, str], int]] = {name: {} for name in files}
    for source, target, number in reader.edges_between_files(confidence=SURE):
        if source not in areas or target not in areas:
            continue
        here, there = areas[source].name, areas[target].name
        if here == there:
            if source != target:
                ends = (min(source, target), max(source, target))
                inside[here][ends] = inside[here].get(ends, 0) + number
        elif _may_depend(kinds[here], kinds[there]):
            between[here][there] = between[here].get(there, 0) + number
    entries: dict[str, list[Symbol]] = {}
    for symbol in reader.entry_points():
        if symbol.path in areas:
            entries.setdefault(areas[symbol.path].name, []).append(symbol)
    layers, circles = layers_of(between)
    used = dict(reader.busiest(limit=sum(counts.values())))
    found = []
    for name, paths in files.items():
        weights = _outermost(reader.symbols_in(paths), used)
        found.append(
            ModuleSummary(
                name,
                len(paths),
                sum(counts[path] for path in paths),
                tuple(sorted(between[name].items(), key=lambda item: (-item[1], item[0]))),
                tuple(entries.get(name, ())),
                kind=kinds[name],
                layer=layers[name],
                circle=circles[name],
                parts=_parts(weights, paths, inside[name]),
                central=_central(weights),
            )
        )
    order = ["", *KINDS]
    return sorted(found, key=lambda module: (order.index(module.kind), -module.symbols, module.name))


_MENTIONS = frozenset({"documents", "build"})
"""Kinds that only mention what they describe."""


def _may_depend(here: str, there: str) -> bool:
    """Whether files of one kind can use those of another: code has no use for its own tests, nor what was vendored for the code around it. Edges
    that say otherwise took a name for somebody else's.
    """
    if here in _MENTIONS or there in _MENTIONS:
        return False
    if here == "vendored":
        return there == here
    return bool(here) or there in {"", "vendored"}


def layers_of(links: Links) -> tuple[Mapping[str, int], Mapping[str, tuple[str, ...]]]:
    """For each node its layer and the others of its circle. Layer 0 depends on nothing; any other lies above all that it depends on. Nodes that
    depend on each other in a circle lie on one layer.
    """
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(sorted(links))
    graph.add_edges_from((source, target) for source in sorted(links) for target in sorted(links[source]) if target in links)
    whole = nx.condensation(graph)
    layer: dict[int, int] = {}
    for group in reversed(list(nx.topological_sort(whole))):
        layer[group] = max((layer[below] + 1 for below in whole.successors(group)), default=0)
    members = {group: sorted(whole.nodes[group]["members"]) for group in whole.nodes}
    layers = {node: layer[group] for group, nodes in members.items() for node in nodes}
    circles = {node: tuple(other for other in nodes if other != node) for nodes in members.values() for node in nodes}
    return layers, circles


# --------------------------------------------------------------------------------------------------- parts of a module


def _parts(weights: Mapping[Symbol, int], files: Sequence[str], links: Mapping[tuple[str, str], int]) -> tuple[ModulePart, ...]:
    if len(files) < DIVIDED_FROM:
        return ()
    groups = [group for group in communities(files, links) if len(group) >= SMALLEST_PART][:MOST_PARTS]
    if len(groups) < 2:
        return ()
    of_file: dict[str, dict[Symbol, int]] = {}
    for symbol, uses in weights.items():
        of_file.setdefault(symbol.path, {})[symbol] = uses
    weighed = [{symbol: uses for path in group for symbol, uses in of_file.get(path, {}).items()} for group in groups]
    said = [_spoken_of(own) for own in weighed]
    everywhere = Counter(word for counted in said for word in counted)
    parts = []
    for group, own, counted in zip(groups, weighed, said, strict=True):
        # A word names a part if what is used there bears it, and few other parts know it.
        telling = sorted(counted, key=lambda word: (-counted[word] / everywhere[word], word))
        name = ", ".join(telling[:3]) or _folder(group)
        parts.append(ModulePart(name, len(group), len(own), _central(own), _folder(group)))
    return tuple(parts)


def _central(weights: Mapping[Symbol, int]) -> tuple[Symbol, ...]:
    return tuple(sorted((each for each in weights if weights[each]), key=lambda each: (-weights[each], each.path, each.line))[:CENTRAL])


def _outermost(symbols: Sequence[Symbol], used: Mapping[int, int]) -> Mapping[Symbol, int]:
    """The declarations that stand in no other, with the uses of all that is declared in them and in their extensions."""
    named = {each.name: each for each in reversed(symbols) if each.parent is None and each.kind not in _NO_DECLARATION}
    weights = dict.fromkeys(named.values(), 0)
    for each in symbols:
        whole = named.get((each.container or each.name).partition(".")[0])
        if whole is not None:
            weights[whole] += used.get(each.id, 0)
    return weights


def _spoken_of(weights: Mapping[Symbol, int]) -> Counter[str]:
    """The words of the names of types, weighed by their use: one type that everything leans on says less than five that much does."""
    said: Counter[str] = Counter()
    for symbol, uses in weights.items():
        if symbol.kind.is_type:
            for word in _words_of(symbol):
                said[word] += round(10 * (1 + uses) ** 0.5)
    return said


def _words_of(symbol: Symbol) -> set[str]:
    return {word for word in spoken(symbol.name).lower().split() if len(word) > 2}


def communities(files: Sequence[str], links: Mapping[tuple[str, str], int]) -> list[list[str]]:
    """Groups of files that refer to each other, largest first; the same for the same input."""
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(files)
    graph.add_weighted_edges_from((source, target, number) for (source, target), number in sorted(links.items()))
    found: Iterable[set[str]] = nx.community.louvain_communities(graph, weight="weight", seed=1)
    groups: list[list[str]] = [sorted(group) for group in found]
    return sorted(groups, key=lambda group: (-len(group), group))


def _folder(paths: Sequence[str]) -> str:
    """The deepest folder that holds most of some files."""
    depth: Counter[tuple[str, ...]] = Counter(tuple(path.split("/")[:level]) for path in paths for level in range(1, path.count("/") + 1))
    holding = [folder for folder, number in depth.items() if 3 * number >= 2 * len(paths)]
    deepest = max(holding, key=lambda folder: (len(folder), folder), default=())
    return "/".join(deepest)

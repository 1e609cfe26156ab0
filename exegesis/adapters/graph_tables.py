"""The tables of a graph generation, and every way of reading them."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np

from exegesis.adapters.graph_codec import CHUNK_COLUMNS, SYMBOL_COLUMNS, Row, bindings_of, chunk_of, exact_of, symbol_of, unpack_references
from exegesis.errors import CorruptIndex
from exegesis.model import (
    Binding,
    Chunk,
    Edge,
    EdgeKind,
    ExactFacts,
    FileFacts,
    FileRole,
    FileStatus,
    Modifier,
    SourceFile,
    Span,
    Symbol,
    SymbolKind,
    Tier,
    Unresolved,
    file_id,
)
from exegesis.ports import SYMBOL_KINDS, Degrees, EdgeColumns, FileRow, GraphTotals, LexicalStatistics, SymbolColumns

FORMAT = "3"
"""Raised whenever the tables change; a file of another format does not open."""

TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE files (
    file INTEGER PRIMARY KEY, path TEXT, digest TEXT, size INTEGER, language TEXT, roles INTEGER, status TEXT, reason TEXT, module TEXT,
    exact TEXT, indegree INTEGER
);
CREATE TABLE facts (file INTEGER PRIMARY KEY, path TEXT, digest TEXT, language TEXT, imports TEXT, problems TEXT, bindings TEXT);
CREATE TABLE reference_lists (file INTEGER PRIMARY KEY, content BLOB, mentioned BLOB);
CREATE TABLE links (file INTEGER PRIMARY KEY, consulted BLOB, unresolved INTEGER, external INTEGER);
CREATE TABLE symbols (
    id INTEGER PRIMARY KEY, file INTEGER, name TEXT, folded TEXT, qualified TEXT, kind TEXT, start INTEGER, end INTEGER, line INTEGER,
    column INTEGER, parent INTEGER, container TEXT, signature TEXT, doc TEXT, modifiers INTEGER, type TEXT, details TEXT
);
CREATE TABLE chunks (
    id INTEGER PRIMARY KEY, file INTEGER, kind TEXT, start INTEGER, end INTEGER, runs TEXT, symbol INTEGER, symbol_kind TEXT, name TEXT,
    qualified TEXT, enclosing TEXT, signature TEXT, doc TEXT, part INTEGER, parts INTEGER
);
CREATE TABLE texts (chunk INTEGER PRIMARY KEY, content BLOB);
CREATE TABLE terms (chunk INTEGER PRIMARY KEY, content BLOB);
CREATE TABLE edges (
    source INTEGER, structural INTEGER, doubt INTEGER, line INTEGER, column INTEGER, target INTEGER, kind TEXT, rule TEXT, tier TEXT,
    tested INTEGER,
    PRIMARY KEY (source, structural, doubt, line, column, target, kind)
) WITHOUT ROWID;
CREATE TABLE exact (file INTEGER PRIMARY KEY, fresh INTEGER, outline BLOB, uses BLOB);
CREATE TABLE unresolved (source INTEGER PRIMARY KEY, content TEXT);
"""

_IS_CLOSURE = f"kind = '{SymbolKind.CLOSURE}'"
_IS_ENTRY = f"modifiers & {Modifier.ENTRY:d}"
# A partial index is used where a statement says its condition in the same words.

FACT_INDEXES = (
    "CREATE INDEX IF NOT EXISTS symbols_by_file ON symbols (file)",
    "CREATE INDEX IF NOT EXISTS symbols_by_name ON symbols (folded)",
    f"CREATE INDEX IF NOT EXISTS closures_by_parent ON symbols (parent) WHERE {_IS_CLOSURE}",
    f"CREATE INDEX IF NOT EXISTS entry_points ON symbols (id) WHERE {_IS_ENTRY}",
    "CREATE INDEX IF NOT EXISTS chunks_by_file ON chunks (file)",
    "CREATE INDEX IF NOT EXISTS chunks_by_symbol ON chunks (symbol) WHERE symbol IS NOT NULL",
)
EDGE_INDEX = "CREATE INDEX IF NOT EXISTS edges_by_target ON edges (target, structural, doubt, tested, source, line, column, kind)"
"""Made after the bulk of the rows: filling a table and then indexing it is three times faster than keeping an index while filling."""

STRUCTURAL = frozenset({EdgeKind.TYPE, EdgeKind.INHERIT, EdgeKind.EXTEND, EdgeKind.MENTION})
"""Edges that say how things are built, not what runs. They are stored apart, so that a capped look at the flow is not filled up by them."""

COUNTED = (EdgeKind.CALL, EdgeKind.CONSTRUCT, EdgeKind.ACCESS)
"""Kinds that make a caller."""

CERTAIN = 1000
"""Confidence is stored as doubt in thousandths: an integer that sorts, compares and restores exactly."""

HANDFUL = 1000
"""Rows that are turned into numbers at once."""

_EDGE_COLUMNS = "source, target, kind, rule, tier, doubt, line, column"
_EDGE_KINDS = {kind.value: kind for kind in EdgeKind}
_TIERS = {tier.value: tier for tier in Tier}
_STATUSES = {status.value: status for status in FileStatus}
_roles = lru_cache(maxsize=None)(FileRole)


REBUILD = "Run `exegesis index` for this project: its index is then made anew."


def is_damage(error: sqlite3.Error) -> bool:
    """Whether it is the file that is wrong, and will stay so."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class GraphTables:
    """A ``GraphReader`` over a connection. May be used from several threads: statements take turns, and each takes milliseconds."""

    def __init__(self, connection: sqlite3.Connection, *, on_damage: Callable[[], None] = lambda: None) -> None:
        self._connection = connection
        self._on_damage = on_damage
        self._damage = ""
        """What was found damaged; from then on nothing is read, so that whoever indexes finds out."""
        self._turn = threading.RLock()
        self._paths: dict[int, str] = {}
        self._vocabulary: Any = None

    # ---- files

    def files(self, paths: Sequence[str] | None = None) -> Sequence[FileRow]:
        columns = "path, digest, size, language, roles, status, reason, module, exact, indegree"
        if paths is None:
            rows = self._rows(f"SELECT {columns} FROM files")
        else:
            rows = self._each(f"SELECT {columns} FROM files WHERE file IN", map(file_id, paths))
        return [
            FileRow(SourceFile(path, digest, size, language, _roles(roles), _STATUSES[status], reason, module, exact), indegree)
            for path, digest, size, language, roles, status, reason, module, exact, indegree in sorted(rows)
        ]

    def imports(self) -> Mapping[str, tuple[str, ...]]:
        rows = sorted(self._rows("SELECT path, imports FROM facts"))
        read = {imports: tuple(json.loads(imports)) for imports in {imports for _, imports in rows}}  # files of one module import the same
        return {path: read[imports] for path, imports in rows}

    def bindings(self) -> Mapping[str, tuple[Binding, ...]]:
        rows = self._rows("SELECT path, bindings FROM facts WHERE bindings != ''")
        return {path: bindings_of(written) for path, written in sorted(rows)}

    # ---- symbols

    def symbols(self, ids: Iterable[int]) -> Mapping[int, Symbol]:
        return {symbol.id: symbol for symbol in self._symbols("id", ids)}

    def symbols_named(self, names: Iterable[str]) -> Sequence[Symbol]:
        return self._symbols("folded", {name.lower() for name in names})

    def symbols_in(self, paths: Iterable[str]) -> Sequence[Symbol]:
        return self._symbols("file", map(file_id, paths))

    def symbols_at(self, places: Mapping[str, Sequence[Span]]) -> Sequence[Symbol]:
        paths = self._path_of()
        # The engine looks at all symbols of a file and hands over few: making objects of the others costs ten times the look.
        statement = f"SELECT {SYMBOL_COLUMNS} FROM symbols WHERE file = ? AND line IN (SELECT value FROM json_each(?))"
        found = []
        for path in sorted(places):
            lines = {line for run in places[path] for line in range(run.start, run.end + 1)}
            rows = self._rows(statement, (file_id(path), json.dumps(sorted(lines))))
            found += sorted((symbol_of(row, paths[row[1]]) for row in rows), key=lambda symbol: (symbol.line, symbol.id))
        return found

    def all_symbols(self, kinds: Collection[SymbolKind] | None = None) -> Iterator[Symbol]:
        paths = self._path_of()
        statement = f"SELECT {SYMBOL_COLUMNS} FROM symbols"
        rows = self._rows(statement) if kinds is None else self._each(f"{statement} WHERE kind IN", kinds)
        rows.sort(key=lambda row: (paths[row[1]], row[8], row[0]))  # path, line, identifier
        return (symbol_of(row, paths[row[1]]) for row in rows)

    def _symbols(self, column: str, values: Iterable[int | str]) -> list[Symbol]:
        paths = self._path_of()
        rows = self._each(f"SELECT {SYMBOL_COLUMNS} FROM symbols WHERE {column} IN", values)
        return sorted((symbol_of(row, paths[row[1]]) for row in rows), key=lambda symbol: (symbol.path, symbol.line, symbol.id))

    def closures_in(self, ids: Iterable[int]) -> Mapping[int, tuple[int, ...]]:
        found: dict[int, list[int]] = {node: [] for node in ids}
        root_of = {node: node for node in found}
        pending: Collection[int] = tuple(found)
        while pending:
            rows = self._each(f"SELECT parent, id FROM symbols WHERE {_IS_CLOSURE} AND parent IN", pending)
            inner = [(parent, closure) for parent, closure in rows if closure not in root_of]
            for parent, closure in inner:
                root_of[closure] = root_of[parent]
                found[root_of[parent]].append(closure)
            pending = [closure for _, closure in inner]
        return {node: tuple(sorted(closures)) for node, closures in found.items() if closures}

    def owners(self, ids: Iterable[int]) -> Mapping[int, int]:
        ids = list(ids)
        parents: dict[int, int] = {}
        pending: set[int] = set(ids)
        while pending:
            rows = self._each(f"SELECT id, parent FROM symbols WHERE {_IS_CLOSURE} AND parent IS NOT NULL AND id IN", pending)
            parents.update(rows)
            pending = {parent for _, parent in rows} - parents.keys()
        found = {}
        for node in ids:
            current, steps = node, 0
            while current in parents and steps <= len(parents):
                current, steps = parents[current], steps + 1
            if current != node:
                found[node] = current
        return found

    def names(self) -> Sequence[str]:
        return [name for (name,) in self._rows(f"SELECT DISTINCT name FROM symbols WHERE NOT {_IS_CLOSURE} ORDER BY name")]

    def entry_points(self) -> Sequence[Symbol]:
        return self._symbols("id", (row[0] for row in self._rows(f"SELECT id FROM symbols WHERE {_IS_ENTRY}")))

    def symbol_counts(self) -> Mapping[str, int]:
        paths = self._path_of()
        return {paths[file]: number for file, number in self._rows("SELECT file, count(*) FROM symbols GROUP BY file")}

    # ---- references

    def references_in(self, paths: Iterable[str]) -> Iterator[FileFacts]:
        known = self._path_of()
        statement = "SELECT file, digest, language, imports, bindings, content FROM facts JOIN reference_lists USING (file) WHERE file IN"
        rows = sorted(self._each(statement, map(file_id, paths)), key=lambda row: known[row[0]])
        return (
            FileFacts(
                known[file], digest, language, (), unpack_references(content), (), (), tuple(json.loads(imports)), bindings=bindings_of(bindings)
            )
            for file, digest, language, imports, bindings, content in rows
        )

    # ---- what a compiler recorded

    def exact(self, paths: Iterable[str] | None = None, *, uses: bool) -> Iterator[ExactFacts]:
        known = self._path_of()
        statement = f"SELECT file, fresh, outline{', uses' if uses else ''} FROM exact"
        rows = self._rows(statement) if paths is None else self._each(f"{statement} WHERE file IN", map(file_id, paths))
        rows.sort(key=lambda row: known[row[0]])
        return (exact_of(row[1:3], known[row[0]], row[3] if uses else None) for row in rows)

    # ---- edges

    def edges_between_files(self, *, confidence: float = 0.0) -> Sequence[tuple[str, str, int]]:
        paths = self._path_of()
        rows = self._rows(
            "SELECT source.file, target.file, count(*) FROM edges JOIN symbols AS source ON source.id = edges.source"
            f" JOIN symbols AS target ON target.id = edges.target WHERE edges.kind != '{EdgeKind.WITNESS}' AND doubt <= ?"
            f" AND NOT (edges.kind = '{EdgeKind.EXTEND}' AND source.kind = '{SymbolKind.PROTOTYPE}')"
            " GROUP BY 1, 2",
            (CERTAIN - round(confidence * CERTAIN),),
        )
        return sorted((paths[source], paths[target], number) for source, target, number in rows)

    def edges_from(self, ids: Iterable[int], *, per_node: int, kinds: Collection[EdgeKind] | None = None) -> Sequence[Edge]:
        nodes = list(dict.fromkeys(ids))
        # Hardly a symbol uses more than may be shown, so all are read by one statement. It gives up at as many rows as could be shown.
        statement = (
            f"SELECT {_EDGE_COLUMNS} FROM (SELECT * FROM json_each(?) CROSS JOIN edges ON source = value {_among(kinds)} LIMIT ?)"
            " ORDER BY source, structural, doubt, line, column, target, kind"
        )
        most = (per_node + 1) * len(nodes)
        rows = self._rows(statement, (json.dumps(nodes), *sorted(kinds or ()), most)) if nodes else []
        if len(rows) == most:
            return self._edges_by_node("source", "line, column, target", nodes, per_node, kinds)
        found: dict[int, list[Row]] = {node: [] for node in nodes}
        for row in rows:
            found[row[0]].append(row)
        return [_edge_of(row) for node in nodes for row in _most_certain(found[node], per_node)]

    def edges_to(self, ids: Iterable[int], *, per_node: int, kinds: Collection[EdgeKind] | None = None) -> Sequence[Edge]:
        """Among equally confident ones those that stand in tests come last, so that a cap takes them first."""
        return self._edges_by_node("target", "tested, source, line, column", ids, per_node, kinds)

    def _edges_by_node(self, end: str, order: str, ids: Iterable[int], per_node: int, kinds: Collection[EdgeKind] | None) -> Sequence[Edge]:
        groups = [structural for structural in (0, 1) if kinds is None or any((kind in STRUCTURAL) == bool(structural) for kind in kinds)]
        # The range of one node and group lies in index order, so the cap ends the scan: a node with thousands of callers costs as much as any.
        statement = f"SELECT {_EDGE_COLUMNS} FROM edges WHERE {end} = ? AND structural = ? {_among(kinds)} ORDER BY doubt, {order} LIMIT ?"
        found: list[Edge] = []
        with self._reading():
            for node in dict.fromkeys(ids):
                rows = [row for group in groups for row in self._connection.execute(statement, (node, group, *sorted(kinds or ()), per_node))]
                found.extend(map(_edge_of, _most_certain(rows, per_node)))
        return found

    def degrees(self, ids: Iterable[int]) -> Mapping[int, Degrees]:
        nodes = list(dict.fromkeys(ids))
        kinds = ",".join(f"'{kind}'" for kind in COUNTED)
        flow = f"structural = 0 AND kind IN ({kinds})"
        callers: dict[int, int] = dict(
            self._each(f"SELECT target, count(DISTINCT source) FROM edges WHERE {flow} AND target IN", nodes, "GROUP BY target")
        )
        callees: dict[int, int] = dict(
            self._each(f"SELECT source, count(DISTINCT target) FROM edges WHERE {flow} AND source IN", nodes, "GROUP BY source")
        )
        return {node: Degrees(callers.get(node, 0), callees.get(node, 0)) for node in nodes}

    def busiest(self, limit: int) -> Sequence[tuple[int, int]]:
        """Symbols with the most distinct callers, and how many; most first, ties by identifier."""
        kinds = ",".join(f"'{kind}'" for kind in COUNTED)
        return self._rows(
            f"SELECT target, count(DISTINCT source) AS callers FROM edges WHERE structural = 0 AND kind IN ({kinds})"
            " GROUP BY target ORDER BY callers DESC, target LIMIT ?",
            (limit,),
        )

    def skeleton(self) -> SymbolColumns:
        places = {kind.value: place for place, kind in enumerate(SYMBOL_KINDS)}
        roles: dict[int, int] = dict(self._rows("SELECT file, roles FROM files"))
        handfuls = [np.empty((5, 0), dtype=np.int64)]
        for rows in self._handfuls("SELECT id, ifnull(parent, -1), kind, modifiers, file FROM symbols ORDER BY id"):
            ids, parents, kinds, modifiers, files = zip(*rows, strict=True)
            columns = (ids, parents, [places[kind] for kind in kinds], modifiers, [roles[file] for file in files])
            handfuls.append(np.array(columns, dtype=np.int64))
        return SymbolColumns(*np.concatenate(handfuls, axis=1))

    def pairs(self, kinds: Collection[EdgeKind]) -> EdgeColumns:
        structural = sorted({int(kind in STRUCTURAL) for kind in kinds})
        # Written out: a list that is itself a query is looked through for each of a million edges.
        named = ",".join("?" * len(kinds))
        statement = f"SELECT source, target, doubt FROM edges WHERE structural IN ({','.join(map(str, structural))}) AND kind IN ({named})"
        handfuls = [np.empty((3, 0), dtype=np.int64)]
        handfuls += (
            np.fromiter(chain.from_iterable(rows), dtype=np.int64, count=3 * len(rows)).reshape(-1, 3).T
            for rows in self._handfuls(statement, tuple(sorted(kinds)))
        )
        sources, targets, doubts = np.concatenate(handfuls, axis=1)
        return EdgeColumns(sources, targets, (CERTAIN - doubts) / CERTAIN)

    def unresolved_names(self) -> Collection[str]:
        return {name for (content,) in self._rows("SELECT content FROM unresolved") for name, *_ in json.loads(content)}

    def unresolved(self, ids: Iterable[int]) -> Sequence[Unresolved]:
        found = [
            Unresolved(source, name, line, column, candidates, bool(external))
            for source, content in self._each("SELECT source, content FROM unresolved WHERE source IN", ids)
            for name, line, column, candidates, external in json.loads(content)
        ]
        places = {symbol.id: symbol.path for symbol in self.symbols({each.source for each in found}).values()}
        return sorted(found, key=lambda each: (places.get(each.source, ""), each.line, each.column, each.source, each.name))

    def totals(self) -> GraphTotals:
        ((symbols, edges, chunks, unresolved, external),) = self._rows(
            "SELECT (SELECT count(*) FROM symbols), (SELECT count(*) FROM edges), (SELECT count(*) FROM chunks),"
            " ifnull(sum(unresolved), 0), ifnull(sum(external), 0) FROM links"
        )
        return GraphTotals(symbols, edges, chunks, unresolved, external)

    # ---- chunks and their terms

    def chunks(self, ids: Iterable[int], *, text: bool) -> Mapping[int, Chunk]:
        return {chunk.id: chunk for chunk in self._chunks("id", ids, text=text)}

    def chunks_in(self, paths: Iterable[str], *, text: bool) -> Sequence[Chunk]:
        found = self._chunks("file", map(file_id, paths), text=text)
        return sorted(found, key=lambda chunk: (chunk.path, chunk.start, chunk.id))

    def chunks_of_symbols(self, ids: Iterable[int]) -> Mapping[int, tuple[int, ...]]:
        found: dict[int, list[tuple[int, int]]] = {}
        for symbol, part, chunk in self._each("SELECT symbol, part, id FROM chunks WHERE symbol IN", ids):
            found.setdefault(symbol, []).append((part, chunk))
        return {symbol: tuple(chunk for _, chunk in sorted(parts)) for symbol, parts in found.items()}

    def _chunks(self, column: str, values: Iterable[int], *, text: bool) -> list[Chunk]:
        paths = self._path_of()
        if text:
            rows = self._each(f"SELECT {CHUNK_COLUMNS}, content FROM chunks JOIN texts ON chunk = id WHERE {column} IN", values)
            return [chunk_of(row[:-1], paths[row[1]], row[-1]) for row in rows]
        return [chunk_of(row, paths[row[1]], None) for row in self._each(f"SELECT {CHUNK_COLUMNS} FROM chunks WHERE {column} IN", values)]

    def terms(self, chunks: Iterable[int] | None = None) -> Iterator[tuple[int, str, bytes]]:
        statement = "SELECT id, file, start, content FROM chunks JOIN terms ON chunk = id"
        rows = self._rows(statement) if chunks is None else self._each(f"{statement} WHERE id IN", chunks)
        paths = self._path_of()
        rows.sort(key=lambda row: (paths[row[1]], row[2], row[0]))
        return ((chunk, paths[file], content) for chunk, file, _, content in rows)

    def vocabulary(self, terms: Iterable[int]) -> Mapping[int, tuple[int, int]]:
        import numpy as np

        from exegesis.adapters.graph_totals import VOCABULARY, look_up

        if self._vocabulary is None:
            stored = self._rows("SELECT value FROM meta WHERE name = 'vocabulary'")
            self._vocabulary = np.frombuffer(stored[0][0] if stored else b"", dtype=VOCABULARY)
        return look_up(self._vocabulary, terms)

    def statistics(self) -> LexicalStatistics:
        stored = self._rows("SELECT value FROM meta WHERE name = 'statistics'")
        if not stored:
            return LexicalStatistics(0, 0, (), ())
        chunks, files, chunk_lengths, file_lengths = json.loads(stored[0][0])
        return LexicalStatistics(chunks, files, tuple(chunk_lengths), tuple(file_lengths))

    def dump(self) -> Mapping[str, Sequence[Row]]:
        """Every table with all its rows in order: two generations of the same facts have equal dumps."""
        tables = [name for (name,) in self._rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")]
        return {table: sorted(self._rows(f"SELECT * FROM {table}"), key=repr) for table in tables}

    def close(self) -> None:
        with self._turn:
            self._connection.close()

    # ---- statements

    def _rows(self, statement: str, values: Sequence[object] = ()) -> list[Row]:
        with self._reading():
            return self._connection.execute(statement, values).fetchall()

    def _handfuls(self, statement: str, values: Sequence[object] = ()) -> Iterator[list[Row]]:
        """Rows of which there are very many. A handful stays in the processor's cache until it has become numbers, which saves a quarter."""
        with self._reading():
            cursor = self._connection.execute(statement, values)
            while rows := cursor.fetchmany(HANDFUL):
                yield rows

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """A turn on the connection; damage that shows up only now is reported as what it is."""
        with self._turn:
            if self._damage:
                raise CorruptIndex(self._damage, hint=REBUILD)
            try:
                yield
            except sqlite3.ProgrammingError:
                raise  # a mistake in this program, such as reading what was closed
            except sqlite3.DatabaseError as error:
                message = f"The graph does not read: {error}."
                if is_damage(error):
                    self._damage = message
                    self._on_damage()
                raise CorruptIndex(message, hint=REBUILD) from error

    def _each(self, statement: str, values: Iterable[int | str], further: str = "") -> list[Row]:
        """Rows for any number of values by one statement that is prepared once."""
        return self._rows(f"{statement} (SELECT value FROM json_each(?)) {further}", (json.dumps(sorted(set(values))),))

    def _path_of(self) -> Mapping[int, str]:
        if not self._paths:
            self._paths = dict(self._rows("SELECT file, path FROM facts"))
        return self._paths


def _among(kinds: Collection[EdgeKind] | None) -> str:
    return "" if kinds is None else f"AND kind IN ({','.join('?' * len(kinds))})"


def _most_certain(rows: list[Row], per_node: int) -> list[Row]:
    """The most certain edges of one node, of equal ones those of flow before those of structure: either come in their order, flow first."""
    if len(rows) <= per_node:
        return rows
    flow = [row for row in rows if _EDGE_KINDS[row[2]] not in STRUCTURAL]
    structure = [row for row in rows if _EDGE_KINDS[row[2]] in STRUCTURAL]
    kept = [*flow[:per_node], *structure[:per_node]]
    return sorted(kept, key=lambda row: row[5])[:per_node]


def _edge_of(row: Row) -> Edge:
    source, target, kind, rule, tier, doubt, line, column = row
    return Edge(source, target, _EDGE_KINDS[kind], rule, _TIERS[tier], (CERTAIN - doubt) / CERTAIN, line, column)

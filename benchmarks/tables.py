"""Everything that a generation consists of, as rows that can be compared: what an incremental index must have in common with a clean one."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import qdrant_edge

from exegesis.adapters.sqlite_cache import SqliteCache
from exegesis.descriptions import load_set, set_name
from exegesis.model import Generation

Tables = dict[str, list[tuple[Any, ...]]]

_STATISTICS_OF_THE_ENGINE = "sqlite_"
_DESCRIPTIONS = "descriptions"
"""Kept in the content cache, which may be in a database: where that is no file they are not compared."""


def read_tables(home: Path, generation: Generation) -> Tables:
    """Every table of the graph, every point of the chunk index, and what the catalog says, each in a fixed order.

    Names and moments of generations differ by nature and are left out.
    """
    tables = _read_graph(home / "graph" / generation.repository / f"{generation.id}.db")
    tables["points"] = _read_points(home / "chunks" / generation.repository / generation.id)
    described = _read_descriptions(home / "cache.db", generation)
    if described is not None:
        tables[_DESCRIPTIONS] = described
    tables["catalog"] = [(replace(generation, id="", repository="", created=0.0),)]
    return tables


def differences(one: Tables, other: Tables) -> list[str]:
    """A line for each table that differs, with the first rows that only one side has."""
    found = [f"only one side has {name}" for name in sorted((one.keys() ^ other.keys()) - {_DESCRIPTIONS})]
    for name in sorted(one.keys() & other.keys()):
        if one[name] != other[name]:
            left = [row for row in one[name] if row not in other[name]][:3]
            right = [row for row in other[name] if row not in one[name]][:3]
            found.append(f"{name}: {len(one[name])} and {len(other[name])} rows; only left {left}; only right {right}"[:2_000])
    return found


def _read_graph(path: Path) -> Tables:
    connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    tables = {
        name: sorted(connection.execute(f"SELECT * FROM {name}").fetchall(), key=repr)
        for name in names
        if not name.startswith(_STATISTICS_OF_THE_ENGINE)
    }
    connection.close()
    return tables


def _read_descriptions(path: Path, generation: Generation) -> list[tuple[Any, ...]] | None:
    """None where the cache is none of this folder; one row without a description where it has none."""
    if not path.exists():
        return None
    cache = SqliteCache(path)
    kept = load_set(cache, generation.repository, set_name(generation.id, generation.described))
    cache.close()
    return [(None,)] if kept is None else [(each,) for each in kept]


def _read_points(path: Path) -> list[tuple[Any, ...]]:
    shard = qdrant_edge.EdgeShard.load(str(path))
    rows: list[tuple[Any, ...]] = []
    offset = None
    while True:
        records, offset = shard.scroll(qdrant_edge.ScrollRequest(offset=offset, limit=1_000, with_vector=True))
        rows.extend((record.id, _plain(record.vector)) for record in records)
        if offset is None:
            break
    shard.close()
    return sorted(rows)


def _plain(vectors: Any) -> tuple[Any, ...]:
    return tuple(
        (name, tuple(zip(vector.indices, vector.values, strict=True)) if isinstance(vector, qdrant_edge.SparseVector) else tuple(vector))
        for name, vector in sorted((vectors or {}).items())
    )

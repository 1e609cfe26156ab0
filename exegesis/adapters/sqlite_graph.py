"""Graph generations as SQLite files: one file for each, built aside and renamed, then opened immutable.

    <folder>/<repository>/<generation>.db       finished
    <folder>/<repository>/<generation>.draft    being built, or left behind by a build that was killed
    <folder>/<repository>/<generation>.damaged  says that somebody who read the finished one met damage, so that the next run makes it anew

A finished file never changes, so readers need no locks and no journal, a swap of generations is somebody else's one-row change, and collecting
garbage is unlinking. A reader that has a deleted generation open keeps reading it.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import quote

from exegesis.adapters.graph_codec import (
    Row,
    chunk_row,
    exact_row,
    mentioned_names,
    pack_names,
    pack_references,
    pack_text,
    symbol_row,
    written_bindings,
)
from exegesis.adapters.graph_tables import CERTAIN, EDGE_INDEX, FACT_INDEXES, FORMAT, REBUILD, STRUCTURAL, TABLES, GraphTables, is_damage
from exegesis.errors import CorruptIndex, NotIndexed, Unavailable, UsageError
from exegesis.model import Edge, ExactFacts, FileFacts, FileRole, FileStatus, SourceFile, SymbolKind, Unresolved, file_id

_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+@-]{0,200}")
Complete = Callable[[str, str, Path], None]

RESERVE_BYTES = 128 << 20
"""That must stay free for a draft to be begun: whoever fills a disk to the last byte stops everybody who shares it, a database first."""

_UNNAMED = (SymbolKind.CLOSURE, SymbolKind.EXTENSION, SymbolKind.HEADING)
"""Symbols that define no name that another file could mention."""


class SqliteGraph:
    """The ``GraphStore`` over a folder. Stateless: any number of processes may use one folder, each draft belongs to its maker.

    Args:
        folder: Of all repositories.
        complete: Is given repository, generation and file of every draft that is complete, before anybody can open it.
        reserve_bytes: That must be free beside what a draft begins with.

    """

    def __init__(
        self, folder: Path, *, complete: Complete = lambda _repository, _generation, _file: None, reserve_bytes: int = RESERVE_BYTES
    ) -> None:
        self._folder = folder
        self._complete = complete
        self._reserve_bytes = reserve_bytes

    def draft(self, repository: str, generation: str, *, basis: str | None) -> SqliteGraphDraft:
        final = self.file(repository, generation)
        aside = final.with_suffix(".draft")
        final.parent.mkdir(parents=True, exist_ok=True)
        aside.unlink(missing_ok=True)
        if basis is not None:
            finished = self.file(repository, basis)
            if not finished.exists():
                raise NotIndexed(f"There is no finished generation {basis} of {repository} to build on.")
            _check_mark(finished)
            self._check_room(finished.stat().st_size)
            shutil.copyfile(finished, aside)
            on_damage: Callable[[], None] = partial(_mark, finished)
        else:
            self._check_room(0)
            on_damage = _nothing
        return SqliteGraphDraft(aside, final, fresh=basis is None, complete=partial(self._complete, repository, generation), on_damage=on_damage)

    def _check_room(self, size: int) -> None:
        with _writing():
            free = shutil.disk_usage(self._folder).free
        if free < size + self._reserve_bytes:
            raise Unavailable(
                f"Only {free >> 20:,} MiB are free for graphs.", hint="Make room on the disk of the cache folder, or remove repositories."
            )

    def open(self, repository: str, generation: str) -> GraphTables:
        path = self.file(repository, generation)
        if not path.exists():
            raise NotIndexed(f"There is no finished generation {generation} of {repository}.")
        _check_mark(path)
        return _open(path)

    def is_damaged(self, repository: str, generation: str) -> bool:
        """Whether somebody who read it met damage."""
        return _mark_of(self.file(repository, generation)).exists()

    def share(self, repository: str, generation: str, further: str) -> None:
        finished, link = self.file(repository, generation), self.file(repository, further)
        if not finished.exists():
            raise NotIndexed(f"There is no finished generation {generation} of {repository}.")
        try:
            link.hardlink_to(finished)  # a finished file is never written again
        except OSError:  # a file system without links
            shutil.copyfile(finished, link)

    def delete(self, repository: str, generation: str) -> None:
        final = self.file(repository, generation)
        final.unlink(missing_ok=True)
        final.with_suffix(".draft").unlink(missing_ok=True)
        _mark_of(final).unlink(missing_ok=True)

    def generations(self, repository: str) -> Sequence[str]:
        folder = self._folder / _safe(repository)
        if not folder.is_dir():
            return ()
        return tuple(sorted({entry.stem for entry in folder.iterdir() if entry.suffix in {".db", ".draft"}}))

    def finished(self, repository: str) -> Sequence[str]:
        folder = self._folder / _safe(repository)
        return tuple(sorted(entry.stem for entry in folder.glob("*.db")))

    def file(self, repository: str, generation: str) -> Path:
        """Of a finished generation, whether there is one or not."""
        return self._folder / _safe(repository) / f"{_safe(generation)}.db"


def _safe(name: str) -> str:
    """An identifier that may be part of a file name. Raises ``UsageError`` for any that could leave the folder."""
    if not _SAFE.fullmatch(name):
        raise UsageError(f"{name!r} cannot be the identifier of a repository or generation.")
    return name


def _mark_of(finished: Path) -> Path:
    return finished.with_suffix(".damaged")


def _mark(finished: Path) -> None:
    with contextlib.suppress(OSError):  # a folder that may not be written: the next reader finds out for itself
        if finished.exists():
            _mark_of(finished).touch()


def _check_mark(finished: Path) -> None:
    if _mark_of(finished).exists():
        raise CorruptIndex(f"The graph {finished.name} is damaged.", hint=REBUILD)


def _nothing() -> None:
    """A draft that builds on nothing is at nobody's fault."""


def open_lent(place: str) -> GraphTables:
    """A draft that its maker has lent, for reading. Its locks are its maker's, who does not write meanwhile."""
    return _open(Path(place))


def _open(path: Path) -> GraphTables:
    try:
        connection = sqlite3.connect(f"file:{quote(str(path))}?mode=ro&immutable=1", uri=True, check_same_thread=False, isolation_level=None)
        found = connection.execute("SELECT value FROM meta WHERE name = 'format'").fetchone()
        connection.execute("PRAGMA mmap_size = 1073741824")  # up to 1 GiB straight from the page cache; 400,000 lines take a tenth of it
    except sqlite3.Error as error:
        if not path.exists():  # somebody has deleted it in between, which says nothing of what it held
            raise NotIndexed(f"The graph {path.name} was deleted while it was being opened.") from error
        raise CorruptIndex(f"The graph {path.name} does not open: {error}.", hint=REBUILD) from error
    if found is None or found[0] != FORMAT:
        connection.close()
        raise CorruptIndex(f"The graph {path.name} was written by another version of this program.", hint=REBUILD)
    return GraphTables(connection, on_damage=partial(_mark, path))


class SqliteGraphDraft(GraphTables):
    """A ``GraphDraft``: the same tables, writable, in a file that nobody else opens. One thread at a time builds it."""

    def __init__(self, aside: Path, final: Path, *, fresh: bool, complete: Callable[[Path], None], on_damage: Callable[[], None]) -> None:
        super().__init__(sqlite3.connect(aside, check_same_thread=False, isolation_level=None), on_damage=on_damage)
        self._aside = aside
        self._final = final
        self._complete = complete
        # A draft that is not committed is thrown away whole, so nothing need protect it while it is built.
        self._connection.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE; PRAGMA cache_size=-65536;")
        if fresh:
            self._connection.executescript(TABLES)
            self._connection.execute("INSERT INTO meta VALUES ('format', ?)", (FORMAT,))
        self._connection.execute("BEGIN")
        self._indexed = not fresh
        self._tests = self._test_files()
        self._linked = {file for (file,) in self._rows("SELECT file FROM links")}

    def put_files(self, files: Iterable[SourceFile]) -> None:
        with _writing(self._on_damage):
            self._put_files(list(files))

    def put_facts(self, facts: Iterable[FileFacts]) -> None:
        for each in facts:
            file = file_id(each.path)
            with _writing(self._on_damage):
                if file in self._path_of():
                    self._drop(file)
                self._insert(file, each)
            self._paths[file] = each.path

    def put_exact(self, facts: Iterable[ExactFacts]) -> None:
        for each in facts:
            file = file_id(each.path)
            if file not in self._path_of():
                continue  # it has no facts that these could be about
            with _writing(self._on_damage):
                if each.is_empty:
                    self._connection.execute("DELETE FROM exact WHERE file = ?", (file,))
                else:
                    self._connection.execute("INSERT OR REPLACE INTO exact VALUES (?, ?, ?, ?)", exact_row(each, file))

    def _put_files(self, listed: Sequence[SourceFile]) -> None:
        self._connection.execute("DELETE FROM files")
        self._connection.executemany(
            "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
            (
                (
                    file_id(each.path),
                    each.path,
                    each.digest,
                    each.size,
                    each.language,
                    int(each.roles),
                    each.status.value,
                    each.reason,
                    each.module,
                    each.exact,
                )
                for each in sorted(listed, key=lambda each: each.path)
            ),
        )
        kept = {file_id(each.path) for each in listed if each.status is FileStatus.INDEXED}
        for file in sorted(set(self._path_of()) - kept):
            self._drop(file)
        self._paths = {}
        self._tests = self._test_files()

    def lend(self) -> str:
        with _writing(self._on_damage):
            self._index()
            self._connection.execute("COMMIT")  # to the file; it is thrown away all the same unless the draft is committed
            self._connection.execute("BEGIN")
        return str(self._aside)

    def put_links(self, path: str, edges: Sequence[Edge], unresolved: Sequence[Unresolved], consulted: Iterable[str]) -> None:
        with _writing(self._on_damage):
            self._put_links(file_id(path), edges, unresolved, consulted)

    def _put_links(self, file: int, edges: Sequence[Edge], unresolved: Sequence[Unresolved], consulted: Iterable[str]) -> None:
        self._unlink(file)
        self._linked.add(file)
        tested = int(file in self._tests)
        self._connection.executemany(
            "INSERT OR IGNORE INTO edges VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", sorted(_edge_row(edge, tested) for edge in edges)
        )
        lists: dict[int, list[Row]] = {}
        for each in unresolved:
            lists.setdefault(each.source, []).append((each.name, each.line, each.column, each.candidates, int(each.external)))
        self._connection.executemany(
            "INSERT OR REPLACE INTO unresolved VALUES (?, ?)",
            ((source, json.dumps(sorted(rows), separators=(",", ":"))) for source, rows in sorted(lists.items())),
        )
        external = sum(each.external for each in unresolved)
        self._connection.execute(
            "INSERT OR REPLACE INTO links VALUES (?, ?, ?, ?)", (file, pack_names(consulted), len(unresolved) - external, external)
        )

    def files_consulting(self, names: Iterable[str]) -> Sequence[str]:
        from exegesis.adapters.graph_totals import holders

        wanted = set(names)
        if not wanted:
            return ()
        paths = self._path_of()
        return sorted(paths[file] for file in holders(self._rows("SELECT file, consulted FROM links"), wanted))

    def commit(self) -> None:
        with _writing(self._on_damage):
            self._index()
            self._connection.execute(EDGE_INDEX)
            self._sum_up()
            self._connection.execute("COMMIT")
            self._connection.execute("PRAGMA optimize")
            self.close()
            _to_disk(self._aside)
            self._complete(self._aside)
            self._aside.replace(self._final)
            _to_disk(self._final.parent)

    def discard(self) -> None:
        self.close()
        self._aside.unlink(missing_ok=True)

    def _insert(self, file: int, facts: FileFacts) -> None:
        run = self._connection.executemany
        imports, problems = json.dumps(facts.imports), json.dumps(facts.problems)
        bindings = written_bindings(facts.bindings)
        run("INSERT INTO facts VALUES (?, ?, ?, ?, ?, ?, ?)", [(file, facts.path, facts.digest, facts.language, imports, problems, bindings)])
        mentioned = pack_names(mentioned_names(facts.references, facts.bindings))
        run("INSERT INTO reference_lists VALUES (?, ?, ?)", [(file, pack_references(facts.references), mentioned)])
        marks = ",".join("?" * 17)
        # A parser's mistake may give two things of one file the same identifier: the first stays, and the file is indexed all the same.
        run(f"INSERT OR IGNORE INTO symbols VALUES ({marks})", [symbol_row(symbol, file) for symbol in facts.symbols])
        run("INSERT OR IGNORE INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", [chunk_row(chunk, file) for chunk in facts.chunks])
        run("INSERT OR IGNORE INTO texts VALUES (?, ?)", [(chunk.id, pack_text(chunk.text)) for chunk in facts.chunks])
        run("INSERT OR IGNORE INTO terms VALUES (?, ?)", [(chunk.id, terms) for chunk, terms in zip(facts.chunks, facts.terms, strict=False)])

    def _drop(self, file: int) -> None:
        """Forget all that parsing and linking a file yielded."""
        self._index()
        self._unlink(file)
        for table in ("texts", "terms"):
            self._connection.execute(f"DELETE FROM {table} WHERE chunk IN (SELECT id FROM chunks WHERE file = ?)", (file,))
        for table in ("symbols", "chunks", "facts", "reference_lists", "exact"):
            self._connection.execute(f"DELETE FROM {table} WHERE file = ?", (file,))

    def _unlink(self, file: int) -> None:
        """Forget what linking a file yielded: edges start in the file whose linking made them."""
        if file not in self._linked:
            return
        self._linked.remove(file)
        for table in ("edges", "unresolved"):
            self._connection.execute(f"DELETE FROM {table} WHERE source IN (SELECT id FROM symbols WHERE file = ?)", (file,))
        self._connection.execute("DELETE FROM links WHERE file = ?", (file,))

    def _index(self) -> None:
        if not self._indexed:
            for statement in FACT_INDEXES:
                self._connection.execute(statement)
            self._indexed = True

    def _test_files(self) -> frozenset[int]:
        return frozenset(file for (file,) in self._rows("SELECT file FROM files WHERE roles & ?", (int(FileRole.TEST),)))

    def _sum_up(self) -> None:
        """Write what depends on all files together."""
        from exegesis.adapters.graph_totals import in_degrees, lexicon_of

        packed = self._rows("SELECT content, file FROM chunks JOIN terms ON chunk = id")
        ordinals = {file: ordinal for ordinal, file in enumerate(dict.fromkeys(file for _, file in packed))}
        lexicon = lexicon_of([content for content, _ in packed], [ordinals[file] for _, file in packed])
        known = lexicon.statistics
        numbers = json.dumps((known.chunks, known.files, known.chunk_lengths, known.file_lengths))
        self._connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", (("vocabulary", lexicon.vocabulary), ("statistics", numbers)))

        unnamed = ",".join(f"'{kind}'" for kind in _UNNAMED)
        degrees = in_degrees(
            self._rows(f"SELECT file, name FROM symbols WHERE kind NOT IN ({unnamed})"),
            self._rows("SELECT file, mentioned FROM reference_lists JOIN files USING (file) WHERE NOT roles & ?", (int(FileRole.TEST),)),
        )
        self._connection.execute("UPDATE files SET indegree = 0 WHERE indegree")
        self._connection.executemany("UPDATE files SET indegree = ? WHERE file = ?", ((degree, file) for file, degree in sorted(degrees.items())))


def _edge_row(edge: Edge, tested: int) -> Row:
    doubt = CERTAIN - round(edge.confidence * CERTAIN)
    structural = int(edge.kind in STRUCTURAL)
    return (edge.source, structural, doubt, edge.line, edge.column, edge.target, edge.kind.value, edge.rule, edge.tier.value, tested)


@contextmanager
def _writing(on_damage: Callable[[], None] = lambda: None) -> Iterator[None]:
    """A full disk, a folder that went away: nothing of the draft is lost that was anybody's, and trying again may help."""
    try:
        yield
    except (sqlite3.OperationalError, OSError) as error:
        raise Unavailable(f"The graph could not be written: {error}.", hint="Check free space and permissions of the cache folder.") from error
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        on_damage()
        raise CorruptIndex(f"The graph that is built upon does not read: {error}.", hint=REBUILD) from error


def _to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

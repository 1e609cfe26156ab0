"""An index that grew by edits equals one that was built anew, row by row."""

from __future__ import annotations

import contextlib
import random
import shutil
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.edits import edit
from benchmarks.tables import differences, read_tables
from exegesis.errors import Cancelled, Conflict, CorruptIndex
from exegesis.model import FileStatus, Progress, SourceFile
from exegesis.settings import Settings
from services.assembly import Assembly
from services.graph.api import Pin
from services.indexer.api import IndexOptions, IndexReport
from services.indexer.passing import TRIES

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "swift-oauth"
LEXICAL = IndexOptions(embed=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the example package."""
    copied = tmp_path / "project"
    shutil.copytree(EXAMPLE, copied)
    return copied


@pytest.fixture
def assembly(tmp_path: Path) -> Iterator[Assembly]:
    made = Assembly(Settings(home=str(tmp_path / "home"), embedder="none", workers=2))
    yield made
    made.close()


def ignore(_progress: Progress) -> None:
    """Nobody looks."""


def index(assembly: Assembly, folder: Path) -> IndexReport:
    return assembly.indexer.index(str(folder), LEXICAL, ignore)


def index_anew(folder: Path, home: Path) -> tuple[Path, IndexReport]:
    fresh = Assembly(Settings(home=str(home), embedder="none", workers=2))
    try:
        return home, index(fresh, folder)
    finally:
        fresh.close()


@pytest.mark.slow
def test_thirty_random_edits_leave_the_index_of_a_clean_build(assembly: Assembly, folder: Path, tmp_path: Path) -> None:
    """Renames, deletions, copies and broken code: after each few edits every table equals that of an index built from nothing."""
    order = random.Random(20)
    index(assembly, folder)
    done: list[str] = []
    for number in range(1, 31):
        done.append(edit(folder, order))
        report = index(assembly, folder)
        if number % 10:
            continue
        home, clean = index_anew(folder, tmp_path / f"clean-{number}")
        assert differences(read_tables(assembly.settings.folder, report.generation), read_tables(home, clean.generation)) == [], done
        shutil.rmtree(home)


def test_nothing_is_built_when_nothing_changed(assembly: Assembly, folder: Path) -> None:
    """The head stays the very same generation, and what is asked for is said."""
    first = index(assembly, folder)
    again = index(assembly, folder)
    assert not first.unchanged
    assert again.unchanged
    assert again.generation == first.generation
    assert (again.changed, again.removed) == (0, 0)
    assert not assembly.indexer.is_stale(first.repository.id)


def test_only_the_changed_file_is_parsed(assembly: Assembly, folder: Path) -> None:
    """One edit, one deletion: one file parsed, one removed, and the folder was stale until then."""
    first = index(assembly, folder)
    (folder / "README.md").write_text("# Something else\n")
    (folder / "Sources" / "OAuthKit" / "Pacing.swift").unlink()
    assert assembly.indexer.is_stale(first.repository.id)
    report = index(assembly, folder)
    assert (report.changed, report.removed) == (1, 1)
    assert report.generation.coverage.seen == first.generation.coverage.seen - 1
    assert not assembly.indexer.is_stale(first.repository.id)


def test_going_back_gives_the_same_index_again(assembly: Assembly, folder: Path) -> None:
    """An edit and its reversal lead to equal tables under another name: a generation is never changed, nor its name reused."""
    first = index(assembly, folder)
    before = read_tables(assembly.settings.folder, first.generation)
    readme = folder / "README.md"
    text = readme.read_text()
    readme.write_text("# Something else\n")
    index(assembly, folder)
    readme.write_text(text)
    last = index(assembly, folder)
    assert last.generation.id != first.generation.id
    assert differences(before, read_tables(assembly.settings.folder, last.generation)) == []


def test_a_second_writer_is_turned_away(assembly: Assembly, folder: Path) -> None:
    """While somebody writes, another index run of the same folder says so and changes nothing."""
    with assembly.write_lock.hold(assembly.indexer.locate(str(folder)).id), pytest.raises(Conflict):
        index(assembly, folder)
    assert not index(assembly, folder).unchanged


def test_an_interrupted_run_is_resumed(assembly: Assembly, folder: Path) -> None:
    """Stopping after the first batch leaves no head; the next run goes on and says so; what it builds equals a clean build."""
    stop = threading.Event()

    def interrupt(progress: Progress) -> None:
        if progress.phase == "linking":
            stop.set()

    with pytest.raises(Cancelled):
        assembly.indexer.index(str(folder), LEXICAL, interrupt, cancelled=stop)
    assert assembly.catalog.head(assembly.indexer.locate(str(folder)).id) is None
    resumed = index(assembly, folder)
    assert resumed.resumed
    stored = assembly.graph.stored(resumed.repository.id)
    known = [generation.id for generation in assembly.catalog.generations(resumed.repository.id)]
    assert sorted(stored) == sorted(known), "what the interrupted run had begun is gone"


def test_files_and_status_tell_the_truth(assembly: Assembly, folder: Path) -> None:
    """Every file has a status; the numbers add up; disk use is that of this repository."""
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(64))
    report = index(assembly, folder)
    files = assembly.indexer.files(report.repository.id)
    coverage = report.generation.coverage
    assert coverage.seen == len(files) == coverage.indexed + sum(count for _, count in coverage.skipped) + len(coverage.failed)
    assert [file.path for file in files if file.status is FileStatus.INDEXED and file.path.endswith("Pacing.swift")]
    assert next(file for file in files if file.path == "picture.png").reason
    (status,) = assembly.indexer.status()
    assert status.repository == report.repository
    assert status.head == report.generation
    assert not status.stale
    assert status.disk_bytes > 10_000


def test_a_removed_repository_leaves_no_text(assembly: Assembly, folder: Path) -> None:
    """After removal neither a generation nor a cached file of it remains on disk."""
    marker = "zanzibar_unmistakable"
    (folder / "Sources" / "OAuthKit" / "Marker.swift").write_text(f"func {marker}() {{}}\n")
    report = index(assembly, folder)
    assembly.indexer.remove(report.repository.id)
    assert list(assembly.indexer.status()) == []
    assembly.close()
    home = assembly.settings.folder
    left = [path for path in home.rglob("*") if path.is_file() and marker.encode() in path.read_bytes()]
    assert left == []
    assert not any(path.is_file() for path in (home / "graph").rglob("*"))


def test_files_get_the_module_of_their_manifest(assembly: Assembly, folder: Path) -> None:
    """Targets of the package are known to the graph, and a change of the manifest alone moves files between them."""
    report = index(assembly, folder)
    modules = {file.path: file.module for file in assembly.indexer.files(report.repository.id)}
    assert modules["Sources/OAuthKit/Pacing.swift"] == "OAuthKit"
    assert modules["Tests/OAuthKitTests/Support.swift"] == "OAuthKitTests"


def test_a_commit_of_what_is_indexed_only_relabels(assembly: Assembly, folder: Path) -> None:
    """Committing changes no file, so the generation stays; but it says which commit it is of."""
    git = ["git", "-C", str(folder), "-c", "user.name=n", "-c", "user.email=e@x"]
    subprocess.run([*git, "init", "-q"], check=True)
    first = index(assembly, folder)
    for command in (["add", "-A"], ["commit", "-q", "-m", "all"]):
        subprocess.run([*git, *command], check=True)
    commit = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    labelled = index(assembly, folder)
    assert labelled.unchanged
    assert labelled.generation.commit == commit
    assert labelled.generation == replace(first.generation, commit=commit)


def test_progress_counts_every_file(assembly: Assembly, folder: Path) -> None:
    """Phases come in order; parsing counts up to all candidates; usable is announced once."""
    seen: list[Progress] = []
    report = assembly.indexer.index(str(folder), LEXICAL, seen.append)
    phases = list(dict.fromkeys(progress.phase for progress in seen))
    assert phases == ["scanning", "parsing", "linking", "weighing", "saving", "usable", "describing"]
    parsing = [progress for progress in seen if progress.phase == "parsing"]
    assert (parsing[-1].done, parsing[-1].total) == (report.changed, report.changed)
    assert [progress.done for progress in parsing] == sorted(progress.done for progress in parsing)


def test_old_generations_are_swept(assembly: Assembly, folder: Path) -> None:
    """Two generations stay whatever happens; those older than that go once nobody can be reading them."""
    first = index(assembly, folder).repository.id
    for number in range(3):
        (folder / "README.md").write_text(f"# {number}\n")
        index(assembly, folder)
    stored = assembly.graph.stored(first)
    assert sorted(stored) == sorted(assembly.chunk_index.generations(first)) == sorted(g.id for g in assembly.catalog.generations(first))
    assert len(stored) == 2 * 4, "all were the head within the last minute, and so were those that said nothing of descriptions"


def test_every_symbol_can_be_read_from_the_head(assembly: Assembly, folder: Path) -> None:
    """The new generation is read through the same service that built it."""
    report = index(assembly, folder)
    pin = Pin(report.repository.id, report.generation.id)
    indexed: list[SourceFile] = [file for file in assembly.indexer.files(report.repository.id) if file.status is FileStatus.INDEXED]
    symbols = assembly.graph.symbols_in(pin, [file.path for file in indexed])
    assert len(symbols) == report.generation.symbols > 100
    assert len(assembly.graph.chunks_in(pin, [file.path for file in indexed])) == report.generation.chunks


def index_while_away(assembly: Assembly, folder: Path, path: str) -> IndexReport:
    """As ``index``; the file at ``path`` is away from when it was looked at until the end."""
    away = folder.parent / "away"

    def take_away(progress: Progress) -> None:
        if progress.phase == "parsing" and (folder / path).exists():
            (folder / path).rename(away)

    report = assembly.indexer.index(str(folder), LEXICAL, take_away)
    if away.exists():
        away.rename(folder / path)
    return report


def test_a_file_that_was_away_for_a_moment_is_read_by_the_next_run(assembly: Assembly, folder: Path, tmp_path: Path) -> None:
    """Its content is what the walk saw, so only that it failed tells that something is to be done; then the index is that of a clean build."""
    first = index_while_away(assembly, folder, "README.md")
    assert first.generation.coverage.failed == (("README.md", "failed for now: disappeared while it was read"),)
    assert assembly.indexer.is_stale(first.repository.id)
    assert assembly.indexer.status()[0].stale
    report = index(assembly, folder)
    assert (report.unchanged, report.changed) == (False, 1)
    assert not assembly.indexer.is_stale(first.repository.id)
    home, clean = index_anew(folder, tmp_path / "clean")
    assert differences(read_tables(assembly.settings.folder, report.generation), read_tables(home, clean.generation)) == []
    assert index(assembly, folder).unchanged


def test_a_file_that_stays_away_from_the_parser_is_not_tried_for_ever(assembly: Assembly, folder: Path) -> None:
    """Where the walk reads a file and the parser never does, a few runs try, and then it counts as failed until something changes."""
    tried = [index_while_away(assembly, folder, "README.md").unchanged for _ in range(TRIES + 1)]
    assert tried == [False] * TRIES + [True]
    (folder / "new.md").write_text("# New\n")
    assert index(assembly, folder).generation.coverage.failed == ()


def test_a_graph_that_a_question_finds_damaged_is_made_anew(assembly: Assembly, folder: Path, tmp_path: Path) -> None:
    """Nothing notices before; then the index counts as out of date, for every process, and the next run leaves that of a clean build."""
    first = index(assembly, folder).generation
    file = assembly.settings.folder / "graph" / first.repository / f"{first.id}.db"
    content = bytearray(file.read_bytes())
    content[8 * 4096 :] = bytes(len(content) - 8 * 4096)
    file.write_bytes(content)
    with contextlib.closing(Assembly(assembly.settings)) as asking:
        pin = Pin(first.repository, first.id)
        with pytest.raises(CorruptIndex) as told:
            list(asking.graph.terms(pin))
        assert "exegesis index" in told.value.hint
        assert asking.indexer.is_stale(first.repository)
    fresh = Assembly(Settings(home=str(tmp_path / "home"), embedder="none", workers=2))
    assert fresh.indexer.is_stale(first.repository)
    report = index(fresh, folder)
    assert not report.unchanged
    assert not fresh.indexer.is_stale(first.repository)
    fresh.close()
    home, clean = index_anew(folder, tmp_path / "clean")
    assert differences(read_tables(assembly.settings.folder, report.generation), read_tables(home, clean.generation)) == []

"""An index made with what a compiler left behind: exact where that is of the present text, incremental equal to clean, and said in the status.

The store is the committed one of the sample package. Builds are imitated by putting units where SwiftPM puts them, or taking them away.
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.tables import differences, read_tables
from exegesis.errors import UsageError
from exegesis.model import Edge, Progress, Tier
from exegesis.settings import Settings
from services.assembly import Assembly
from services.graph.api import Direction, Pin
from services.indexer.api import ExactStatus, IndexOptions, IndexReport
from tests.unit.services.indexer.exact.sample import PACKAGE, STORE

WHERE = Path(".build/x86_64-unknown-linux-gnu/debug/index/store")
TREES = "Sources/Orchard/Trees.swift"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The sample package as if it had just been built."""
    copied = tmp_path / "harvest"
    shutil.copytree(PACKAGE, copied)
    shutil.copytree(STORE, copied / WHERE)
    return copied


@pytest.fixture
def assembly(tmp_path: Path) -> Iterator[Assembly]:
    made = Assembly(Settings(home=str(tmp_path / "home"), embedder="none", workers=2))
    yield made
    made.close()


def ignore(_progress: Progress) -> None:
    """Nobody looks."""


def index(assembly: Assembly, folder: Path, *, store: str = "") -> IndexReport:
    return assembly.indexer.index(str(folder), IndexOptions(embed=False, index_store=store), ignore)


def edges_of(assembly: Assembly, report: IndexReport, path: str) -> list[Edge]:
    """Edges that start in a file."""
    pin = Pin(report.repository.id, report.generation.id)
    symbols = [symbol.id for symbol in assembly.graph.symbols_in(pin, [path])]
    return [edge for edge in assembly.graph.edges(pin, symbols, Direction.CALLEES, per_node=1000) if edge.source in set(symbols)]


def tiers_of(assembly: Assembly, report: IndexReport, path: str) -> set[Tier]:
    return {edge.tier for edge in edges_of(assembly, report, path)}


def state_of(assembly: Assembly, report: IndexReport) -> ExactStatus:
    (status,) = assembly.indexer.status(report.repository.id)
    assert status.exact is not None
    return status.exact


def assert_equals_clean(assembly: Assembly, folder: Path, report: IndexReport, home: Path) -> None:
    fresh = Assembly(Settings(home=str(home), embedder="none", workers=2))
    try:
        clean = index(fresh, folder)
        assert differences(read_tables(assembly.settings.folder, report.generation), read_tables(home, clean.generation)) == []
    finally:
        fresh.close()
        shutil.rmtree(home)


def test_a_store_in_the_project_is_found_and_believed(assembly: Assembly, folder: Path) -> None:
    """Calls of files that are as compiled come from the compiler, and the status says so."""
    report = index(assembly, folder)
    assert tiers_of(assembly, report, TREES) == {Tier.EXACT}
    state = state_of(assembly, report)
    assert (state.files, state.stale, state.problems) == (13, (), ())
    assert state.stores == (str(folder.resolve() / WHERE),)
    assert index(assembly, folder).unchanged


def test_an_edited_file_loses_its_exact_edges_until_it_is_built_again(assembly: Assembly, folder: Path, tmp_path: Path) -> None:
    """What it calls is resolved by rules; what calls it is found anew and not called exact; all else stays exact."""
    built = index(assembly, folder)
    whole = read_tables(assembly.settings.folder, built.generation)
    text = (folder / TREES).read_text()
    (folder / TREES).write_text("\n" * 3 + text)
    edited = index(assembly, folder)
    assert edited.changed == 1
    assert Tier.EXACT not in tiers_of(assembly, edited, TREES)
    assert tiers_of(assembly, edited, "Sources/Harvest/main.swift") >= {Tier.EXACT, Tier.SCOPED}
    assert state_of(assembly, edited).stale == (TREES,)
    assert_equals_clean(assembly, folder, edited, tmp_path / "clean")
    (folder / TREES).write_text(text)
    again = index(assembly, folder)
    assert differences(whole, read_tables(assembly.settings.folder, again.generation)) == []
    assert state_of(assembly, again).stale == ()


def test_a_build_changes_the_edges_of_what_it_built_and_parses_nothing(assembly: Assembly, folder: Path, tmp_path: Path) -> None:
    """Only the store changed, so only links change: first without it, then with half of its units, then with all."""
    units = folder / WHERE / "v5" / "units"
    aside = tmp_path / "units"
    units.rename(aside)
    units.mkdir()
    before = index(assembly, folder)
    assert Tier.EXACT not in tiers_of(assembly, before, TREES)
    tables = read_tables(assembly.settings.folder, before.generation)
    names = sorted(path.name for path in aside.iterdir())
    for part in (names[::2], names):
        for name in part:
            shutil.copy2(aside / name, units / name)
        report = index(assembly, folder)
        assert (report.changed, report.unchanged) == (0, False)
        assert_equals_clean(assembly, folder, report, tmp_path / "clean")
    assert tiers_of(assembly, report, TREES) == {Tier.EXACT}
    for unit in units.iterdir():
        unit.unlink()
    gone = index(assembly, folder)
    assert differences(tables, read_tables(assembly.settings.folder, gone.generation)) == []
    shutil.rmtree(folder / ".build")
    (status,) = assembly.indexer.status(gone.repository.id)
    assert status.exact is None


def test_a_build_that_wrote_the_same_changes_nothing(assembly: Assembly, folder: Path) -> None:
    """Units with new times and the same records make no new generation."""
    index(assembly, folder)
    for unit in (folder / WHERE / "v5" / "units").iterdir():
        os.utime(unit)
    assert index(assembly, folder).unchanged


@pytest.mark.slow
def test_random_edits_and_builds_leave_the_index_of_a_clean_build(assembly: Assembly, folder: Path, tmp_path: Path) -> None:
    """Lines inserted, declarations renamed, files gone and back, units gone and back: after each few steps every table equals."""
    order = random.Random(4)
    units = folder / WHERE / "v5" / "units"
    aside = tmp_path / "aside"
    shutil.copytree(units, aside)
    sources = sorted(path.relative_to(folder) for path in (folder / "Sources").rglob("*.swift"))
    for number in range(1, 19):
        match order.choice(["insert", "rename", "restore", "restore", "remove", "unit gone", "unit back", "unit back"]):
            case "insert":
                path = folder / order.choice(sources)
                if path.exists():
                    lines = path.read_text().split("\n")
                    lines.insert(order.randrange(len(lines)), "// inserted")
                    path.write_text("\n".join(lines))
            case "rename":
                old, new = order.choice([("grow", "thrive"), ("Basket", "Crate"), ("describe", "tell"), ("Ledger", "Book")])
                path = folder / order.choice(sources)
                if path.exists():
                    path.write_text(path.read_text().replace(old, new))
            case "restore":
                source = order.choice(sources)
                shutil.copy2(PACKAGE / source, folder / source)
            case "remove":
                (folder / order.choice(sources)).unlink(missing_ok=True)
            case "unit gone":
                (units / order.choice(sorted(path.name for path in aside.iterdir()))).unlink(missing_ok=True)
            case _:
                name = order.choice(sorted(path.name for path in aside.iterdir()))
                shutil.copy2(aside / name, units / name)
        report = index(assembly, folder)
        if number % 6 == 0:
            assert_equals_clean(assembly, folder, report, tmp_path / f"clean-{number}")


def test_a_store_elsewhere_is_chosen_once_and_remembered(assembly: Assembly, folder: Path) -> None:
    """Until another is chosen, or none; nothing of the project is parsed for it."""
    shutil.rmtree(folder / ".build")
    tables = read_tables(assembly.settings.folder, index(assembly, folder).generation)
    chosen = index(assembly, folder, store=str(STORE))
    assert chosen.changed == 0
    assert tiers_of(assembly, chosen, TREES) == {Tier.EXACT}
    assert index(assembly, folder).unchanged
    assert not assembly.indexer.is_stale(chosen.repository.id)
    none = index(assembly, folder, store="none")
    assert differences(tables, read_tables(assembly.settings.folder, none.generation)) == []


def test_a_folder_without_a_store_is_refused(assembly: Assembly, folder: Path, tmp_path: Path) -> None:
    """Rather than silently answering without; and what was chosen before stays."""
    index(assembly, folder, store=str(STORE))
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="no index store"):
        index(assembly, folder, store=str(tmp_path / "empty"))
    assert index(assembly, folder).unchanged


def test_a_broken_record_costs_its_file_only(assembly: Assembly, folder: Path) -> None:
    """It is linked by rules, and the status names what could not be read."""
    (record,) = (folder / WHERE / "v5" / "records").rglob("Trees.swift-*")
    record.write_bytes(record.read_bytes()[:200])
    report = index(assembly, folder)
    assert Tier.EXACT not in tiers_of(assembly, report, TREES)
    assert Tier.EXACT in tiers_of(assembly, report, "Sources/Orchard/Journal.swift")
    state = state_of(assembly, report)
    assert state.stale == (TREES,)
    assert any("Trees.swift" in problem for problem in state.problems)

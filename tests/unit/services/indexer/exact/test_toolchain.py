"""With a Swift toolchain: its library judges the reader, and its compiler makes the sample's store anew. Skipped without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.indexer.exact.indexstore import keep_fresh, read_project, read_records, read_units
from tests.unit.services.indexer.exact.oracle import Oracle, find_library, plain_record, plain_unit
from tests.unit.services.indexer.exact.sample import CALLS, STORE, build, describe_calls, read_source, source_files

LIBRARY = find_library()
pytestmark = [pytest.mark.skipif(LIBRARY is None, reason="no Swift toolchain on the path"), pytest.mark.slow]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store that this machine's compiler makes of the sample."""
    assert LIBRARY is not None
    return build(LIBRARY.parent.parent, tmp_path_factory.mktemp("sample") / "harvest")


def test_a_store_made_now_says_the_same_calls(built: Path) -> None:
    """The sample, compiled by whatever compiler is here, has the calls that its source has."""
    index, stale = keep_fresh(read_project(str(built), source_files(), root="/elsewhere"), read_source)
    assert (stale, index.problems, index.unknown) == ((), (), ())
    assert describe_calls(index.files) == CALLS.read_text().splitlines()


@pytest.mark.parametrize("which", ["committed", "built"])
def test_the_library_reads_the_same(which: str, built: Path) -> None:
    """Units, dependencies, symbols, occurrences and relations equal those of the toolchain's own library, system records included."""
    assert LIBRARY is not None
    store = built if which == "built" else STORE
    oracle = Oracle(LIBRARY, store)
    units, problems = read_units(str(store), system=True)
    assert problems == ()
    assert {unit.name for unit in units} == set(oracle.units())
    for unit in units:
        assert plain_unit(unit) == oracle.unit(unit.name)
    records, problems = read_records(str(store), [path.name for path in (store / "v5" / "records").glob("*/*")])
    assert problems == ()
    for name, record in records.items():
        assert plain_record(record) == oracle.record(name)
    oracle.close()

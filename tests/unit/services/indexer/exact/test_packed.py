"""Records in the cache."""

from __future__ import annotations

import pytest

from services.indexer.exact.bitstream import Malformed
from services.indexer.exact.occurrences import Occurrence
from services.indexer.exact.packed import pack, unpack
from services.indexer.exact.records import RecordSymbol, read_record
from tests.unit.services.indexer.exact.sample import STORE
from tests.unit.services.indexer.exact.writer import record_file

RECORDS = sorted((STORE / "v5" / "records").glob("*/*"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_a_record_comes_back_from_the_cache_as_it_was(path: object) -> None:
    """Packing and unpacking loses nothing."""
    record = read_record("it", path.read_bytes())  # type: ignore[attr-defined]
    assert unpack("it", pack(record)) == record


def test_names_may_hold_anything() -> None:
    """Zeros, quotes and broken text in a name come back as they were."""
    symbols = [RecordSymbol(text, text[::-1], 12, 0, 100, 0, 2, 0, text * 2) for text in ("a\0b", '"', "\\", "é🍏", "", "\n")]
    record = read_record("it", record_file(symbols, [Occurrence(0, 2, 1, 1, ())]))
    assert unpack("it", pack(record)) == record


def test_an_empty_record_comes_back() -> None:
    """A file without symbols can be kept too."""
    record = read_record("it", record_file([], []))
    assert unpack("it", pack(record)) == record


def test_what_was_not_packed_here_is_refused() -> None:
    """Broken bytes, and those of another version, are malformed and nothing worse."""
    packed = pack(read_record("it", RECORDS[0].read_bytes()))
    for at in range(0, len(packed), 97):
        with pytest.raises(Malformed):
            unpack("it", packed[:at])
    with pytest.raises(Malformed):
        unpack("it", b"not zlib")

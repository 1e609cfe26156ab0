"""Batches."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from services.indexer.queued import BATCH_BYTES, BATCH_FILES, cut


@given(st.lists(st.integers(0, 3 * BATCH_BYTES), max_size=300))
def test_batches_hold_every_file_once_within_their_limits(sizes: list[int]) -> None:
    """Order is kept, no batch is empty, and only a single file may exceed the limit of bytes."""
    paths = [f"f{number}" for number in range(len(sizes))]
    by_path = dict(zip(paths, sizes, strict=True))
    batches = cut(paths, by_path)
    assert [path for batch in batches for path in batch] == paths
    for batch in batches:
        assert 1 <= len(batch) <= BATCH_FILES
        assert len(batch) == 1 or sum(by_path[path] for path in batch) <= BATCH_BYTES

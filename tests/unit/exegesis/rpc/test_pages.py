from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from exegesis.rpc.pages import PAGE_BYTES, PORTION, paged, portions
from exegesis.v1 import graph_pb2


@given(st.lists(st.integers(0, PAGE_BYTES), max_size=30))
@settings(max_examples=60, deadline=None)
def test_pages_hold_every_row_once_in_order(sizes: list[int]) -> None:
    """And none is larger than a page and one row, and none is empty."""
    rows = [graph_pb2.ChunkTerms(chunk=number, terms=bytes(size)) for number, size in enumerate(sizes)]
    pages = list(paged(rows, graph_pb2.TermsPage))
    assert [row.chunk for page in pages for row in page.chunks] == list(range(len(sizes)))
    assert all(page.chunks and sum(len(row.terms) for row in page.chunks[:-1]) < PAGE_BYTES for page in pages)


def test_nothing_is_asked_about_once() -> None:
    """A generation that does not exist must be found out even then."""
    assert list(portions([])) == [[]]


def test_portions_hold_every_key_once_in_order() -> None:
    """As many as fit into a message."""
    keys = range(2 * PORTION + 1)
    cut = list(portions(keys))
    assert [len(portion) for portion in cut] == [PORTION, PORTION, 1]
    assert [key for portion in cut for key in portion] == list(keys)
    assert graph_pb2.IdsRequest(ids=[2**63 - 1] * PORTION).ByteSize() < 1 << 20

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exegesis.adapters.sse import LONGEST_EVENT, EventReader, EventTooLong


def read(*portions: bytes) -> list[str]:
    reader = EventReader()
    return [event for portion in portions for event in reader.feed(portion)] + reader.close()


def test_an_event_ends_at_a_blank_line() -> None:
    """Lines of one event are joined by newlines; a space after the colon belongs to the framing."""
    assert read(b"data: a\ndata:b\ndata:  c\n\ndata: d\n\n") == ["a\nb\n c", "d"]


def test_comments_and_other_fields_are_passed_over() -> None:
    """Endpoints send comments to keep the connection alive."""
    assert read(b": ping\n\nevent: x\nid: 1\nretry: 5\ndatum: no\ndata: a\n\n") == ["a"]


def test_an_event_without_its_blank_line_counts_at_the_end() -> None:
    """The last words of an endpoint that hangs up early are worth having."""
    assert read(b"data: a\n\ndata: b") == ["a", "b"]


@given(st.lists(st.sampled_from([b"data: a", b"data: b", b"", b": c"]), max_size=8), st.sampled_from([b"\n", b"\r\n", b"\r"]), st.data())
def test_portions_and_line_ends_do_not_matter(lines: list[bytes], end: bytes, data: st.DataObject) -> None:
    """However the bytes are cut and whichever line ends are used, the events are the same."""
    stream = end.join(lines) + end
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    portions = [stream[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert read(*portions) == read(b"\n".join(lines) + b"\n")


def test_an_endless_event_is_an_error() -> None:
    """Memory is bounded, whether the line or the event does not end."""
    with pytest.raises(EventTooLong):
        read(b"data: " + b"x" * LONGEST_EVENT + b"\n\n")
    with pytest.raises(EventTooLong):
        read(*[b"data: " + b"x" * 1000 + b"\n"] * (LONGEST_EVENT // 1000 + 1))


def test_a_long_stream_of_comments_is_no_endless_event() -> None:
    """An endpoint may keep a connection alive for hours."""
    assert read(*[b": " + b"x" * 1000 + b"\n"] * (LONGEST_EVENT // 1000 + 1), b"data: a\n\n") == ["a"]

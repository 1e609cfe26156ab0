"""Server-sent events, read from bytes as they arrive. After the WHATWG HTML standard, section 9.2, read tolerantly.

Only the ``data`` of an event is kept: chat endpoints use nothing else. A last event without its blank line is delivered all the same, because
endpoints that close the connection early are common and their last event is worth having.
"""

from __future__ import annotations

from typing import Final

LONGEST_EVENT: Final = 1 << 20
"""Bytes. A piece of an answer is a few hundred; an endpoint that sends more in one event is broken or hostile."""

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


class EventTooLong(ValueError):
    """One event exceeds :data:`LONGEST_EVENT`."""


class EventReader:
    """Feed it bytes in any portions; it returns the data of the events that these complete."""

    __slots__ = ("_data", "_line", "_size", "_skip_newline", "_started")

    def __init__(self) -> None:
        self._line = bytearray()
        self._data: list[str] = []
        self._size = 0
        self._skip_newline = False
        self._started = False

    def feed(self, portion: bytes) -> list[str]:
        events: list[str] = []
        start = 0
        while start < len(portion):
            if self._skip_newline:  # a carriage return ended the last portion's line; its newline belongs to it
                self._skip_newline = False
                if portion[start] == 0x0A:
                    start += 1
                    continue
            end = _line_end(portion, start)
            if end < 0:
                self._keep(portion[start:])
                break
            self._keep(portion[start:end])
            self._finish_line(events)
            self._skip_newline = portion[end] == 0x0D
            start = end + 1
        return events

    def close(self) -> list[str]:
        """The stream has ended: what was still open counts as complete."""
        events: list[str] = []
        if self._line:
            self._finish_line(events)
        self._dispatch(events)
        return events

    def _keep(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size > LONGEST_EVENT:
            raise EventTooLong(f"an event of more than {LONGEST_EVENT} bytes")
        self._line += piece

    def _finish_line(self, events: list[str]) -> None:
        line = bytes(self._line)
        self._line.clear()
        if not self._started:
            self._started = True
            line = line.removeprefix(_BYTE_ORDER_MARK)
        if not line:
            self._dispatch(events)
        elif line.startswith(b"data"):
            name, _, value = line.partition(b":")
            if name == b"data":
                self._data.append(value.removeprefix(b" ").decode("utf-8", "replace"))
        else:  # a comment that keeps the connection alive, or a field nobody here needs
            self._size = sum(len(part) for part in self._data)

    def _dispatch(self, events: list[str]) -> None:
        if self._data:
            events.append("\n".join(self._data))
        self._data = []
        self._size = 0


def _line_end(portion: bytes, start: int) -> int:
    """Index of the next carriage return or newline, -1 if there is none."""
    newline, carriage = portion.find(b"\n", start), portion.find(b"\r", start)
    if newline < 0 or carriage < 0:
        return max(newline, carriage)
    return min(newline, carriage)

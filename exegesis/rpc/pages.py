"""Lists that grow with a repository, cut into messages: pages on the way back, portions on the way there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TypeVar

from google.protobuf.message import Message

from exegesis.errors import UsageError

M = TypeVar("M", bound=Message)

MESSAGE_BYTES: Final = 4 << 20
"""Size of a message that either side accepts: gRPC's own default, and so what clients in other languages have. It bounds what one call can make a
server hold before anything is checked."""

PAGE_BYTES: Final = 256 << 10
"""A page is sent when it has reached this size. Larger ones gain nothing (a page costs 0.1 ms beside its content), and delay the first row."""

PORTION: Final = 100_000
"""Identifiers or names asked about in one message: 800 kB of identifiers, and of names that are 40 bytes long 4 MB at most."""


def paged(rows: Iterable[Message], page: type[M], field: str = "") -> Iterator[M]:
    """Rows as pages, in order; no rows, no pages. ``field`` of a page repeats the rows; a page that has but one field need not be told."""
    name = field or page.DESCRIPTOR.fields[0].name
    held: list[Message] = []
    size = 0
    for row in rows:
        held.append(row)
        size += row.ByteSize()
        if size >= PAGE_BYTES:
            yield page(**{name: held})
            held, size = [], 0
    if held:
        yield page(**{name: held})


def portions(keys: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """``keys`` in order, as many at a time as one request may name; one empty portion for none, since asking about nothing is a question too."""
    for start in range(0, max(len(keys), 1), PORTION):
        yield keys[start : start + PORTION]


def check_size(message: Message, *, what: str) -> None:
    """Raises ``UsageError`` for a message that the other side would refuse. What may grow without bound is streamed and never comes here."""
    size = message.ByteSize()
    if size > MESSAGE_BYTES:
        raise UsageError(
            f"The {what} is {size / 2**20:.1f} MiB, more than the {MESSAGE_BYTES >> 20} MiB of one message.",
            hint="Ask for less at once: a smaller --budget, fewer lines, fewer projects.",
        )

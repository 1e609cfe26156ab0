"""Facts on their way into a generation: numbered messages, so that after a broken stream nothing is lost and nothing applied twice.

The sender keeps what is not confirmed; the receiver remembers, for each generation that is being built, the last number it has kept. Both outlive the
stream, so a new one goes on where the old one broke.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from exegesis.errors import Conflict, NotIndexed, UsageError
from exegesis.model import ExactFacts, FileFacts, SourceFile
from exegesis.rpc.ask import compose
from exegesis.v1 import facts_pb2, graph_pb2
from exegesis.wire import decode_facts, exact_from_message, exact_to_message, facts_from_message, facts_to_message
from services.graph.api import BuildReport, GraphService, Pin

BATCH_BYTES: Final = 1 << 20
"""Of one message: some dozen files, so that their cost outweighs that of the message; a quarter of what a message may hold."""

UNCONFIRMED_BYTES: Final = 16 << 20
"""What a sender keeps to send again; then it waits for a confirmation. A second's worth of facts on a local network."""

FILE_BYTES: Final = 256 << 20
"""Facts of one file at most. Files are read up to 1 MiB; their facts take a few times that, so beyond this somebody is filling the memory."""


# -------------------------------------------------------------------------------------------------------------- sending


def number(facts: Iterable[FileFacts], exact: Iterable[ExactFacts] = (), *, after: int) -> Iterator[graph_pb2.WriteRequest]:
    """Facts, then what compilers recorded, as messages with the numbers that follow ``after``. Facts larger than a batch are cut into pieces."""
    seq = after
    for batch in _batches(map(facts_to_message, facts)):
        if len(batch) == 1 and batch[0].ByteSize() > BATCH_BYTES:
            data = batch[0].SerializeToString()
            for start in range(0, len(data), BATCH_BYTES):
                seq += 1
                end = start + BATCH_BYTES
                yield graph_pb2.WriteRequest(seq=seq, piece=data[start:end], continues=end < len(data))
        else:
            seq += 1
            yield compose(graph_pb2.WriteRequest, seq=seq, facts=batch)
    for recorded in _batches(map(exact_to_message, exact)):
        seq += 1
        yield compose(graph_pb2.WriteRequest, seq=seq, exact=recorded)


def unconfirmed(messages: Iterable[graph_pb2.WriteRequest]) -> Iterator[list[graph_pb2.WriteRequest]]:
    """As many messages as may be under way at a time; one empty list for none, since a generation that nobody has begun must be found out."""
    held: list[graph_pb2.WriteRequest] = []
    size, any_held = 0, False
    for message in messages:
        held.append(message)
        size += message.ByteSize()
        if size >= UNCONFIRMED_BYTES:
            yield held
            held, size, any_held = [], 0, True
    if held or not any_held:
        yield held


def files_in(message: graph_pb2.WriteRequest) -> int:
    """Files that a message completes."""
    return len(message.facts) + bool(message.piece and not message.continues)


_Facts = TypeVar("_Facts", facts_pb2.FileFacts, facts_pb2.ExactFacts)


def _batches(messages: Iterable[_Facts]) -> Iterator[list[_Facts]]:
    held: list[_Facts] = []
    room = BATCH_BYTES
    for message in messages:
        size = message.ByteSize()
        if held and size > room:
            yield held
            held, room = [], BATCH_BYTES
        held.append(message)
        room -= size
    if held:
        yield held


# ------------------------------------------------------------------------------------------------------------ receiving


@dataclass(slots=True)
class _Build:
    writer: str
    last: int = 0
    """Number of the last message that is kept."""
    pieces: list[bytes] = field(default_factory=list)
    """Of a file that has not arrived whole."""
    turn: threading.Lock = field(default_factory=threading.Lock)
    """Two streams may be there at once: one that broke without our noticing, and the one that goes on."""


class Builds:
    """The generations that are being built in a graph service from elsewhere, each by one writer. Usable from several threads."""

    def __init__(self, graph: GraphService) -> None:
        self._graph = graph
        self._builds: dict[Pin, _Build] = {}
        self._guard = threading.Lock()

    def begin(self, pin: Pin, *, basis: str | None, writer: str) -> None:
        """Throws away what another writer left unfinished of the same repository: there is one at a time, so that one is dead."""
        with self._guard:
            dead = [other for other, build in self._builds.items() if other.repository == pin.repository and build.writer != writer]
            left = [(other, self._builds.pop(other)) for other in dead]
        for other, build in left:
            with build.turn:
                self._graph.abort(other)
        build = _Build(writer)
        with build.turn:  # whoever asks for it waits until it is there
            with self._guard:
                is_new = self._builds.setdefault(pin, build) is build
            try:
                self._graph.begin(pin, basis=basis)
            except BaseException:
                if is_new:
                    self._forget(pin)
                raise

    def last(self, pin: Pin, *, writer: str) -> int:
        """Number of the last message that was kept."""
        build = self._build(pin, writer)
        with build.turn:
            return build.last

    def receive(self, pin: Pin, message: graph_pb2.WriteRequest, *, writer: str) -> int:
        """Keep a message unless it was kept before; returns how many files it completed. Raises ``UsageError`` when one before it is missing."""
        build = self._build(pin, writer)
        if message.seq == 0 and (message.facts or message.piece or message.exact):
            raise UsageError("Facts came without a number.", hint="Number the messages of a generation from 1.")
        with build.turn:
            if message.seq <= build.last:
                return 0
            if message.seq != build.last + 1:
                raise UsageError(f"Message {message.seq} follows {build.last}: something between is missing.")
            pieces = [*build.pieces, message.piece] if message.piece else []
            facts = _complete(message, pieces)
            if facts or message.exact:
                self._graph.write(pin, facts, map(exact_from_message, message.exact))
            build.pieces = pieces if message.continues else []
            build.last = message.seq
            return files_in(message)

    def finish(self, pin: Pin, files: Sequence[SourceFile], *, writer: str) -> BuildReport:
        """Also waits for another writer, who may have died while its generation was being finished here: then it is, and that is told."""
        with self._guard:
            build = self._builds.get(pin)
        if build is None:
            return self._graph.finish(pin, files)
        with build.turn:
            if build.writer != writer:
                self._check_is_over(pin, build)
            report = self._graph.finish(pin, files)
            self._forget(pin)
        return report

    def _check_is_over(self, pin: Pin, build: _Build) -> None:
        with self._guard:
            if self._builds.get(pin) is build:
                raise _another(pin)

    def abort(self, pin: Pin) -> None:
        self._forget(pin)
        self._graph.abort(pin)

    def _build(self, pin: Pin, writer: str) -> _Build:
        with self._guard:
            build = self._builds.get(pin)
        if build is None:
            raise NotIndexed(f"Generation {pin.generation} of {pin.repository} is not being built.", hint="Begin it first.")
        if build.writer != writer:
            raise _another(pin)
        return build

    def _forget(self, pin: Pin) -> None:
        with self._guard:
            self._builds.pop(pin, None)


def _another(pin: Pin) -> Conflict:
    return Conflict(f"Generation {pin.generation} of {pin.repository} is being built by another writer.")


def _complete(message: graph_pb2.WriteRequest, pieces: Sequence[bytes]) -> list[FileFacts]:
    """The facts that a message brings, or brings to an end; ``pieces`` are those of its file so far, its own included."""
    if not pieces:
        return [facts_from_message(facts) for facts in message.facts]
    if sum(map(len, pieces)) > FILE_BYTES:
        raise UsageError(f"The facts of one file are more than {FILE_BYTES >> 20} MiB.")
    return [] if message.continues else [decode_facts(b"".join(pieces))]

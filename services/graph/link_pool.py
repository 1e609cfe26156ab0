"""Linking in several processes. What a file's links are depends on what was lent and on nothing else, so who links it makes no difference."""

from __future__ import annotations

import contextlib
import heapq
import logging
import queue
import threading
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from exegesis.ports import GraphDraft
from exegesis.processes import program, read_frame, start, write_frame
from services.graph.link import Links
from services.graph.link_process import DONE, READY, decode, request
from services.graph.linker import Linker
from services.graph.table import FileContext

if TYPE_CHECKING:
    import subprocess

WORTHWHILE = 1 << 20
"""Bytes of source that are linked in about a second, which is four times what a process needs before it links its first file."""

MOST = 4
"""Each process holds all symbols, about 100 MiB where there are half a million lines."""

FEW = 16
"""Where less than one file in so many is linked, symbols are read by name; a name costs as much as reading some ten symbols at once."""

_AHEAD = 256
"""Files whose links may wait to be written: the processes are slowed down, not their memory filled."""

_log = logging.getLogger(__name__)


class LinkPool:
    """At most ``processes`` processes, which live as long as one repository is linked.

    Args:
        processes: One links everything here.
        opener: Names the function that opens what a draft lends, as ``module:name``.
        worthwhile: Bytes of source from which on others are asked.

    """

    def __init__(self, processes: int = 1, *, opener: str = "", worthwhile: int = WORTHWHILE) -> None:
        self._processes = min(processes, MOST)
        self._worthwhile = worthwhile
        self._program = program("services.graph.link_process", f"serve({opener!r})")

    def link(self, draft: GraphDraft, contexts: Mapping[str, FileContext], sizes: Mapping[str, int]) -> Generator[tuple[str, Links], None, None]:
        """The links of some files, given with their bytes, in any order. Whatever becomes of the processes, none is left out.

        Nothing may be put into the draft before the first has been handed out.
        """
        done: set[str] = set()
        if self._processes > 1 and sum(sizes.values()) >= self._worthwhile:
            shares = split(sizes, self._processes)
            with contextlib.closing(self._elsewhere(draft, shares)) as found:
                for path, links in found:
                    done.add(path)
                    yield path, links
        remaining = sizes.keys() - done
        if remaining:
            yield from Linker(draft, contexts, remaining, by_name=len(remaining) * FEW < len(contexts)).links()

    def _elsewhere(self, draft: GraphDraft, shares: Sequence[Sequence[str]]) -> Generator[tuple[str, Links], None, None]:
        """Links as they come, once all processes have read what they need; those of a process that dies end with it."""
        said: queue.Queue[tuple[int, bytes | None]] = queue.Queue(_AHEAD)
        with contextlib.ExitStack() as leaving:
            processes = [leaving.enter_context(_living(self._program)) for _ in shares]  # they load their libraries while the draft gets ready
            place = draft.lend()
            for number, (process, share) in enumerate(zip(processes, shares, strict=True)):
                listener = threading.Thread(target=_listen, args=(process, request(place, share), number, said), daemon=True)
                listener.start()
                leaving.callback(_silence, process, listener, said)
            yield from _answers(said, len(processes))


@contextlib.contextmanager
def _living(source: str) -> Iterator[subprocess.Popen[bytes]]:
    process = start(source)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):  # a request that nobody read is still in the buffer
                    pipe.close()


def _listen(process: subprocess.Popen[bytes], asked: bytes, number: int, said: queue.Queue[tuple[int, bytes | None]]) -> None:
    """Pass on what a process says; None when it will say no more."""
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(BrokenPipeError):
        write_frame(process.stdin, asked)
        while (answer := read_frame(process.stdout)) not in {None, DONE}:
            said.put((number, answer))
        if answer == DONE:
            said.put((number, DONE))
    said.put((number, None))


def _silence(process: subprocess.Popen[bytes], listener: threading.Thread, said: queue.Queue[tuple[int, bytes | None]]) -> None:
    """End a process and whoever listens to it, who may be waiting for room."""
    process.kill()
    while listener.is_alive():
        with contextlib.suppress(queue.Empty):
            said.get(timeout=0.01)


def _answers(said: queue.Queue[tuple[int, bytes | None]], count: int) -> Iterator[tuple[str, Links]]:
    reading, working = set(range(count)), set(range(count))
    early: list[bytes] = []
    while working:
        number, answer = said.get()
        if answer is None:
            if number in working:
                _log.warning("A process that links ended early; what it left is linked here.")
            working.discard(number)
            reading.discard(number)
        elif answer == DONE:
            working.discard(number)
        elif answer == READY:
            reading.discard(number)
        else:
            early.append(answer)
        if not reading:
            yield from map(decode, early)
            early.clear()


def split(sizes: Mapping[str, int], count: int) -> list[list[str]]:
    """Shares of about equal size, the largest first to whoever has least."""
    shares: list[list[str]] = [[] for _ in range(count)]
    weights = [(0, number) for number in range(count)]
    for path in sorted(sizes, key=lambda path: (-sizes[path], path)):
        weight, number = heapq.heappop(weights)
        shares[number].append(path)
        heapq.heappush(weights, (weight + sizes[path], number))
    return shares

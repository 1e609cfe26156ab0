"""Parsing in processes that may die: a file that crashes, hangs or exhausts its parser costs that file only."""

from __future__ import annotations

import contextlib
import json
import queue
import signal
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from dataclasses import asdict, astuple
from typing import Self

from exegesis.errors import Unavailable
from exegesis.processes import program, read_frame, start, write_frame
from services.indexer.parse_process import DEADLY, FOR_NOW, MEMORY, READY, Limits, Unparsed
from services.indexer.parser_version import parser_version

PROGRAM = program("services.indexer.parse_process", "serve()")

_FROM_OUTSIDE = frozenset({signal.SIGKILL, signal.SIGTERM})
"""Signals that somebody else sent, such as a kernel that ran out of memory; they say little about the file."""


class ParserPool:
    """At most ``workers`` processes, started when first needed. A context; leaving it ends them. Usable from as many threads as it has workers."""

    def __init__(self, *, workers: int, limits: Limits = Limits(), program: str = PROGRAM, version: str = "") -> None:  # noqa: B008 - immutable
        self.version = version or parser_version()
        """Tells the code that parses from any other, to the letter."""
        self._limits = limits
        self._program = program
        self._idle: queue.LifoQueue[_Worker | None] = queue.LifoQueue()
        for _ in range(workers):
            self._idle.put(None)
        self._size = workers
        self.poisonous = 0
        """Files so far that killed who parsed them. Counted without a lock, for whoever has the pool alone."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.end()

    def end(self) -> None:
        """End all processes that are idle; the pool is of no use afterwards."""
        for _ in range(self._size):
            with contextlib.suppress(queue.Empty):
                worker = self._idle.get_nowait()
                if worker is not None:
                    worker.end()

    def warm_up(self, count: int, languages: Sequence[str] = ()) -> None:
        """Start that many processes now, as far as they are not, so that they load what reads these languages while the caller prepares the work."""
        started = [self._idle.get() or _Worker(self._program) for _ in range(min(count, self._size))]
        for worker in started:
            if languages:
                worker.prepare(languages)
            self._idle.put(worker)

    def parse(self, root: str, files: Sequence[Unparsed]) -> Generator[tuple[Unparsed, bytes], None, None]:
        """Each file with its answer (see :mod:`services.indexer.parse_process`), in order; never ``m``.

        The file that a process was busy with when it died is tried once more alone in a fresh process before it is blamed, unless it was time that
        it ran out of, which no other file can have used up.
        """
        pending = deque(files)
        suspects: set[str] = set()
        worker = self._idle.get()
        try:
            while pending:
                alone = pending[0].path in suspects
                worker = worker or _Worker(self._program)
                try:
                    for answer in worker.ask(root, [pending[0]] if alone else tuple(pending), self._limits):
                        yield pending.popleft(), answer
                except _Died as death:
                    worker.end()
                    worker = None
                    if alone or death.certain:
                        self.poisonous += 1
                        yield pending.popleft(), (DEADLY if death.lasting else FOR_NOW) + death.reason.encode()
                    else:
                        suspects.add(pending[0].path)
        finally:
            if pending and worker is not None:  # left early: what the process would answer next belongs to nobody
                worker.end()
                worker = None
            self._idle.put(worker)


class _Died(Exception):
    """Why a process is no more, and what that says about the file that it was busy with."""

    def __init__(self, reason: str, *, certain: bool = False, lasting: bool = True) -> None:
        super().__init__(reason)
        self.reason = reason
        self.certain = certain
        """No other file can be to blame."""
        self.lasting = lasting
        """It would die of the file again."""


class _Worker:
    """One process and the two pipes to it."""

    def __init__(self, program: str) -> None:
        self._is_ready = False
        self._process = start(program)

    def prepare(self, languages: Sequence[str]) -> None:
        with contextlib.suppress(BrokenPipeError):  # whoever asks it something will see that it died
            assert self._process.stdin is not None
            write_frame(self._process.stdin, json.dumps({"languages": list(languages)}).encode("ascii"))

    def ask(self, root: str, files: Sequence[Unparsed], limits: Limits) -> Iterator[bytes]:
        """The answers, one for each file. Raises ``_Died`` when the process ends before it has given them, ``Unavailable`` if it never lived."""
        requests, answers = self._process.stdin, self._process.stdout
        assert requests is not None
        assert answers is not None
        if not self._is_ready and read_frame(answers) != READY:
            raise Unavailable(f"The process that parses files does not start ({self._fate(limits)}).", hint="Run `exegesis doctor`.")
        self._is_ready = True
        request = {"root": root, "files": [astuple(file) for file in files], **asdict(limits)}
        try:
            write_frame(requests, json.dumps(request).encode("ascii"))
        except BrokenPipeError:
            raise self._fate(limits) from None
        for _ in files:
            answer = read_frame(answers)
            if answer is None:
                raise self._fate(limits)
            if answer == MEMORY:
                raise _Died(f"needed more than {limits.memory_mib} MiB of memory")
            yield answer

    def _fate(self, limits: Limits) -> _Died:
        code = self._process.wait()
        if code in {-signal.SIGPROF, -signal.SIGALRM}:
            seconds = limits.seconds if code == -signal.SIGPROF else limits.wall_seconds
            return _Died(f"took longer than {seconds:g} s", certain=True)
        if code < 0:
            return _Died(f"parser crashed ({signal.Signals(-code).name})", lasting=-code not in _FROM_OUTSIDE)
        return _Died(f"parser ended by itself (exit code {code})", lasting=False)

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):  # a request that nobody read is still in the buffer
                    pipe.close()

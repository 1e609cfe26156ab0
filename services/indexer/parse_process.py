"""The process that parses and may die: it reads files, extracts their facts under limits, and sends them back encoded.

Requests are JSON. Either names of languages, whose files are about to be asked for, which has no answer; or a root and its files, and what each may
cost, which has an answer for each file: a tag and what it announces:

    f   facts, as ``exegesis.wire.encode_facts`` writes them
    w   the same of a file whose language failed: its words, and why there is no more
    s   the file is skipped, and why (UTF-8)
    x   the file failed, and why (UTF-8)
    n   the file failed for now, of something beside its content, and why (UTF-8); the next run tries again
    d   the process died of the file, and how (UTF-8); written by the other side, on its behalf
    m   the file needed more memory than it may have; the process ends, because its heap is in an unknown state
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import importlib
import json
import os
import resource
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from exegesis.processes import read_frame, write_frame

FACTS, WORDS, SKIPPED, FAILED, FOR_NOW, DEADLY, MEMORY = b"f", b"w", b"s", b"x", b"n", b"d", b"m"

READY = b"ready"

_NEEDED = ("exegesis.wire", "services.indexer.extract", "services.indexer.read")
"""What :func:`parse_file` imports; the process that starts this one takes constants from here, and needs none of it."""

READ_AT_MOST = 64 << 20
"""Bytes. The walk has its own, smaller, limit; this one holds even if a file grows between the two."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one file may cost."""

    seconds: float = 10.0
    """Processor time, so that a busy machine costs no file. The largest file that the walk lets pass takes about one second."""
    wall_seconds: float = 60.0
    """For what waits instead of working."""
    memory_mib: int = 1024
    """Address space of the process, of which it occupies about 120 MiB when it starts."""


@dataclass(frozen=True, slots=True)
class Unparsed:
    """A file as the walk saw it."""

    path: str
    digest: str
    language: str
    blob: str = ""
    """Git's name for the content where it is to be read out of a bare repository, which the root then is."""


def serve(parse: Callable[[str, Unparsed], bytes] | None = None) -> None:
    """Say ``READY``, then answer requests from standard input on standard output until it is closed; by :func:`parse_file` unless told otherwise."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a parser prints must not end up among the answers
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the whole group; the parent decides what it means
    for limit in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(limit, signal.SIG_DFL)  # ends the process even inside a parser that never returns to Python
    if parse is None:
        parse = parse_file
        _load()
    gc.set_threshold(50_000, 20, 20)  # what a file leaves behind has few circles; looking for them every 700 objects costs a twentieth of parsing
    write_frame(answers, READY)
    while (request := read_frame(requests)) is not None:
        asked = json.loads(request)
        if "languages" in asked:
            _prepare(asked["languages"])
            continue
        _limit(asked["memory_mib"])
        for fields in asked["files"]:
            signal.setitimer(signal.ITIMER_PROF, asked["seconds"])
            signal.setitimer(signal.ITIMER_REAL, asked["wall_seconds"])
            answer = parse(asked["root"], Unparsed(*fields))
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.setitimer(signal.ITIMER_PROF, 0)
            write_frame(answers, answer)
            if answer[:1] == MEMORY:
                return


def _load() -> None:
    """Import before the first file what its time would be charged for, and what somebody may be waiting for."""
    for module in _NEEDED:
        importlib.import_module(module)
    from services.indexer.language import languages

    languages()


def _prepare(names: Sequence[str]) -> None:
    """Make languages load what they load when they parse."""
    from services.indexer.language import Source, languages

    for name in names:
        if name in languages():
            with contextlib.suppress(Exception):  # the files will say what is wrong with it
                languages()[name].parse(Source("", "", b""))


def parse_file(root: str, file: Unparsed) -> bytes:
    """The answer for one file: a tag and what follows it. A fault of the file never raises."""
    from exegesis.wire import encode_facts
    from services.indexer.blobs import read_blob
    from services.indexer.decode import Undecodable
    from services.indexer.extract import account_of, extract
    from services.indexer.read import Unreadable, read_file

    try:
        content = read_blob(root, file.blob, limit=READ_AT_MOST) if file.blob else read_file(root, file.path, limit=READ_AT_MOST)
        if hashlib.sha256(content).hexdigest() != file.digest:
            return FOR_NOW + b"changed while it was being indexed"
        facts = extract(file.path, content, file.digest, file.language)
        return (WORDS if facts.fault else FACTS) + encode_facts(facts)
    except Undecodable as error:
        return SKIPPED + str(error).encode()
    except Unreadable as error:  # the walk could read it
        return FOR_NOW + str(error).encode()
    except MemoryError:
        return MEMORY
    except RecursionError:
        return FAILED + b"is nested too deeply"
    except Exception as error:  # noqa: BLE001 - one file's fault, whatever it is, costs that file only
        return FAILED + f"parser failed ({account_of(error)})".encode()


def _limit(memory_mib: int) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (memory_mib << 20, memory_mib << 20))

"""Parsing under limits: one bad file costs one file."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from exegesis.errors import Unavailable
from exegesis.wire import decode_facts
from services.indexer.parse_process import DEADLY, FACTS, FOR_NOW, SKIPPED, Limits, Unparsed
from services.indexer.pool import PROGRAM, ParserPool

HOSTILE = f"""
{PROGRAM.removesuffix("serve()").rstrip()}
import ctypes, os, signal, time
from services.indexer.parse_process import MEMORY
def parse(root, file):
    what = file.path.partition("-")[0]
    if what == "segfault":
        ctypes.string_at(0)
    if what == "abort":
        os.abort()
    if what == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "exit":
        os._exit(3)
    if what == "spin":
        while True:
            pass
    if what == "hang":
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGTERM])
        time.sleep(600)
    if what == "memory":
        try:
            bytearray(2 << 30)
        except MemoryError:
            return MEMORY
    if what == "once":
        marker = os.path.join(root, file.path)
        if not os.path.exists(marker):
            open(marker, "w").close()
            ctypes.string_at(0)
    print("noise on standard output")
    return b"f" + file.path.encode() + b" by " + str(os.getpid()).encode()
serve(parse)
"""


@pytest.fixture
def hostile() -> Iterator[ParserPool]:
    with ParserPool(workers=1, limits=Limits(seconds=0.5, wall_seconds=0.7, memory_mib=1024), program=HOSTILE) as pool:
        yield pool


def named(*names: str) -> list[Unparsed]:
    return [Unparsed(name, "", "") for name in names]


def outcome(pool: ParserPool, root: Path, *names: str) -> dict[str, str]:
    answers = {file.path: answer for file, answer in pool.parse(str(root), named(*names))}
    assert list(answers) == list(names)
    return {path: "parsed" if answer[:1] == FACTS else answer[1:].decode() for path, answer in answers.items()}


def test_a_crash_costs_that_file_only(hostile: ParserPool, tmp_path: Path) -> None:
    """Files before and after those that crash the parser are parsed; the reason names the signal."""
    assert outcome(hostile, tmp_path, "a", "segfault-1", "b", "abort-1", "abort-2", "c") == {
        "a": "parsed",
        "segfault-1": "parser crashed (SIGSEGV)",
        "b": "parsed",
        "abort-1": "parser crashed (SIGABRT)",
        "abort-2": "parser crashed (SIGABRT)",
        "c": "parsed",
    }


def test_processes_that_were_warmed_up_answer_like_others(tmp_path: Path) -> None:
    """Being told of languages, among them one that nobody knows, has no answer: the first one belongs to the first file, of one process as of all."""
    (tmp_path / "a.swift").write_text("func f() {}\n")
    file = Unparsed("a.swift", hashlib.sha256(b"func f() {}\n").hexdigest(), "swift")
    with ParserPool(workers=1) as pool:
        pool.warm_up(5)
        pool.warm_up(5, ["klingon", "swift"])
        ((_, answer),) = pool.parse(str(tmp_path), [file])
    assert [symbol.name for symbol in decode_facts(answer[1:]).symbols] == ["f"]


def test_a_hanging_parser_is_ended(hostile: ParserPool, tmp_path: Path) -> None:
    """A file that takes too long is given up after its time, once, and the next one is parsed."""
    started = time.monotonic()
    assert outcome(hostile, tmp_path, "hang-1", "a") == {"hang-1": "took longer than 0.7 s", "a": "parsed"}
    assert time.monotonic() - started < 10


def test_a_parser_that_never_comes_to_an_end_is_ended(tmp_path: Path) -> None:
    """What is limited is the work, not the wait: a busy machine costs no file."""
    with ParserPool(workers=1, limits=Limits(seconds=0.5, wall_seconds=300), program=HOSTILE) as pool:
        assert outcome(pool, tmp_path, "spin-1", "a") == {"spin-1": "took longer than 0.5 s", "a": "parsed"}


def test_a_file_that_needs_too_much_memory_is_given_up(hostile: ParserPool, tmp_path: Path) -> None:
    """The limit is that of the process; what comes next gets a fresh one."""
    assert outcome(hostile, tmp_path, "a", "memory-1", "b") == {"a": "parsed", "memory-1": "needed more than 1024 MiB of memory", "b": "parsed"}


def test_a_file_that_crashes_once_is_not_blamed(hostile: ParserPool, tmp_path: Path) -> None:
    """What an earlier file broke in the process is not held against a later one: it is tried again alone."""
    assert outcome(hostile, tmp_path, "a", "once-1", "b") == {"a": "parsed", "once-1": "parsed", "b": "parsed"}


def test_what_may_not_be_the_fault_of_the_file_is_not_remembered(hostile: ParserPool, tmp_path: Path) -> None:
    """A process that somebody killed or that ended by itself fails the file for now; a crash is for good."""
    answers = {file.path: answer for file, answer in hostile.parse(str(tmp_path), named("killed-1", "exit-1", "segfault-1"))}
    assert answers == {
        "killed-1": FOR_NOW + b"parser crashed (SIGKILL)",
        "exit-1": FOR_NOW + b"parser ended by itself (exit code 3)",
        "segfault-1": DEADLY + b"parser crashed (SIGSEGV)",
    }


def test_a_program_that_does_not_start_blames_no_file(tmp_path: Path) -> None:
    """A broken installation is reported as such."""
    with ParserPool(workers=1, program="import no_such_module") as pool, pytest.raises(Unavailable, match="does not start"):
        list(pool.parse(str(tmp_path), named("a", "b")))


def test_threads_share_the_processes(tmp_path: Path) -> None:
    """Two threads use two processes; a crash in one does not disturb the other."""
    results: list[dict[str, str]] = []
    with ParserPool(workers=2, program=HOSTILE) as pool:

        def work(name: str) -> None:
            results.append(outcome(pool, tmp_path, *[f"{name}-{number}" for number in range(30)], f"segfault-{name}"))

        threads = [threading.Thread(target=work, args=(name,)) for name in "ab"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert [sorted(result.values()) for result in results] == [["parsed"] * 30 + ["parser crashed (SIGSEGV)"]] * 2


def test_leaving_in_the_middle_ends_the_process(tmp_path: Path) -> None:
    """An interrupted run leaves no process behind, not even one that hangs."""
    with ParserPool(workers=1, program=HOSTILE) as pool:
        answers = pool.parse(str(tmp_path), named("a", "hang-1"))
        _, answer = next(answers)
        answers.close()
    process = int(answer.rpartition(b" ")[2])
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_facts_come_back_as_extracted(tmp_path: Path) -> None:
    """The real program reads, extracts and encodes; what it cannot read it says why."""
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "a.md").write_text("# Title\n\nText.\n")
    (tmp_path / "b.md").write_text("changed")
    (tmp_path / "c.txt").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    (tmp_path / "link.md").symlink_to("b.md")
    os.mkfifo(tmp_path / "fifo.md")
    files = [
        Unparsed("inner/a.md", digest(b"# Title\n\nText.\n"), "markdown"),
        Unparsed("b.md", digest(b"before"), "markdown"),
        Unparsed("c.txt", digest((tmp_path / "c.txt").read_bytes()), ""),
        Unparsed("link.md", digest(b"changed"), "markdown"),
        Unparsed("fifo.md", "", "markdown"),
        Unparsed("gone.md", "", "markdown"),
        Unparsed("../outside.md", "", "markdown"),
    ]
    with ParserPool(workers=1) as pool:
        answers = {file.path: answer for file, answer in pool.parse(str(tmp_path), files)}
    facts = decode_facts(answers["inner/a.md"][1:])
    assert (facts.path, facts.digest, [symbol.name for symbol in facts.symbols]) == ("inner/a.md", digest(b"# Title\n\nText.\n"), ["Title"])
    assert answers["b.md"] == FOR_NOW + b"changed while it was being indexed"
    assert answers["c.txt"][:1] == SKIPPED
    assert answers["link.md"] == FOR_NOW + b"symbolic link"
    assert answers["fifo.md"] == FOR_NOW + b"not a regular file"
    assert answers["gone.md"] == FOR_NOW + b"disappeared while it was read"
    assert answers["../outside.md"][:1] == FOR_NOW

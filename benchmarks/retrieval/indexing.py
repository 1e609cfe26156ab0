"""The indexes that the questions are asked of: one for each checkout and part of it, kept from run to run, brought up to date before it is asked."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.retrieval.catalogue import Checkout
from exegesis.settings import Settings
from services.assembly import Assembly
from services.indexer.api import IndexOptions


@dataclass(frozen=True, slots=True)
class Subject:
    """What is indexed: a checkout, or a folder of it, perhaps without some files."""

    checkout: Checkout
    folder: str = ""
    leaves_out: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"{self.checkout.folder}/{self.folder}".rstrip("/")


@contextmanager
def opened(subject: Subject, repositories: Path, home: Path, *, stored: bool, say: Callable[[str], None]) -> Iterator[tuple[Assembly, str]]:
    """The parts of a process over the subject's index, and the repository's identifier there.

    Indexes with all vectors have a home of their own, because a repository has one head, and late embedding is asked of one that has none.
    """
    assembly = Assembly(Settings(home=str(home / ("stored" if stored else "late")), embedder="bundled"))
    try:
        report = assembly.indexer.index(str(place(subject, repositories, home)), IndexOptions(embed=stored, index_store="none"), lambda _: None)
        if not report.unchanged:
            generation = report.generation
            say(f"indexed {subject.name}: {generation.chunks} chunks, {generation.edges} edges, {report.seconds:.1f} s")
        yield assembly, report.repository.id
    finally:
        assembly.close()


def place(subject: Subject, repositories: Path, home: Path) -> Path:
    """The folder that is indexed: within the checkout, or a copy where files must be left out, since a checkout is never written to."""
    root = subject.checkout.place(repositories).resolve()
    if not subject.leaves_out:
        return root / subject.folder
    copy = home / "without" / subject.checkout.folder
    if not copy.exists():
        unfinished = copy.with_suffix(".part")
        shutil.rmtree(unfinished, ignore_errors=True)
        shutil.copytree(root, unfinished, symlinks=True)
        for path in subject.leaves_out:
            (unfinished / path).unlink(missing_ok=True)
        unfinished.rename(copy)
    return copy / subject.folder

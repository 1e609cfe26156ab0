"""What a run over the queue is to make, from the step that looks to the step that assembles, which may be another process on another day."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass

from exegesis.model import FileRole, FileStatus, SourceFile
from exegesis.ports import Catalog
from services.graph.api import Pin
from services.indexer.exact.holdings import NOTHING, Holdings, document_of, holdings_of
from services.indexer.work import Basis, Work

_NOTE = "snapshot"
_FORMAT = 1
"""Raised whenever what is noted changes: a worker of another version then begins with a look of its own."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of a repository that a run indexes. Kept as a note of the repository, because a message must not carry it."""

    run: str
    generation: str
    commit: str
    basis: str
    """Generation that is built upon; empty for none."""
    work: Work
    """With the module of each file."""
    holdings: Holdings = NOTHING
    """What index stores held about the files when they were looked at."""

    def basis_in(self, repository: str) -> Basis | None:
        """As a build wants it; which files it holds was asked when the work was planned."""
        return Basis(Pin(repository, self.basis), {}) if self.basis else None


def save_snapshot(catalog: Catalog, repository: str, snapshot: Snapshot) -> None:
    work = snapshot.work
    places = {file.path: number for number, file in enumerate(work.files)}
    content = {
        "format": _FORMAT,
        "run": snapshot.run,
        "generation": snapshot.generation,
        "commit": snapshot.commit,
        "basis": snapshot.basis,
        "files": [
            (file.path, file.digest, file.size, file.language, int(file.roles), file.status, file.reason, file.module, file.exact)
            for file in work.files
        ],
        "parse": [places[file.path] for file in work.parse],
        "exact": [places[file.path] for file in work.exact],
        "holdings": document_of(snapshot.holdings),
        "gone": list(work.gone),
        "removed": work.removed,
    }
    catalog.save_note(repository, _NOTE, zlib.compress(json.dumps(content, separators=(",", ":")).encode("ascii"), 1))


def load_snapshot(catalog: Catalog, repository: str, run: str) -> Snapshot | None:
    """The snapshot of a run, or None when another run has taken its place, or another version has written it."""
    stored = catalog.load_note(repository, _NOTE)
    content = json.loads(zlib.decompress(stored)) if stored else {}
    if (content.get("format"), content.get("run")) != (_FORMAT, run):
        return None
    files = [
        SourceFile(path, digest, size, language, FileRole(roles), FileStatus(status), reason, module, exact)
        for path, digest, size, language, roles, status, reason, module, exact in content["files"]
    ]
    parse, exact = ([files[place] for place in content[step]] for step in ("parse", "exact"))
    work = Work(files, parse, content["gone"], content["removed"], exact)
    return Snapshot(run, content["generation"], content["commit"], content["basis"], work, holdings_of(content["holdings"]))

"""This project: indexed without stored vectors, asked by words alone or with late embedding (``EXEGESIS_LATE`` set)."""

from __future__ import annotations

import os
from pathlib import Path

from driving import Found, Search, drive

from exegesis.errors import NothingRelevant
from exegesis.model import Options, Question
from exegesis.settings import Settings
from services.assembly import Assembly
from services.indexer.api import IndexOptions


def index(folder: Path, own: Path) -> Search:
    late = bool(os.environ.get("EXEGESIS_LATE"))
    assembly = Assembly(Settings(home=str(own), embedder="bundled" if late else "none"))
    report = assembly.indexer.index(str(folder), IndexOptions(embed=False, index_store="none"), lambda _: None)
    options = Options(dense=late, dense_seconds=3_600.0)

    def search(question: str) -> Found:
        try:
            results = assembly.query.search(Question(question, (report.repository.id,), options)).results
        except NothingRelevant:
            return []
        return [(result.path, result.start, result.end) for result in results]

    return search


if __name__ == "__main__":
    drive(index)

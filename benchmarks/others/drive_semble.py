"""semble through its library, with the folder of a static model in ``STATIC_MODEL``."""

from __future__ import annotations

import os
from pathlib import Path

from driving import RESULTS, Found, Search, drive


def index(folder: Path, own: Path) -> Search:
    os.environ["SEMBLE_CACHE_LOCATION"] = str(own)
    from semble import SembleIndex

    built = SembleIndex.from_path(folder, model_path=os.environ["STATIC_MODEL"])

    def search(question: str) -> Found:
        return ((hit.chunk.file_path, hit.chunk.start_line, hit.chunk.end_line) for hit in built.search(question, top_k=RESULTS))

    return search


if __name__ == "__main__":
    drive(index)

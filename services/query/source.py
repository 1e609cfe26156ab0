"""The text of files as they were indexed: chunks partition the lines of a file, so the file can be put together from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from exegesis.model import Chunk
from services.graph.api import GraphReading, Pin


class IndexedText:
    """Lines of files of some pinned generations. Remembers what it read; made for one question."""

    def __init__(self, graph: GraphReading, pins: Mapping[str, Pin]) -> None:
        self._graph = graph
        self._pins = pins
        self._files: dict[tuple[str, str], tuple[str, ...]] = {}

    def lines(self, repository: str, path: str) -> Sequence[str]:
        """All lines of a file, without line ends; empty when the generation does not hold it."""
        key = (repository, path)
        if key not in self._files:
            pin = self._pins.get(repository)
            self._files[key] = assemble(self._graph.chunks_in(pin, [path], text=True)) if pin else ()
        return self._files[key]


def assemble(chunks: Sequence[Chunk]) -> tuple[str, ...]:
    """The lines of a file from its chunks; a line that no chunk holds is empty."""
    found: dict[int, str] = {}
    for chunk in chunks:
        lines = iter(chunk.text.split("\n"))
        for run in chunk.runs:
            for number in range(run.start, run.end + 1):
                found[number] = next(lines, "")
    return tuple(found.get(number, "") for number in range(1, max(found, default=0) + 1))

"""What the records of a repository turned out to be worth: examined where they differ, remembered for whoever asks how things stand."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from exegesis.model import ExactFacts, Repository, SourceFile
from services.indexer.api import ExactStatus
from services.indexer.exact.examine import Examined, examine
from services.indexer.exact.holdings import MOST_PROBLEMS, Holdings
from services.indexer.identity import records_space
from services.indexer.stores import Stores

RECORDS_KEPT = 128 << 20
"""Bytes of facts kept for a repository: those of a million lines take a quarter of it."""

_NOTE = "index-stores-examined"


@dataclass(slots=True)
class Examination:
    """What a build asks of index stores: iterate it for the facts, once; then ``remember`` it, when the build has become the head."""

    repository: Repository
    stores: Stores
    holdings: Holdings
    files: Sequence[SourceFile]
    """Whose records are examined."""
    anew: bool
    """Nothing is known from before."""
    _found: dict[str, Examined] = field(default_factory=dict)

    def __iter__(self) -> Iterator[ExactFacts]:
        digests, space = {file.path: file.digest for file in self.files}, records_space(self.repository.id)
        for each in examine(self.repository.root, digests, self.holdings, self.stores.cache, space=space):
            self._found[each.facts.path] = each
            yield each.facts

    def remember(self) -> None:
        known = {} if self.anew else dict(_load(self.repository.id, self.stores))
        for path, each in self._found.items():
            known.pop(path, None)
            if each.problems or not (each.facts.is_fresh or each.facts.is_empty):
                known[path] = each.problems
        document = {path: problems for path, problems in known.items() if path in self.holdings.records}
        self.stores.cache.trim(records_space(self.repository.id), keep_bytes=RECORDS_KEPT)
        packed = zlib.compress(json.dumps(document).encode("utf-8", "surrogatepass"), 1)
        self.stores.catalog.save_note(self.repository.id, _NOTE, packed)


def exact_status(repository: str, holdings: Holdings, stores: Stores) -> ExactStatus | None:
    """How the index stores of a repository stand; None if there are none."""
    if not holdings.stores:
        return None
    known = _load(repository, stores)
    problems = [f"{store.path}: {problem}" for store in holdings.stores for problem in store.problems]
    problems += [f"{path}: {problem}" for path, said in sorted(known.items()) for problem in said]
    return ExactStatus(
        stores=tuple(store.path for store in holdings.stores),
        files=len(holdings.records),
        stale=tuple(path for path in sorted(known) if path in holdings.records),
        unknown=sum(store.unknown for store in holdings.stores),
        problems=tuple(problems[:MOST_PROBLEMS]),
    )


def _load(repository: str, stores: Stores) -> Mapping[str, tuple[str, ...]]:
    """Files whose record is not of their text, or could not be read whole, each with what could not be read."""
    note = stores.catalog.load_note(repository, _NOTE)
    if not note:
        return {}
    try:
        return {path: tuple(said) for path, said in json.loads(zlib.decompress(note)).items()}
    except (zlib.error, ValueError):
        return {}

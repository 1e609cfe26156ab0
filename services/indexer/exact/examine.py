"""From the records of files to facts for linking: read, compared with the text, and the freshest taken."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from exegesis.model import ExactFacts
from exegesis.ports import ContentCache
from services.indexer.exact.facts import IndexedFile
from services.indexer.exact.holdings import Held, Holdings
from services.indexer.exact.indexstore import CACHE_SPACE, ProjectIndex, keep_fresh, read_records
from services.indexer.exact.recorded import recorded
from services.indexer.read import Unreadable, read_file

LARGEST = 1 << 26
"""Bytes of a source file that is compared with its record; the walk has judged it, so this bounds what may have happened since."""

BATCH = 64
"""Files whose records are in memory at a time."""


@dataclass(frozen=True, slots=True)
class Examined:
    facts: ExactFacts
    """Empty if nothing could be read."""
    problems: tuple[str, ...] = ()
    """What could not be read."""


def examine(root: str, digests: Mapping[str, str], holdings: Holdings, cache: ContentCache | None, *, space: str = CACHE_SPACE) -> Iterator[Examined]:
    """What the records of files say that is true of their text.

    Args:
        root: Folder of the repository.
        digests: For each path that is to be examined the SHA-256 of the text that counts; a file that has another by now counts as changed.
        holdings: Which records there are.
        cache: Keeps records that were read.
        space: Of the cache, where it keeps them.

    Yields:
        One value for each path, in their order. Of several stores the first counts that has a fresh record of the file; if none has, the first.

    """
    paths = list(digests)
    for start in range(0, len(paths), BATCH):
        batch = paths[start : start + BATCH]
        indexes, problems = _read(batch, holdings, cache, space)
        texts = {path: _text(root, path, digests[path]) for path in batch}
        for path in batch:
            yield Examined(_freshest(path, [files[path] for files in indexes if path in files], texts[path]), problems.get(path, ()))


def _read(
    paths: Sequence[str], holdings: Holdings, cache: ContentCache | None, space: str
) -> tuple[list[dict[str, list[IndexedFile]]], dict[str, tuple[str, ...]]]:
    """For each store the records of files, and what could not be read of each file."""
    indexes: list[dict[str, list[IndexedFile]]] = []
    problems: dict[str, tuple[str, ...]] = {}
    for number, store in enumerate(holdings.stores):
        held: list[tuple[str, Held]] = [(path, each) for path in paths for each in holdings.records.get(path, ()) if each.store == number]
        records, unread = read_records(store.path, list(dict.fromkeys(each.record for _, each in held)), cache, space=space)
        said = {problem.path.rpartition("/")[2]: problem.what for problem in unread}
        files: dict[str, list[IndexedFile]] = {}
        for path, each in held:
            if each.record in said:
                problems[path] = (*problems.get(path, ()), f"{each.record}: {said[each.record]}")
            if each.record in records:
                files.setdefault(path, []).append(IndexedFile(path, each.module, records[each.record]))
        indexes.append(files)
    return indexes, problems


def _freshest(path: str, stores: Sequence[Sequence[IndexedFile]], text: bytes | None) -> ExactFacts:
    for files in stores:
        fresh, _ = keep_fresh(ProjectIndex(tuple(files), (), 0, ()), lambda _: text)
        if fresh.files:
            return recorded(path, fresh.files, is_fresh=True)
    return recorded(path, stores[0] if stores else (), is_fresh=False)


def _text(root: str, path: str, digest: str) -> bytes | None:
    try:
        content = read_file(root, path, limit=LARGEST)
    except Unreadable:
        return None
    return content if hashlib.sha256(content).hexdigest() == digest else None

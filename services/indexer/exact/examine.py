"""From the records of files to facts for linking: read, compared with the text, and the freshest taken."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from exegesis.model import ExactFacts
from exegesis.ports import ContentCache
from services.indexer.exact.facts import IndexedFile
from services.indexer.exact.holdings import Holdings
from services.indexer.exact.indexstore import ProjectIndex, keep_fresh, read_records
from services.indexer.exact.kept import keep, key_of, recall
from services.indexer.exact.recorded import recorded
from services.indexer.read import Unreadable, read_file

LARGEST = 1 << 26
"""Bytes of a source file that is compared with its record; the walk has judged it, so this bounds what may have happened since."""

CACHE_SPACE = "index-store-facts"

BATCH = 64
"""Files whose facts are asked of the cache at a time."""


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
        cache: Keeps what was found in records that could be read whole.
        space: Of the cache, where it is kept.

    Yields:
        One value for each path, in their order. Of several stores the first counts that has a fresh record of the file; if none has, the first.

    """
    paths = list(digests)
    for start in range(0, len(paths), BATCH):
        keys = {path: key_of(path, digests[path], holdings.records.get(path, ())) for path in paths[start : start + BATCH]}
        kept = recall(cache, space, list(keys.values())) if cache is not None else {}
        found: dict[bytes, ExactFacts] = {}
        for path, key in keys.items():
            if key in kept:
                yield Examined(kept[key])
                continue
            text = _text(root, path, digests[path])
            examined = _examine(path, text, holdings)
            if text is not None and not examined.problems:
                found[key] = examined.facts
            yield examined
        if cache is not None and found:
            keep(cache, space, found)


def _examine(path: str, text: bytes | None, holdings: Holdings) -> Examined:
    problems: list[str] = []
    first: tuple[IndexedFile, ...] | None = None
    for number, store in enumerate(holdings.stores):
        held = [each for each in holdings.records.get(path, ()) if each.store == number]
        records, unread = read_records(store.path, dict.fromkeys(each.record for each in held))
        problems += [f"{problem.path.rpartition('/')[2]}: {problem.what}" for problem in unread]
        files = tuple(IndexedFile(path, each.module, records[each.record]) for each in held if each.record in records)
        fresh, _ = keep_fresh(ProjectIndex(files, (), 0, ()), lambda _: text)
        if fresh.files:
            return Examined(recorded(path, fresh.files, is_fresh=True), tuple(problems))
        first = first or files
    return Examined(recorded(path, first or (), is_fresh=False), tuple(problems))


def _text(root: str, path: str, digest: str) -> bytes | None:
    try:
        content = read_file(root, path, limit=LARGEST)
    except Unreadable:
        return None
    return content if hashlib.sha256(content).hexdigest() == digest else None

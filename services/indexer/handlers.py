"""The jobs of an index run, as a worker performs them, here or behind a broker.

A message carries identifiers only; what to do stands in the catalog. A handler may run twice or at the wrong time, so each first takes a lease, and
each result is a function of content that may as well be there already.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Final

from exegesis.model import Repository
from exegesis.ports import Catalog, ContentCache
from services.indexer.facts_version import key_of
from services.indexer.identity import facts_space
from services.indexer.parse_process import DEADLY, FAILED, FOR_NOW, WORDS, Unparsed
from services.indexer.pool import ParserPool
from services.indexer.work import Work

PARSE: Final = "parse-batch"
QUEUE: Final = "bulk"

LEASE_SECONDS = 300.0
"""Longer than a batch takes if a third of its files run into the time limit; after that another worker may try."""

_NOTE = "plan"
_FORMAT = 1
"""Raised whenever what is noted changes, as in :mod:`services.indexer.snapshot`."""

BEGUN: Final = 2
"""Times that a file is begun alone before it is taken for what its workers died of."""

_LASTING: Final = {DEADLY: 1, WORDS: 1, FAILED: 2, FOR_NOW: 2}
"""Under which of its keys an answer is remembered; any other under the first."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What an index run has to parse. Kept as a note of the repository, because a message must not carry it."""

    repository: str
    run: str
    root: str
    files: Mapping[str, Unparsed]
    """By path."""
    commit: str = ""
    """What is read of a repository that lies elsewhere; empty for a folder."""


def plan_of(repository: Repository, run: str, work: Work, *, commit: str = "", blobs: Mapping[str, str] | None = None) -> Plan:
    """``commit`` and ``blobs``, by path, where the files are to be read out of a bare repository."""
    names = blobs or {}
    files = {file.path: Unparsed(file.path, file.digest, file.language, names.get(file.path, "")) for file in work.parse}
    return Plan(repository.id, run, repository.root, files, commit)


def save_plan(catalog: Catalog, plan: Plan) -> None:
    content = {"format": _FORMAT, "run": plan.run, "root": plan.root, "commit": plan.commit, "files": [astuple(file) for file in plan.files.values()]}
    catalog.save_note(plan.repository, _NOTE, json.dumps(content).encode("ascii"))


def load_plan(catalog: Catalog, repository: str, run: str) -> Plan | None:
    """The plan of a run, or None when another run has taken its place, or another version has written it."""
    content = json.loads(catalog.load_note(repository, _NOTE) or b"{}")
    if (content.get("format"), content.get("run")) != (_FORMAT, run):
        return None
    files = [Unparsed(*fields) for fields in content["files"]]
    return Plan(repository, content["run"], content["root"], {file.path: file for file in files}, content["commit"])


class BatchParser:
    """Handles ``parse-batch``: parses the files of one batch of a run and leaves the answers in the content cache."""

    def __init__(
        self, catalog: Catalog, cache: ContentCache, parsers: ParserPool, *, owner: str, finished: Callable[[int], None], leaving: threading.Event
    ) -> None:
        self._catalog = catalog
        self._cache = cache
        self._parsers = parsers
        self._owner = owner
        self._finished = finished
        self._leaving = leaving
        self._plan: Plan | None = None

    def __call__(self, repository: str, run: str, number: int) -> None:
        batch = self._catalog.lease(run, number, owner=self._owner, seconds=LEASE_SECONDS)
        if batch is not None and (plan := self._load(repository, run)) is not None:
            files = [plan.files[path] for path in batch.paths if path in plan.files]
            parse(plan, files, self._cache, self._parsers, leaving=self._leaving)
            if not self._leaving.is_set():
                self._catalog.finish_batch(run, number)
        self._finished(number)

    def _load(self, repository: str, run: str) -> Plan | None:
        if self._plan is None or self._plan.run != run:
            self._plan = load_plan(self._catalog, repository, run)
        return self._plan


def parse(plan: Plan, files: Sequence[Unparsed], cache: ContentCache, parsers: ParserPool, *, leaving: threading.Event) -> Mapping[str, bytes]:
    """The answers for files by path: those that are cached, and the others, which then are. Once ``leaving`` is set, those that there are so far.

    An answer that is a function of content is kept for good. That a file kills its parser, which is costly to find out, or that its language fails at
    it, is kept as long as the parser is the same to the letter. Any other failure (a file that changed, a fault of this program) counts for this run
    of this parser only.
    """
    space = facts_space(plan.repository)
    keys = {file.path: (_key(file), _key(file, parsers.version), _key(file, parsers.version, plan.run)) for file in files}
    cached = cache.get(space, [key for known in keys.values() for key in known])
    answers = {path: cached[key] for path, known in keys.items() for key in known if key in cached}
    fresh: dict[str, bytes] = {}
    with contextlib.closing(parsers.parse(plan.root, [file for file in files if file.path not in answers])) as parsed:
        for file, answer in parsed:
            fresh[file.path] = answer
            if leaving.is_set():
                break
    cache.put(space, {keys[path][_LASTING.get(answer[:1], 0)]: answer for path, answer in fresh.items()})
    return {**answers, **fresh}


def parse_singly(plan: Plan, files: Sequence[Unparsed], cache: ContentCache, parsers: ParserPool, *, leaving: threading.Event, blame: str) -> None:
    """As :func:`parse`, and each answer is kept before the next file is begun, so that one that kills this very process is known by what is missing.

    A file that was begun :data:`BEGUN` times in this run and has no answer failed for the reason ``blame``, and is not parsed. Machines stop at any
    file, but hardly ever at the same one again.
    """
    space = facts_space(plan.repository)
    for file in files:
        if leaving.is_set():
            return
        keys = (_key(file), _key(file, parsers.version), _key(file, parsers.version, plan.run))
        begun = [_key(file, parsers.version, plan.run, f"begun {time}") for time in range(BEGUN)]
        known = cache.get(space, [*keys, *begun])
        if known.keys() & set(keys):
            continue
        times = len(known)
        if times == BEGUN:
            cache.put(space, {keys[_LASTING[FAILED]]: FAILED + blame.encode()})
        else:
            cache.put(space, {begun[times]: b""})
            parse(plan, [file], cache, parsers, leaving=leaving)


def _key(file: Unparsed, *further: str) -> bytes:
    """Where the answer for a file is cached: a digest of everything that it depends on."""
    return hashlib.sha256("\0".join(map(str, (*key_of(file.path, file.digest, file.language), *further))).encode()).digest()

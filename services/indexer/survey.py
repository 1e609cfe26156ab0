"""What a repository looks like now, and what is to be done so that its index says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from exegesis.errors import CorruptIndex, NotIndexed, Unavailable, UsageError
from exegesis.model import Generation, Progress, Repository
from exegesis.telemetry import SpanName, stage
from services.graph.api import Pin
from services.indexer.api import IndexOptions, Report
from services.indexer.commit_tree import CommitTree
from services.indexer.exact.holdings import NOTHING, SUFFIXES, Holdings, chosen_stores, look_into
from services.indexer.facts_version import VERSION
from services.indexer.identity import FORMAT, GenerationName, inputs_of, recipe_of
from services.indexer.language import languages
from services.indexer.parser_version import parser_version
from services.indexer.passing import count_try, is_worth_another_try, passing_failures
from services.indexer.revision import revision
from services.indexer.stores import Stores
from services.indexer.walk import Walk, walk
from services.indexer.walkstate import decode_state, encode_state, without
from services.indexer.work import Basis, Work, work_of

_WALK = "walk"
"""Note of a repository: what the last walk saw."""
_OPTIONS = "options"
"""Note of a repository: how it was last indexed, so that staleness is judged alike."""
_PARSER = "parser"
"""Note of a repository in which files failed: the code that they failed with."""

_WITH_DEPENDENCIES = b"dependencies"


_STORES = "index-stores"
"""Note of a repository: what its index stores held when they were last looked at."""
_STORE_CHOICE = "index-store"
"""Note of a repository: the index store that it is indexed with, where one was named."""


@dataclass(frozen=True, slots=True)
class Look:
    """A folder at one moment, and what compilers left behind about it."""

    walk: Walk
    """Its files say which record they have."""
    holdings: Holdings


@dataclass(frozen=True, slots=True)
class Survey:
    """A repository at one moment, beside what is indexed of it."""

    commit: str
    name: GenerationName
    """What a generation of it is called that is made now."""
    head: Generation | None
    """What answers now, if it reads."""
    is_current: bool
    """The head says what is there, and nothing is to be done."""
    basis: Basis | None
    work: Work
    holdings: Holdings
    """What index stores hold about its files."""

    @property
    def fingerprint(self) -> str:
        """Of the inputs of a run: two runs that have the same make the same."""
        return f"{self.name.inputs}-{self.name.recipe}"


def survey(
    repository: Repository,
    stores: Stores,
    *,
    dimensions: int,
    options: IndexOptions,
    report: Report,
    tree: CommitTree | None = None,
    changed: Callable[[int], None] | None = None,
    chunks_are_read_later: bool = False,
    anew: bool = False,
) -> Survey:
    """Look at a registered repository, in its folder or in the ``tree`` of a commit; its options are remembered for whoever asks later whether it is
    stale.

    ``changed`` learns early how many files have a content that was not known, so that who will parse them can get ready.
    ``chunks_are_read_later`` leaves damage of the chunk index to whoever builds on it, which reads all of it anyway; ``anew``: there was some.
    Raises ``UsageError`` when the index store that was chosen is none.
    """
    report(Progress("scanning", 0, 0))
    include_dependencies = options.include_dependencies
    if options.index_store and tree is None:
        chosen_stores(repository.root, options.index_store)  # before the choice is remembered
        stores.catalog.save_note(repository.id, _STORE_CHOICE, options.index_store.encode("utf-8", "surrogateescape"))
    looked = look(repository, stores, include_dependencies=include_dependencies, tree=tree, report=report)
    seen = looked.walk
    if changed is not None and seen.read:
        changed(seen.read)
    commit = tree.commit if tree else revision(seen)
    name = GenerationName.make(inputs_of(seen.files), recipe(dimensions))
    head = stores.catalog.head(repository.id)
    if include_dependencies != includes_dependencies(repository.id, stores):
        stores.catalog.save_note(repository.id, _OPTIONS, _WITH_DEPENDENCIES if include_dependencies else b"")
    current = head is not None and is_current(head, name, stores) and not _may_read_more(head, stores)
    if head is not None and (anew or not _reads(head, stores, chunks=current or not chunks_are_read_later)):
        report(Progress("damaged: indexing anew", 0, 0))
        head = None
    if head is not None and current:
        return Survey(commit, name, head, is_current=True, basis=None, work=Work(seen.files, (), (), 0), holdings=looked.holdings)
    basis = _basis(head, name, stores)
    return Survey(commit, name, head, is_current=False, basis=basis, work=work_of(seen.files, basis), holdings=looked.holdings)


def look(
    repository: Repository, stores: Stores, *, include_dependencies: bool, tree: CommitTree | None = None, report: Report = lambda _: None
) -> Look:
    """Look at the files and at what compilers left behind, and remember what was seen. Nobody builds in the tree of a commit."""
    catalog = stores.catalog
    stored = catalog.load_note(repository.id, _WALK)
    previous = decode_state(stored) if stored else None
    head = catalog.head(repository.id)
    doubtful = passing_failures(head) if head is not None else frozenset()
    if previous is not None and doubtful:
        previous = without(previous, doubtful)  # whether they can be read must show in the walk, also where they look as they did
    with stage(SpanName.WALK) as walking:
        seen = walk(tree or repository.root, include_dependencies=include_dependencies, previous=previous)
        walking.count(items_out=len(seen.files))
    if seen.read or doubtful or stored is None:
        with suppress(Unavailable):  # a full disk: files are read again next time, and who only asks need not write
            catalog.save_note(repository.id, _WALK, encode_state(seen.state))
    holdings = _look_into_stores(repository, seen, stores, report) if tree is None else NOTHING
    files = tuple(replace(file, exact=holdings.key(file.path)) if file.path in holdings.records else file for file in seen.files)
    return Look(replace(seen, files=files), holdings)


def _look_into_stores(repository: Repository, seen: Walk, stores: Stores, report: Report) -> Holdings:
    """What index stores hold about the files that are to be indexed. A store that was chosen and is gone counts as empty."""
    compiled = [file.path for file in seen.candidates if file.path.endswith(SUFFIXES)]
    if not compiled:
        return NOTHING
    catalog = stores.catalog
    choice = (catalog.load_note(repository.id, _STORE_CHOICE) or b"").decode("utf-8", "surrogateescape")
    chosen = stores_of(repository, choice)
    remembered = catalog.load_note(repository.id, _STORES) if chosen else None
    holdings, note = look_into(repository.root, compiled, chosen, remembered, reading=lambda: report(Progress("reading the compiler's index", 0, 0)))
    if note is not None:
        with suppress(Unavailable):
            catalog.save_note(repository.id, _STORES, note)
    return holdings


def stores_of(repository: Repository, choice: str) -> tuple[Path, ...]:
    """The index stores of a repository; none for a choice that is gone."""
    try:
        return chosen_stores(repository.root, choice)
    except UsageError:
        return ()


def recipe(dimensions: int) -> str:
    return recipe_of(FORMAT, VERSION, dimensions, sorted((name, language.version) for name, language in languages().items()))


def is_current(head: Generation, name: GenerationName, stores: Stores) -> bool:
    """Whether the head is made of what ``name`` is made of, its stores are there, and none of its files failed of what may have passed."""
    return (
        GenerationName.parse(head.id).has_content_of(name)
        and _is_stored(head, stores)
        and _reads(head, stores, chunks=False)
        and not is_worth_another_try(head, stores.catalog)
    )


def includes_dependencies(repository: str, stores: Stores) -> bool:
    return stores.catalog.load_note(repository, _OPTIONS) == _WITH_DEPENDENCIES


def note_failures(generation: Generation, stores: Stores) -> None:
    """Remember which parser failed, so that another one tries again, and how often files failed for now."""
    count_try(generation, stores.catalog)
    if generation.coverage.failed or generation.coverage.degraded:
        stores.catalog.save_note(generation.repository, _PARSER, parser_version().encode())


def relabelled(head: Generation, commit: str) -> Generation | None:
    """The head, said to be of the commit that is checked out now: a commit changes none of the files that it consists of. None if it says so."""
    return None if head.commit == commit else replace(head, commit=commit)


def _is_stored(generation: Generation, stores: Stores) -> bool:
    stored: Sequence[str] = stores.graph.stored(generation.repository)
    return generation.id in stored and generation.id in stores.chunks.generations(generation.repository)


def _may_read_more(head: Generation, stores: Stores) -> bool:
    """Whether files failed, or their languages did, and the code that failed at them has changed since."""
    return bool(head.coverage.failed or head.coverage.degraded) and stores.catalog.load_note(head.repository, _PARSER) != parser_version().encode()


def _reads(generation: Generation, stores: Stores, *, chunks: bool) -> bool:
    """Whether the stores of a generation open, as far as they are there."""
    try:
        stores.graph.statistics(Pin(generation.repository, generation.id))
        if chunks:
            stores.chunks.vectors(generation.repository, generation.id, [])
    except CorruptIndex:
        return False
    except NotIndexed:
        pass
    return True


def _basis(head: Generation | None, name: GenerationName, stores: Stores) -> Basis | None:
    """The head, if building on it saves anything: made by the same recipe, and there."""
    if head is None or GenerationName.parse(head.id).recipe != name.recipe or not _is_stored(head, stores):
        return None
    pin = Pin(head.repository, head.id)
    return Basis(pin, {row.file.path: row.file for row in stores.graph.files(pin)})

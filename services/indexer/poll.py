"""Seeing now and then whether a repository has changed, for those whose pushes nobody tells of."""

from __future__ import annotations

from pathlib import Path

from exegesis.model import Generation, RunStep
from exegesis.telemetry import Attribute, SpanName, current_trace, stage
from services.indexer.api import IndexOptions
from services.indexer.bell import BULK
from services.indexer.bench import Bench
from services.indexer.git_address import is_remote
from services.indexer.identity import GenerationName, inputs_of
from services.indexer.steps import write_options
from services.indexer.survey import includes_dependencies, is_current, look, recipe


def poll(bench: Bench, repository: str) -> None:
    """Ask for a run if the repository is not what is indexed of it."""
    with stage(SpanName.POLL) as polling:
        polling.mark(Attribute.REPOSITORY, repository)
        if not _has_changed(bench, repository):
            return
        options = IndexOptions(include_dependencies=includes_dependencies(repository, bench.stores))
        run = bench.errands.ask(repository, RunStep.LOOK, queue=BULK, options=write_options(options), trace=current_trace())
    errand = bench.errands.find(run)
    if errand is not None:
        bench.bell.ring(errand)


def _has_changed(bench: Bench, repository: str) -> bool:
    stores = bench.stores
    known = next((known for known in stores.catalog.repositories() if known.id == repository), None)
    if known is None:
        return False
    head = stores.catalog.head(repository)
    if is_remote(known.root):
        return head is None or bench.mirrors.newest(known.root) != head.commit or _lacks_vectors(bench, head)
    if head is None or not Path(known.root).is_dir():
        return head is None
    seen = look(known, stores, include_dependencies=includes_dependencies(repository, stores))
    if not is_current(head, GenerationName.make(inputs_of(seen.walk.files), recipe(bench.dimensions)), stores):
        return True
    return _lacks_vectors(bench, head)


def _lacks_vectors(bench: Bench, head: Generation) -> bool:
    return bench.embedder is not None and not head.has_all_vectors_of(bench.embedder.fingerprint)

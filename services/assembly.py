"""The one place that chooses how each promise is kept. Everything is built on first use, so a command pays only for what it touches."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from exegesis.errors import UsageError
from exegesis.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from exegesis.adapters.celery_queue import CeleryQueue
    from exegesis.adapters.tei import Patience
    from exegesis.ports import (
        Catalog,
        ChunkIndex,
        ChunkSearch,
        Clock,
        ContentCache,
        Embedder,
        Errands,
        GraphStore,
        LanguageModel,
        Reranker,
        TokenStore,
        WriteLock,
    )
    from exegesis.rpc.server import Hosted
    from services.graph.api import GraphService
    from services.indexer.api import IndexerService
    from services.indexer.asked import AskedIndexer
    from services.indexer.beat import Beat
    from services.indexer.bench import Bench
    from services.indexer.mirror import Mirrors
    from services.indexer.stores import Stores
    from services.indexer.tell import Teller
    from services.query.api import QueryService
    from services.query.rewriting import Rewriter


class _Closable(Protocol):
    def close(self) -> None: ...


C = TypeVar("C", bound=_Closable)


class Assembly:
    """The parts of one process, wired. ``close`` releases whatever was built."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._open = ExitStack()

    # ---- ports

    @cached_property
    def catalog(self) -> Catalog:
        if self.settings.catalog_address:
            from exegesis.adapters.postgres_catalog import PostgresCatalog

            return self._to_close(PostgresCatalog(self.settings.catalog_address.value))
        from exegesis.adapters.cache_folder import mark
        from exegesis.adapters.sqlite_catalog import SqliteCatalog

        return self._to_close(SqliteCatalog(mark(self.settings.folder) / "catalog.db", self.clock))

    @cached_property
    def tokens(self) -> TokenStore:
        from exegesis.adapters.cache_folder import mark
        from exegesis.adapters.sqlite_tokens import SqliteTokens

        return self._to_close(SqliteTokens(mark(self.settings.folder) / "tokens.db"))

    @cached_property
    def errands(self) -> Errands:
        quiet = self.settings.lease_seconds / 3  # what is lost is rung for within the time that a death is found out in
        if self.settings.catalog_address:
            from exegesis.adapters.postgres_errands import postgres_errands

            return self._to_close(postgres_errands(self.settings.catalog_address.value, quiet=quiet))
        from exegesis.adapters.cache_folder import mark
        from exegesis.adapters.sqlite_errands import sqlite_errands

        return self._to_close(sqlite_errands(mark(self.settings.folder) / "catalog.db", self.clock, quiet=quiet))

    @cached_property
    def queue(self) -> CeleryQueue:
        if not self.settings.queue_address:
            raise _no_queue()
        from exegesis.adapters.celery_queue import CeleryQueue

        return self._to_close(CeleryQueue(self.settings.queue_address.value))

    @cached_property
    def cache(self) -> ContentCache:
        if self.settings.catalog_address:
            from exegesis.adapters.postgres_cache import PostgresCache

            return self._to_close(PostgresCache(self.settings.catalog_address.value))
        from exegesis.adapters.sqlite_cache import SqliteCache

        return self._to_close(SqliteCache(self.settings.folder / "cache.db"))

    @cached_property
    def chunk_index(self) -> ChunkIndex:
        if self.settings.chunks_address:
            from exegesis.adapters.qdrant_server import WRITE_SECONDS

            return self._served_chunks(WRITE_SECONDS)
        from exegesis.adapters.edge_chunks import EdgeChunks

        return self._to_close(EdgeChunks(self.settings.folder / "chunks"))

    @cached_property
    def question_chunks(self) -> ChunkSearch:
        """The same index, for questions, which are answered without it while its server is away."""
        if not self.settings.chunks_address:
            return self.chunk_index
        from exegesis.adapters.qdrant_server import SEARCH_SECONDS
        from exegesis.adapters.rested import RestedChunks

        return RestedChunks(self._served_chunks(SEARCH_SECONDS), self.clock)

    def _served_chunks(self, seconds: int) -> ChunkIndex:
        from exegesis.adapters.qdrant_chunks import QdrantChunks

        fingerprint = self.embedder.fingerprint if self.embedder else ""
        return self._to_close(QdrantChunks.at(self.settings.chunks_address, fingerprint, key=self.settings.chunks_key.value, seconds=seconds))

    @cached_property
    def graph_store(self) -> GraphStore:
        if self.settings.graph_store == "database":
            from exegesis.adapters.postgres_graph import PostgresGraph

            return self._to_close(PostgresGraph(self.settings.catalog_address.value, self.settings.folder / "graph"))
        from exegesis.adapters.sqlite_graph import SqliteGraph

        return SqliteGraph(self.settings.folder / "graph")

    @cached_property
    def embedder(self) -> Embedder | None:
        if self.settings.embedder == "none":
            return None
        from exegesis.adapters.cached_embedder import CachedEmbedder

        if self.settings.embedder_address:
            from exegesis.adapters.tei import INDEXING

            return CachedEmbedder(self._served_embedder(INDEXING, on_pause=self._count_pause), self.cache)
        from exegesis.adapters.granite import Granite

        return CachedEmbedder(Granite(threads=self.workers), self.cache)

    @cached_property
    def question_embedder(self) -> Embedder | None:
        """The same vectors, for somebody who waits: without them an answer is as good as complete."""
        if self.settings.embedder == "none" or not self.settings.embedder_address:
            return self.embedder
        from exegesis.adapters.cached_embedder import CachedEmbedder
        from exegesis.adapters.rested import RestedEmbedder
        from exegesis.adapters.tei import ASKING

        return CachedEmbedder(RestedEmbedder(self._served_embedder(ASKING), self.clock), self.cache)

    @cached_property
    def _reranker(self) -> Reranker | None:
        if not self.settings.reranker_address:
            return None
        from exegesis.adapters.rested import RestedReranker
        from exegesis.adapters.tei_reranker import TeiReranker

        served = TeiReranker(self.settings.reranker_address, key=self.settings.reranker_key.value)
        return RestedReranker(self._to_close(served), self.clock)

    def _served_embedder(self, patience: Patience, *, on_pause: Callable[[], None] = lambda: None) -> Embedder:
        from exegesis.adapters.embedding_models import embedding_model
        from exegesis.adapters.tei import TeiEmbedder

        settings = self.settings
        model = embedding_model(settings.embedder_model)
        served = TeiEmbedder(
            settings.embedder_address,
            model,
            revision=settings.embedder_revision,
            key=settings.embedder_key.value,
            patience=patience,
            on_pause=on_pause,
        )
        return self._to_close(served)

    def _count_pause(self) -> None:
        """Where somebody may read it."""
        if self.settings.queue_address:
            from exegesis.model import Tally
            from services.indexer.tallies import count

            count(self.errands, Tally.EMBED_PAUSE)

    @cached_property
    def language_model(self) -> LanguageModel | None:
        if not self.settings.model_url:
            return None
        from exegesis.adapters.openai_model import OpenAIModel

        return OpenAIModel(self.settings.model_url, self.settings.model, self.settings.model_key.value, deadline=self.settings.model_seconds)

    @cached_property
    def _rewriter(self) -> Rewriter | None:
        """The same model, for somebody who waits before anything is found."""
        if not (self.settings.rewrite and self.settings.model_url):
            return None
        from exegesis.adapters.openai_model import OpenAIModel, Patience
        from exegesis.rpc.hurry import HurriedModel
        from services.query.rewriting import Rewriter

        patience = Patience(deadline=self.settings.rewrite_seconds, retries=0)
        model = OpenAIModel(self.settings.model_url, self.settings.model, self.settings.model_key.value, patience=patience)
        return Rewriter(HurriedModel(model), self.cache)

    @cached_property
    def write_lock(self) -> WriteLock:
        if self.settings.catalog_address:
            from exegesis.adapters.postgres_lock import PostgresLock

            return PostgresLock(self.settings.catalog_address.value)
        from exegesis.adapters.file_lock import FileLock

        return FileLock(self.settings.folder / "locks")

    @cached_property
    def clock(self) -> Clock:
        from exegesis.adapters.system_clock import SystemClock

        return SystemClock()

    @property
    def workers(self) -> int:
        return self.settings.workers or os.cpu_count() or 1

    # ---- services

    @cached_property
    def graph(self) -> GraphService:
        if not self.settings.graph_address:
            return self._local_graph
        from exegesis.rpc.address import read_address
        from services.graph.remote import RemoteGraph

        return self._to_close(RemoteGraph(read_address(self.settings.graph_address, source="EXEGESIS_GRAPH_ADDRESS")))

    @cached_property
    def _local_graph(self) -> GraphService:
        from services.graph.link_pool import LinkPool
        from services.graph.local import LocalGraph

        return self._to_close(LocalGraph(self.graph_store, LinkPool(self.workers, opener="exegesis.adapters.sqlite_graph:open_lent")))

    @cached_property
    def indexer(self) -> IndexerService:
        return self.asked_indexer if self.settings.queue_address else self._local_indexer

    @cached_property
    def asked_indexer(self) -> AskedIndexer:
        """The indexer where workers keep its promise. Raises ``UsageError`` where there is no queue."""
        from services.indexer.asked import AskedIndexer
        from services.indexer.bell import Bell

        return AskedIndexer(self.catalog, self.errands, Bell(self.queue), self._local_indexer, self._mirrors, clock=self.clock)

    @cached_property
    def _local_indexer(self) -> IndexerService:
        from exegesis.adapters.local_queue import LocalQueue
        from services.indexer.local import LocalIndexer

        return LocalIndexer(
            self._stores,
            embedder=self.embedder,
            lock=self.write_lock,
            consume=lambda handlers: LocalQueue(handlers, consumers=self.workers),
            workers=self.workers,
            folder=self.settings.folder,
            teller=self._teller,
        )

    @cached_property
    def _teller(self) -> Teller | None:
        """The language model where it may describe, which is asked for by the number of its tokens: a large repository takes thousands of calls."""
        if not self.settings.describe_tokens or self.language_model is None:
            return None
        from services.indexer.tell import Teller

        return Teller(self.language_model, self.settings.describe_tokens)

    @cached_property
    def _stores(self) -> Stores:
        from services.indexer.stores import Stores

        return Stores(self.catalog, self.cache, self.graph, self.chunk_index, self.clock)

    @cached_property
    def query(self) -> QueryService:
        if not self.settings.query_address:
            return self._local_query
        from exegesis.rpc.address import read_address
        from services.query.remote import RemoteQuery
        from services.query.spread import SpreadQuery

        far = [RemoteQuery(read_address(address, source="EXEGESIS_QUERY_ADDRESS")) for address in _names(self.settings.query_address)]
        return self._to_close(far[0]) if len(far) == 1 else self._to_close(SpreadQuery(far))

    @cached_property
    def _local_query(self) -> QueryService:
        from exegesis.rpc.hurry import HurriedModel
        from services.query.local import AT_ONCE, AT_ONCE_AFAR, LocalQuery

        is_near = not (self.settings.graph_address or self.settings.chunks_address)
        return LocalQuery(
            self.catalog,
            self.graph,
            self.question_chunks,
            embedder=self.question_embedder,
            reranker=self._reranker,
            model=HurriedModel(self.language_model) if self.language_model else None,
            rewriter=self._rewriter,
            output_tokens=self.settings.model_output_tokens,
            cache=self.cache,
            at_once=AT_ONCE if is_near else AT_ONCE_AFAR,
        )

    # ---- serving

    def host(self, service: str) -> Hosted:
        """What ``exegesis serve`` serves under that name. Whoever serves keeps the promise itself, whatever the address of that service says, so that
        all processes of an installation may have the same settings.
        """
        if service == "graph":
            from services.graph.remote import host as host_graph

            return host_graph(self._local_graph)
        from services.query.remote import host as host_query

        return host_query(self._local_query)

    @cached_property
    def _mirrors(self) -> Mirrors:
        from services.indexer.mirror import Mirrors, Reach

        settings = self.settings
        reach = Reach(
            protocols=_names(settings.git_protocols),
            hosts=_names(settings.git_hosts.lower()),
            netrc=settings.git_netrc,
            ssh_key=settings.git_ssh_key,
            ssh_known_hosts=settings.git_ssh_known_hosts,
            mib=settings.git_mib,
            seconds=settings.git_seconds,
        )
        return Mirrors(settings.folder / "mirrors", reach)

    @cached_property
    def bench(self) -> Bench:
        """What the jobs of one worker process work with."""
        from services.indexer.bell import Bell
        from services.indexer.bench import Bench
        from services.indexer.local import DIMENSIONS
        from services.indexer.pool import ParserPool

        return Bench(
            self._stores,
            self.errands,
            Bell(self.queue),
            self.write_lock,
            self.embedder,
            self.embedder.dimensions if self.embedder else DIMENSIONS,
            self._open.enter_context(ParserPool(workers=1)),
            self._mirrors,
            owner=self._owner,
            lease_seconds=self.settings.lease_seconds,
            teller=self._teller,
        )

    @cached_property
    def beat(self) -> Beat:
        from services.indexer.beat import Beat
        from services.indexer.bell import Bell

        return Beat(self.catalog, self.errands, Bell(self.queue), self._owner, self.settings.poll_seconds, self.settings.lease_seconds)

    @cached_property
    def _owner(self) -> str:
        """Tells this process from all others, of all machines and times."""
        import secrets
        import socket

        return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"

    def _to_close(self, part: C) -> C:
        """Whatever has a ``close`` passes here where it is made, after all that it stands on: so nothing is closed before what uses it."""
        self._open.callback(part.close)
        return part

    def close(self) -> None:
        """Release what was built, in the reverse order of dependence, and all of it even where one part fails. The parts are of no use afterwards."""
        self._open.close()


def perform_jobs(settings: Settings, queues: tuple[str, ...], *, announce: Callable[[int], None]) -> None:
    """Be a worker of these queues until told to stop. Its processes are forks, and each builds its own parts when its first job comes."""
    from exegesis.adapters.celery_queue import work
    from exegesis.telemetry import start_exporting
    from services.indexer.worker import handlers, mourn

    if not settings.queue_address:
        raise _no_queue()
    processes = Assembly(settings).workers
    assembly = Assembly(replace(settings, workers=1))  # each of the processes parses in one process and embeds in one thread

    def begin() -> Callable[[], None]:
        flush = start_exporting()

        def end() -> None:
            assembly.close()
            flush()

        return end

    announce(processes)
    jobs = handlers(lambda: assembly.bench)
    work(
        settings.queue_address.value,
        jobs,
        queues=queues,
        consumers=processes,
        patient=tuple(jobs),  # each holds what it works on in the ledger, and what it starts has limits of its own
        mourn=lambda job, arguments: mourn(assembly.bench, job, arguments),
        begin=begin,
        pulse=pulse_of(settings),
    )


def pulse_of(settings: Settings) -> Callable[[], None] | None:
    """What a process without an address does to say that it lives; None where nobody wants to know."""
    return Path(settings.pulse).touch if settings.pulse else None


def _names(written: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in written.split(",") if name.strip())


def _no_queue() -> UsageError:
    return UsageError("There is no queue.", hint="Set EXEGESIS_QUEUE_ADDRESS to a Redis-compatible broker, such as redis://valkey:6379/0.")

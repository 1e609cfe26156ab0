"""The outside world as Exegesis wishes it were: one narrow Protocol per technology that may be swapped.

Adapters implement these (``exegesis.adapters``), services use them, ``services.assembly`` joins the two. Every adapter passes the
contract suite of its port (``tests/contract``). Methods raise only errors of :mod:`exegesis.errors`.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from exegesis.model import (
    Batch,
    Binding,
    Chunk,
    Edge,
    EdgeKind,
    Errand,
    ExactFacts,
    FileFacts,
    Generation,
    Hit,
    Progress,
    Repository,
    RunState,
    RunStep,
    SourceFile,
    Span,
    Standing,
    Symbol,
    SymbolKind,
    Tally,
    Unresolved,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# ------------------------------------------------------------------------------------------------------------ the graph


@dataclass(frozen=True, slots=True)
class FileRow:
    """A file of a generation with what is known about it as a whole."""

    file: SourceFile
    indegree: int
    """Non-test files that mention a name defined here (names of more than three letters, defined in at most two files)."""


@dataclass(frozen=True, slots=True)
class Degrees:
    callers: int
    callees: int


@dataclass(frozen=True, slots=True)
class LexicalStatistics:
    """What a lexical score must know about the whole corpus. Lengths are in terms; fields in the order of ``model.Field``.

    Average lengths are rounded to a coarse geometric grid (``exegesis.bm25f.on_grid``), so that a small edit leaves the frozen weights of all other
    chunks as they are and an incremental index still equals a clean one.
    """

    chunks: int
    files: int
    chunk_lengths: tuple[float, ...]
    file_lengths: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class GraphTotals:
    symbols: int
    edges: int
    chunks: int
    unresolved: int
    """References that may mean something here and became no edge."""
    external: int
    """References to what is declared elsewhere."""


SYMBOL_KINDS = tuple(SymbolKind)


class SymbolShape(NamedTuple):
    """What a question about a whole graph must know of every symbol."""

    id: int
    parent: int | None
    kind: SymbolKind
    modifiers: int
    roles: int
    """Of the file it stands in, as the bits of ``FileRole``."""


class SymbolColumns(NamedTuple):
    """Symbols as arrays of equal length, ascending by identifier."""

    ids: NDArray[np.int64]
    parents: NDArray[np.int64]
    """-1 where there is none."""
    kinds: NDArray[np.int64]
    """Places in :data:`SYMBOL_KINDS`."""
    modifiers: NDArray[np.int64]
    roles: NDArray[np.int64]

    def shapes(self) -> Iterator[SymbolShape]:
        """The same, one by one."""
        columns = (column.tolist() for column in self)
        for node, parent, kind, modifiers, roles in zip(*columns, strict=True):
            yield SymbolShape(node, parent if parent >= 0 else None, SYMBOL_KINDS[kind], modifiers, roles)


class EdgeColumns(NamedTuple):
    """Edges as arrays of equal length: a million are read in half the time that as many tuples take."""

    sources: NDArray[np.int64]
    targets: NDArray[np.int64]
    confidences: NDArray[np.float64]


class GraphReader(Protocol):
    """A finished graph generation, or a draft in its present state. All sequences are ordered by (path, line, identifier) unless stated."""

    def files(self, paths: Sequence[str] | None = None) -> Sequence[FileRow]: ...
    def symbols(self, ids: Iterable[int]) -> Mapping[int, Symbol]: ...
    def symbols_named(self, names: Iterable[str]) -> Sequence[Symbol]:
        """Symbols whose base name is one of these, letter case ignored."""
        ...

    def symbols_in(self, paths: Iterable[str]) -> Sequence[Symbol]: ...
    def symbols_at(self, places: Mapping[str, Sequence[Span]]) -> Sequence[Symbol]:
        """Symbols whose names stand on these lines of these files."""
        ...

    def all_symbols(self, kinds: Collection[SymbolKind] | None = None) -> Iterator[Symbol]:
        """Symbols of these kinds, or of all."""
        ...

    def edges_from(self, ids: Iterable[int], *, per_node: int, kinds: Collection[EdgeKind] | None = None) -> Sequence[Edge]:
        """At most ``per_node`` edges out of each symbol, of these kinds or of all, most confident first, then by call site."""
        ...

    def edges_to(self, ids: Iterable[int], *, per_node: int, kinds: Collection[EdgeKind] | None = None) -> Sequence[Edge]: ...
    def degrees(self, ids: Iterable[int]) -> Mapping[int, Degrees]:
        """Distinct callers and callees, counting calls, constructions and accesses."""
        ...

    def busiest(self, limit: int) -> Sequence[tuple[int, int]]:
        """Symbols with the most distinct callers, and how many; most first, ties by identifier."""
        ...

    def totals(self) -> GraphTotals: ...
    def closures_in(self, ids: Iterable[int]) -> Mapping[int, tuple[int, ...]]:
        """Closures anywhere inside each of these symbols, however deeply nested in one another; without other declarations between."""
        ...

    def owners(self, ids: Iterable[int]) -> Mapping[int, int]:
        """For each of these symbols that is a closure, the innermost declaration around it that is none."""
        ...

    def names(self) -> Sequence[str]:
        """Distinct base names of symbols other than closures, ascending."""
        ...

    def entry_points(self) -> Sequence[Symbol]:
        """Symbols where a program starts."""
        ...

    def symbol_counts(self) -> Mapping[str, int]:
        """Number of symbols of each file that has any."""
        ...

    def edges_between_files(self, *, confidence: float = 0.0) -> Sequence[tuple[str, str, int]]:
        """Path of the source, path of the target, number of edges of at least this confidence; within a file too. A protocol does
        not depend on who conforms to it, so witnesses do not count; nor does a prototype on the code that it declares.
        """
        ...

    def skeleton(self) -> SymbolColumns:
        """Every symbol, without its texts."""
        ...

    def pairs(self, kinds: Collection[EdgeKind]) -> EdgeColumns:
        """Every edge of these kinds, in no particular order."""
        ...

    def unresolved_names(self) -> Collection[str]:
        """Every name that some reference bears which became no edge, whatever it may mean."""
        ...

    def unresolved(self, ids: Iterable[int]) -> Sequence[Unresolved]: ...
    def chunks(self, ids: Iterable[int], *, text: bool) -> Mapping[int, Chunk]:
        """Chunks by identifier; without ``text`` theirs is empty, which is far cheaper for ranking hundreds."""
        ...

    def chunks_in(self, paths: Iterable[str], *, text: bool) -> Sequence[Chunk]: ...
    def chunks_of_symbols(self, ids: Iterable[int]) -> Mapping[int, tuple[int, ...]]: ...
    def terms(self, chunks: Iterable[int] | None = None) -> Iterator[tuple[int, str, bytes]]:
        """Chunk identifier, path and packed term counts, ordered by path."""
        ...

    def vocabulary(self, terms: Iterable[int]) -> Mapping[int, tuple[int, int]]:
        """For each known term: number of chunks and number of files that contain it."""
        ...

    def statistics(self) -> LexicalStatistics: ...
    def imports(self) -> Mapping[str, tuple[str, ...]]:
        """Imported module names of each file."""
        ...

    def references_in(self, paths: Iterable[str]) -> Iterator[FileFacts]:
        """Facts with references, imports and bindings only, by path. All of it has been read when this returns, and is unpacked bit by bit."""
        ...

    def exact(self, paths: Iterable[str] | None = None, *, uses: bool) -> Iterator[ExactFacts]:
        """What a compiler recorded about these files, or about all of which it recorded anything, by path; without ``uses`` those are left out."""
        ...

    def bindings(self) -> Mapping[str, tuple[Binding, ...]]:
        """Names that imports bind, of each file that has any."""
        ...

    def close(self) -> None: ...


class GraphDraft(GraphReader, Protocol):
    """A graph generation that is being built aside. Nobody else sees it until ``commit`` returns."""

    def put_files(self, files: Iterable[SourceFile]) -> None:
        """Replace the whole list of files; facts of files that are no longer in it are dropped, and edges from them."""
        ...

    def put_facts(self, facts: Iterable[FileFacts]) -> None:
        """Add or replace what parsing a file yielded. Edges from a replaced file are dropped."""
        ...

    def put_exact(self, facts: Iterable[ExactFacts]) -> None:
        """Replace what a compiler recorded about files; empty facts take it away. It goes with the facts of its file."""
        ...

    def lend(self) -> str:
        """Where other processes of this machine can read what was put so far, until something more is put."""
        ...

    def put_links(self, path: str, edges: Sequence[Edge], unresolved: Sequence[Unresolved], consulted: Iterable[str]) -> None:
        """The outcome of linking one file, in place of any earlier one. ``consulted`` are the names that the outcome depends on."""
        ...

    def files_consulting(self, names: Iterable[str]) -> Sequence[str]:
        """Files whose links depend on one of these names."""
        ...

    def commit(self) -> None:
        """Compute what depends on the whole (vocabulary, lengths, in-degrees), write everything to disk, and make it openable."""
        ...

    def discard(self) -> None: ...


class GraphStore(Protocol):
    def draft(self, repository: str, generation: str, *, basis: str | None) -> GraphDraft:
        """Start a generation, empty or as a copy of the finished generation ``basis``."""
        ...

    def open(self, repository: str, generation: str) -> GraphReader:
        """Raises ``NotIndexed`` when there is no such finished generation, ``CorruptIndex`` when it cannot be read."""
        ...

    def share(self, repository: str, generation: str, further: str) -> None:
        """Make a finished generation readable under a further identifier as well; each is deleted on its own."""
        ...

    def delete(self, repository: str, generation: str) -> None: ...
    def generations(self, repository: str) -> Sequence[str]:
        """Finished and unfinished ones: what a collector of garbage must know."""
        ...


# ------------------------------------------------------------------------------------------------------ the chunk index


@dataclass(frozen=True, slots=True)
class SparseVector:
    """Term identifiers, ascending, and their weights."""

    terms: tuple[int, ...]
    weights: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class LexicalPoint:
    """A chunk, or a whole file (``id`` is then ``model.file_id`` of its path), as a lexical document with frozen weights."""

    id: int
    is_file: bool
    vector: SparseVector


class ChunkIndexDraft(Protocol):
    """A generation of the index that is being built aside."""

    def put_lexical(self, points: Iterable[LexicalPoint]) -> None:
        """Add documents, or replace the weights of those that are there. The vector of a chunk stays: remove one whose text changed first."""
        ...

    def put_dense(self, vectors: Iterable[tuple[int, Sequence[float]]]) -> None:
        """Unit vectors of chunks that are already there."""
        ...

    def drop_dense(self) -> None:
        """Take all vectors away: those of the basis may be of another model."""
        ...

    def remove(self, ids: Iterable[int]) -> None: ...
    def commit(self) -> None: ...
    def discard(self) -> None: ...


class ChunkSearch(Protocol):
    """What questions ask of a chunk index. Raises ``ChunksUnavailable`` where it is a server that does not answer."""

    def search_lexical(self, repository: str, generation: str, query: SparseVector, *, files: bool, limit: int) -> Sequence[Hit]:
        """Chunks (or whole files) by dot product, which with BM25F weights on both sides is the BM25F score."""
        ...

    def search_dense(self, repository: str, generation: str, vector: Sequence[float], *, limit: int) -> Sequence[Hit]:
        """Chunks by cosine similarity, as far as they have vectors."""
        ...

    def vectors(self, repository: str, generation: str, ids: Sequence[int]) -> Mapping[int, Sequence[float]]:
        """Dense vectors of those of the chunks that have one."""
        ...


class ChunkIndex(ChunkSearch, Protocol):
    """Similarity search over the chunks of one generation; holds vectors and identifiers, never text."""

    def draft(self, repository: str, generation: str, *, basis: str | None, dimensions: int) -> ChunkIndexDraft: ...
    def delete(self, repository: str, generation: str) -> None: ...
    def generations(self, repository: str) -> Sequence[str]:
        """Finished and unfinished ones: what a collector of garbage must know."""
        ...

    def close(self) -> None: ...


# ---------------------------------------------------------------------------------------------------------- the catalog


class Catalog(Protocol):
    """The ledger: which repositories, runs, batches and generations there are, and which generation answers.

    Each method is one transaction. Several processes may use one catalog.
    """

    def register(self, repository: Repository) -> None: ...
    def repositories(self) -> Sequence[Repository]: ...
    def forget(self, repository: str) -> None:
        """Remove a repository with its runs and heads."""
        ...

    def head(self, repository: str) -> Generation | None:
        """The generation that answers questions now."""
        ...

    def generation(self, repository: str, generation: str) -> Generation | None: ...
    def generations(self, repository: str) -> Sequence[Generation]:
        """Finished generations, newest first."""
        ...

    def activate(self, run: str, generation: Generation) -> bool:
        """Record a finished generation, make it the head and the run done, in one transaction. False, and no change, if the run was superseded."""
        ...

    def retire(self, repository: str, generation: str) -> None:
        """Forget a generation that is not the head."""
        ...

    def start_run(self, repository: str, fingerprint: str) -> tuple[str, bool]:
        """A run for this repository: a new one, or the unfinished one with the same fingerprint of inputs (then True). Unfinished runs with
        another fingerprint become superseded.
        """
        ...

    def plan(self, run: str, batches: Sequence[Sequence[str]]) -> None:
        """Record the batches of a new run."""
        ...

    def batches(self, run: str) -> Sequence[Batch]: ...
    def lease(self, run: str, number: int, *, owner: str, seconds: float) -> Batch | None:
        """Take a batch that is neither done nor leased by a living owner; counts an attempt. None if there is nothing to take."""
        ...

    def finish_batch(self, run: str, number: int) -> int:
        """Mark a batch done; returns how many are left."""
        ...

    def keep_batch(self, run: str, number: int, *, owner: str, seconds: float) -> bool:
        """Hold a batch for so long from now on. False if it is the owner's no more, or the run has ended."""
        ...

    def give_back(self, run: str, number: int, *, owner: str) -> None:
        """Undo a lease, and its attempt: the owner could not begin, or was told to stop. Nothing happens to a batch of somebody else."""
        ...

    def idle_batches(self, run: str) -> Sequence[int]:
        """Numbers of batches that are not done and that no living owner has leased, ascending."""
        ...

    def end_run(self, run: str, state: RunState, reason: str = "") -> None: ...
    def load_note(self, repository: str, name: str) -> bytes | None:
        """A small piece of state that belongs to a repository, such as what the last walk saw."""
        ...

    def save_note(self, repository: str, name: str, content: bytes) -> None: ...
    def close(self) -> None: ...


class Errands(Protocol):
    """The further half of the ledger, for runs that workers behind a queue perform: which step each is at, who is at it, and when to ring again.

    A message of the queue only says that a run is due. Whoever hears it takes the step here, holds it while working, and hands it on; a step whose
    holder says nothing for as long as the lease lasts is free again. The runs are those of the catalog. Each method is one transaction.
    """

    def ask(self, repository: str, step: RunStep, *, queue: str, options: str = "", trace: str = "") -> str:
        """A run that begins with this step: a new one, or one that was asked for before and that nobody has begun with."""
        ...

    def find(self, run: str) -> Errand | None: ...
    def of(self, repository: str) -> Sequence[Errand]:
        """What was asked for a repository, the newest first, as far as it is on record."""
        ...

    def take(self, run: str, step: RunStep, *, owner: str, seconds: float) -> Errand | None:
        """Begin a step, for so long; counts an attempt. None if the run has ended, is at another step, or is somebody else's or put off."""
        ...

    def keep(self, run: str, *, owner: str, seconds: float) -> bool:
        """Hold a step for so long from now on. False if it is the owner's no more, or the run has ended."""
        ...

    def adopt(self, run: str, fingerprint: str) -> str:
        """Say what a run is made of. Returns the run that makes it: this one, which supersedes what was begun from other inputs, or one that was
        begun from the same inputs, which this one then joins and ends.
        """
        ...

    def move(self, run: str, step: RunStep, to: RunStep, *, batches: int = 0) -> bool:
        """Hand on to another step, which nobody has. False, and no change, if the run is not at ``step`` or has ended: somebody else was first."""
        ...

    def mourn(self, run: str, step: RunStep) -> None:
        """A process that performed this step was seen to die of it. Changes nothing if the run has ended or is at another step."""
        ...

    def put_off(self, run: str, *, owner: str, seconds: float) -> None:
        """Give a step back, not to be taken again before so many seconds have passed."""
        ...

    def open_batches(self, run: str, count: int) -> Sequence[int]:
        """Up to ``count`` further batches that may be parsed now."""
        ...

    def tell(self, run: str, progress: Progress) -> None:
        """For whoever watches."""
        ...

    def advance(self, run: str, count: int) -> None:
        """That much more of what :meth:`tell` told of is done."""
        ...

    def note(self, run: str, outcome: str) -> None: ...
    def overdue(self) -> Sequence[Errand]:
        """Runs that nothing was heard of for a while. Each is then left alone for a while, and longer each time."""
        ...

    def count(self, tally: Tally, number: int) -> None:
        """So many more of these, over all repositories and for good."""
        ...

    def standing(self) -> Standing: ...
    def lead(self, name: str, *, owner: str, seconds: float) -> bool:
        """Whether the owner holds an office, for so long, that only one may hold."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class TokenRecord:
    """What is kept about a token: all but its secret. Times in seconds since the epoch."""

    id: str
    name: str
    """For people: who or what holds it."""
    digest: bytes
    """SHA-256 of the secret, which is random and needs no slower hash."""
    scopes: tuple[str, ...]
    """As ``services.gateway.tokens`` writes them."""
    created: float
    expires: float | None
    """None: never."""
    per_minute: int
    """Requests that it may make."""
    revoked: float | None = None
    used: float | None = None
    """When it was last accepted, to the minute or so."""


class TokenStore(Protocol):
    """The tokens that were given out. Several processes may use one store; what one of them writes, all see at once."""

    def add(self, token: TokenRecord) -> None: ...
    def find(self, token: str) -> TokenRecord | None: ...
    def all(self) -> Sequence[TokenRecord]:
        """Oldest first, those that are revoked or expired too."""
        ...

    def revoke(self, token: str, at: float) -> bool:
        """False when there is no such token; revoking twice keeps the first time."""
        ...

    def mark_used(self, token: str, at: float) -> None: ...
    def close(self) -> None: ...


class ContentCache(Protocol):
    """Results that depend on content alone, shared by branches, forks and runs. Losing it costs time, never truth."""

    def get(self, space: str, keys: Sequence[bytes]) -> Mapping[bytes, bytes]: ...
    def put(self, space: str, entries: Mapping[bytes, bytes]) -> None: ...
    def trim(self, space: str, *, keep_bytes: int) -> None: ...
    def close(self) -> None: ...


class WriteLock(Protocol):
    """At most one writer for a repository; readers need none."""

    def hold(self, repository: str) -> AbstractContextManager[None]:
        """Raises ``Conflict`` when another living process holds it."""
        ...


# ------------------------------------------------------------------------------------------------------------- the rest


class Embedder(Protocol):
    @property
    def fingerprint(self) -> str:
        """Model, revision, dimensions, pooling and prefixes in one string: vectors of different fingerprints are never compared."""
        ...

    @property
    def dimensions(self) -> int: ...
    def embed(self, texts: Sequence[str], *, tokens: int) -> Sequence[Sequence[float]]:
        """Unit vectors, in the order of the texts, each read up to ``tokens`` tokens. A text that the model cannot read has the zero vector, which is
        similar to nothing. Raises ``EmbedderUnavailable``.
        """
        ...

    def embed_question(self, text: str) -> Sequence[float]: ...


class Reranker(Protocol):
    def rerank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """How well each text answers the question, from 0 to 1, in the order of the texts. Raises ``RerankerUnavailable``."""
        ...


@dataclass(frozen=True, slots=True)
class Message:
    role: str
    """``system``, ``user`` or ``assistant``."""
    content: str


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of a model's answer. The last one may carry usage and says why the model stopped."""

    text: str = ""
    finish_reason: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None


class LanguageModel(Protocol):
    @property
    def name(self) -> str: ...
    def stream(self, messages: Sequence[Message], *, max_tokens: int, cancelled: threading.Event | None = None) -> Iterator[Delta]:
        """The answer as it is written. Closing the iterator or setting ``cancelled`` closes the connection within a second.
        Retries only before the first piece. Raises ``ModelUnavailable``; text that came before stays valid.
        """
        ...

    def complete_json(self, messages: Sequence[Message], schema: Mapping[str, object], *, max_tokens: int) -> str:
        """Text that should be JSON of this schema, by the strictest means that the endpoint supports. The caller validates."""
        ...


class TaskQueue(Protocol):
    """Delivers jobs at least once, encoded as a broker would carry them."""

    def publish(self, job: str, arguments: Mapping[str, str | int], *, queue: str) -> None: ...


class Clock(Protocol):
    def now(self) -> float:
        """Seconds since the epoch."""
        ...

    def monotonic(self) -> float: ...

r"""The vocabulary of Exegesis: frozen, slotted dataclasses and enums; standard library only.

Conventions that hold everywhere:

* Paths are relative to the repository root, separated by ``/``. Bytes of a file name that are not UTF-8 appear as ``\xNN``.
* Lines are 1-based and inclusive; a line ends at ``\n`` and nowhere else. Columns are 1-based and count UTF-8 bytes, as compilers do.
* Identifiers of symbols, chunks and files are 63-bit integers derived from their content (:func:`stable_id`), so the same source
  gets the same identifiers in every build and an incremental index can equal a clean one, row by row.
* Types are written in one canonical form: ``Foo``, ``Outer.Inner``, ``Array<Foo>``, ``Dictionary<K, V>``,
  ``Function<Result, First, Second>`` (what a function returns, then what it takes);
  optionality and opacity (``?``, ``some``, ``any``) are dropped, because the member lookups of a linker do not depend on them.
"""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

# ---------------------------------------------------------------------------------------------------------------- files


class FileRole(enum.IntFlag):
    """What a file is, as far as it matters to an answer. Several may hold at once; none means ordinary source code."""

    NONE = 0
    TEST = 1
    """Tests, specs, fixtures, mocks, benchmarks."""
    GENERATED = 2
    """Written by a program (by its header, its name, or its shape)."""
    MINIFIED = 4
    VENDORED = 8
    """Somebody else's code kept in the tree."""
    DEPENDENCY = 16
    """Fetched by a package manager (``.build/checkouts``, ``Pods``, ``node_modules``); indexed on request only."""
    UI = 32
    """Interface scaffolding: views, storyboards, layout."""
    CLI = 64
    """Command-line boilerplate."""
    EXAMPLE = 128
    """Examples, samples, demos, playgrounds, websites."""
    DOCUMENT = 256
    """Prose: Markdown, reStructuredText, plain text."""
    SUPERSEDED = 512
    """Lies in a folder ``vN`` beside a folder ``vM`` with M > N."""


class FileStatus(enum.StrEnum):
    """What became of a file that was seen. ``seen == indexed + skipped + failed``, always."""

    INDEXED = "indexed"
    SKIPPED = "skipped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file that the walk saw, indexed or not."""

    path: str
    digest: str
    """SHA-256 of the bytes, hexadecimal; empty when the content was not read."""
    size: int
    language: str
    """Name of the language, empty when none claims the file."""
    roles: FileRole
    status: FileStatus
    reason: str = ""
    """Why it was skipped or failed, in words a person understands; of an indexed file, why nothing but its words is known, empty where all is."""
    module: str = ""
    """Build target or package that the file belongs to, empty when unknown."""
    exact: str = ""
    """Names what a compiler recorded about the file; empty when it recorded nothing. Whether that is of the present text is another question."""


@dataclass(frozen=True, slots=True)
class Span:
    """A run of lines, inclusive."""

    start: int
    end: int

    def overlaps(self, other: Span) -> bool:
        return self.start <= other.end and other.start <= self.end


# -------------------------------------------------------------------------------------------------------------- symbols


class SymbolKind(enum.StrEnum):
    """The kinds that a question can name and a language can declare."""

    __hash__ = str.__hash__  # the enum's own is written in Python, and linking asks a million times

    MODULE = "module"
    CLASS = "class"
    STRUCT = "struct"
    ENUM = "enum"
    ACTOR = "actor"
    PROTOCOL = "protocol"
    EXTENSION = "extension"
    TYPEALIAS = "typealias"
    FUNCTION = "function"
    METHOD = "method"
    INITIALIZER = "initializer"
    DEINITIALIZER = "deinitializer"
    SUBSCRIPT = "subscript"
    OPERATOR = "operator"
    PROPERTY = "property"
    VARIABLE = "variable"
    CASE = "case"
    CLOSURE = "closure"
    MACRO = "macro"
    HEADING = "heading"
    PROCEDURE = "procedure"
    PROTOTYPE = "prototype"
    SUBROUTINE = "subroutine"
    TABLE = "table"

    @property
    def is_type(self) -> bool:
        return self in _TYPES

    @property
    def is_callable(self) -> bool:
        return self in _CALLABLES


_TYPES = frozenset(
    {SymbolKind.CLASS, SymbolKind.STRUCT, SymbolKind.ENUM, SymbolKind.ACTOR, SymbolKind.PROTOCOL, SymbolKind.EXTENSION, SymbolKind.TYPEALIAS}
)
_CALLABLES = frozenset(
    {
        SymbolKind.FUNCTION,
        SymbolKind.METHOD,
        SymbolKind.INITIALIZER,
        SymbolKind.DEINITIALIZER,
        SymbolKind.SUBSCRIPT,
        SymbolKind.OPERATOR,
        SymbolKind.CLOSURE,
        SymbolKind.MACRO,
        SymbolKind.PROCEDURE,
        SymbolKind.PROTOTYPE,
        SymbolKind.SUBROUTINE,
    }
)


class Modifier(enum.IntFlag):
    """Facts about a declaration that linking, ranking or explaining depends on."""

    NONE = 0
    STATIC = 1
    PRIVATE = 2
    """Visible in its file or its enclosing declaration only (``private``, ``fileprivate``)."""
    PUBLIC = 4
    OVERRIDE = 8
    DEPRECATED = 16
    ASYNC = 32
    THROWS = 64
    ENTRY = 128
    """The program starts here (``@main``, ``main.swift``)."""
    COMPUTED = 256
    """A property or variable with code of its own."""
    FAILABLE = 512


class StepKind(enum.StrEnum):
    """One link of a receiver chain such as ``self.client.make(for:).session``."""

    __hash__ = str.__hash__  # the enum's own is written in Python, and linking asks a million times

    SELF = "self"
    SUPER = "super"
    TYPE = "type"
    """A value of a known type; ``name`` is the type in canonical form."""
    METATYPE = "metatype"
    """A type itself (``Foo`` in ``Foo.shared``), known to be one from the syntax."""
    NAME = "name"
    """A name: the first step looks it up in scope (member, global, type), a later one among the members of what precedes it."""
    CALL = "call"
    """A call of that name; stands for its result."""
    INDEX = "index"
    """A subscript; stands for the element."""
    IMPLICIT = "implicit"
    """The leading dot of an implicit member expression; its type comes from the context (``Reference.expected``)."""
    LITERAL = "literal"
    """A number, a string or the like, among arguments only: of type ``name``, or of another that may be written so."""
    ARGUMENT = "argument"
    """After a CALL, not its result but the parameter that takes the argument at place ``name`` (``+0`` for the first trailing closure);
    ``labels`` are those of the call's trailing closures."""
    PARAMETER = "parameter"
    """Of a function: its parameter at place ``name``. After ARGUMENT, what a closure is given by whatever it is passed to; if the call leads out
    of the project, that is an element of the receiver where ``labels`` says ``element``, else unknown."""
    UNKNOWN = "unknown"
    """Something whose type cannot be told from the syntax."""


@dataclass(frozen=True, slots=True)
class Step:
    kind: StepKind
    name: str = ""
    labels: tuple[str, ...] = ()
    """Argument labels of a CALL, ``_`` where there is none."""


Chain = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a callable symbol."""

    label: str
    """Argument label at the call site, ``_`` for none."""
    name: str
    type: str
    """Canonical type, empty when not written."""
    has_default: bool = False
    variadic: bool = False


@dataclass(frozen=True, slots=True)
class Symbol:
    """A declaration."""

    id: int
    name: str
    """Base name: ``request``, ``init``, ``subscript``, ``closure@42``; an extension bears the name of the extended type."""
    qualified: str
    """For people: ``Session.request(_:method:)``."""
    kind: SymbolKind
    path: str
    span: Span
    """The declaration with its leading comments and attributes."""
    line: int
    """Where the name stands."""
    column: int
    parent: int | None = None
    """The symbol that encloses this one in the text."""
    container: str = ""
    """Canonical name of the type that this is a member of (the extended type, for members of extensions); empty at top level."""
    signature: str = ""
    """The declaration without its body, on one line."""
    doc: str = ""
    """Doc comment without its markers."""
    modifiers: Modifier = Modifier.NONE
    parameters: tuple[Parameter, ...] = ()
    type: str = ""
    """Canonical type of a property or variable, result of a callable, target of a typealias; empty when not written."""
    inherits: tuple[str, ...] = ()
    """Canonical names of superclass and protocols, of types and extensions."""
    generics: tuple[tuple[str, str], ...] = ()
    """Generic parameters and their first bound (empty when unbounded)."""
    initializer: Chain = ()
    """The value that a property or variable without a written type is initialised with; of a prototype, what it stands for."""


class ReferenceKind(enum.StrEnum):
    __hash__ = str.__hash__  # the enum's own is written in Python, and linking asks a million times

    CALL = "call"
    """``f(x)``, ``Foo(x)``, ``.make(x)``, ``a + b`` for operators that the project declares."""
    ACCESS = "access"
    """A property, enum case or function named without being called."""
    TYPE = "type"
    """A type named in a signature, a cast, a generic argument."""
    INHERIT = "inherit"
    """A type named in an inheritance clause."""
    MENTION = "mention"
    """Code named in prose."""


@dataclass(frozen=True, slots=True)
class Argument:
    """What a call is given."""

    value: Chain
    """What it stands for."""


@dataclass(frozen=True, slots=True)
class Reference:
    """Who names what, and all that the syntax tells about it. References leave the parser; a linker turns them into edges."""

    kind: ReferenceKind
    name: str
    line: int
    """Position of the callee's name."""
    column: int
    source: int
    """Identifier of the innermost symbol around it."""
    receiver: Chain = ()
    """What stands before the name; empty for a bare name."""
    labels: tuple[str, ...] = ()
    """Argument labels of a call, ``_`` where there is none; trailing closures are not among them."""
    trailing: int = 0
    """Number of trailing closures."""
    expected: str = ""
    """Canonical type that the context expects, for implicit members; empty when unknown."""
    arguments: tuple[Argument, ...] = ()
    """Those of a call, trailing closures last; empty when nothing is known of any. They tell overloads apart."""


# ---------------------------------------------------------------------------------------------------------------- edges


class EdgeKind(enum.StrEnum):
    __hash__ = str.__hash__  # the enum's own is written in Python, and linking asks a million times

    CALL = "call"
    CONSTRUCT = "construct"
    """A call that makes a value of a type: to its initialiser, or to the type where that is implicit."""
    ACCESS = "access"
    TYPE = "type"
    INHERIT = "inherit"
    EXTEND = "extend"
    """From an extension to the type it extends, and from a prototype to the procedure or program it declares: a part to its whole."""
    OVERRIDE = "override"
    WITNESS = "witness"
    """From a protocol requirement to a member that may satisfy it: a possible call, never a certain one."""
    MENTION = "mention"
    IMPLICIT = "implicit"
    """A call that nobody wrote and the compiler makes: an operator of a loop, a builder's block. Only a compiler knows of them."""


class Tier(enum.StrEnum):
    """How an edge was found; the first letter of its rule. Stated confidences are checked against measured precision."""

    EXACT = "E"
    SCOPED = "S"
    CONSTRUCTOR = "C"
    TYPED = "T"
    CONTEXTUAL = "M"
    MODULE = "L"
    UNIQUE = "U"


@dataclass(frozen=True, slots=True)
class Edge:
    source: int
    target: int
    kind: EdgeKind
    rule: str
    """Identifier of the rule that made it, such as ``S2``."""
    tier: Tier
    confidence: float
    """Probability that the edge is right, in [0, 1]."""
    line: int
    """Call site, in the file of the source symbol."""
    column: int


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A reference that became no edge, kept because a graph must name where it stops seeing."""

    source: int
    name: str
    line: int
    column: int
    candidates: int
    """How many declarations share the name; 0 for an external one."""
    external: bool


# ---------------------------------------------------------------------------------------------- what a compiler recorded


class ExactRole(enum.IntFlag):
    """What the compiler does with a symbol at a place, apart from naming it."""

    NONE = 0
    CALL = 1
    IMPLICIT = 2
    """Made by the compiler; nothing stands in the source for it."""
    DYNAMIC = 4
    """Dispatched at run time: an override or witness may run instead."""


@dataclass(frozen=True, slots=True)
class ExactSymbol:
    """A definition. Its key is the USR: the name of a symbol that is the same in every file, target and repository."""

    usr: str
    name: str
    """With argument labels: ``request(_:method:)``."""
    line: int
    column: int
    owner: str = ""
    """USR of the type or extension that has it as a member, of the property for an accessor; empty when there is none."""
    stands_for_owner: bool = False
    """It is no declaration of its own: an accessor of its property, or something that nobody wrote, like the initialiser of a struct."""


@dataclass(frozen=True, slots=True)
class ExactUse:
    """A place where a symbol is used."""

    usr: str
    line: int
    column: int
    roles: ExactRole
    user: str = ""
    """USR of the declaration around; empty at the top level of a file. Closures and local functions have none, so it is what is around them."""


@dataclass(frozen=True, slots=True)
class ExactTie:
    """``source`` overrides or satisfies ``target``, or is an extension that extends it, by ``kind``. Both are USRs."""

    kind: EdgeKind
    source: str
    target: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class ExactFacts:
    """What a compiler recorded about one file, apart from how it wrote that down."""

    path: str
    is_fresh: bool
    """The record is of the present text. If not, places mean nothing, and there are only symbols: what the file defined under which key."""
    symbols: tuple[ExactSymbol, ...] = ()
    uses: tuple[ExactUse, ...] = ()
    ties: tuple[ExactTie, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.symbols or self.uses or self.ties)


# --------------------------------------------------------------------------------------------------------------- chunks


class ChunkKind(enum.StrEnum):
    SYMBOL = "symbol"
    """A whole function, method, property, case list, ...: or one part of an oversize one."""
    TYPE = "type"
    """The lines of a type that no member chunk owns."""
    FILE = "file"
    """The first top-level lines of a file that no symbol owns."""
    GAP = "gap"
    """Further top-level lines."""
    SECTION = "section"
    """A part of a document."""
    WINDOW = "window"
    """Lines of a file that could not be parsed, or whose language is unknown."""
    DESCRIPTION = "description"
    """What is said about something large. No piece of a file, and in no index of them: its lines are those of the declarations that it names."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a file that is found and shown as one. The runs of a file's chunks partition its lines."""

    id: int
    path: str
    kind: ChunkKind
    runs: tuple[Span, ...]
    """The lines it owns; a type header is discontinuous."""
    text: str
    """Those lines, exactly, line ends included."""
    symbol: int | None = None
    """The symbol it shows, where there is one."""
    symbol_kind: SymbolKind | None = None
    name: str = ""
    qualified: str = ""
    enclosing: str = ""
    signature: str = ""
    """Own signature; for a type also the signatures of its members."""
    doc: str = ""
    part: int = 0
    parts: int = 1

    @property
    def start(self) -> int:
        return self.runs[0].start

    @property
    def end(self) -> int:
        return self.runs[-1].end


class Field(enum.IntEnum):
    """Fields of a chunk as a lexical document; values are part of the stored format."""

    __hash__ = int.__hash__  # the enum's own is written in Python, and counting terms asks for each word

    PATH = 0
    NAME = 1
    ENCLOSING = 2
    SIGNATURE = 3
    DOC = 4
    BODY = 5


@dataclass(frozen=True, slots=True)
class Binding:
    """A name that a file has from an import, or gives to others by another name than its own.

    ``from a.b import c as d`` binds ``d`` to the member ``c`` of ``a.b``; ``import a.b as x`` binds ``x`` to the module ``a.b``;
    ``from a import *`` binds ``*`` to ``*``; ``export { f as g }`` makes ``g`` of the file itself, whose ``module`` is empty, mean ``f``.
    """

    name: str
    """As the file says, or as others see it; ``*`` for all that the module has."""
    module: str
    """As written in the source; empty for the file itself."""
    member: str = ""
    """What is bound of the module: empty for the module as a value, ``default`` for what it exports without a name."""


@dataclass(frozen=True, slots=True)
class FileFacts:
    """All that parsing one file yields. A pure function of path, content and language version, so it can be cached by them."""

    path: str
    digest: str
    language: str
    symbols: tuple[Symbol, ...]
    references: tuple[Reference, ...]
    chunks: tuple[Chunk, ...]
    terms: tuple[bytes, ...]
    """For each chunk its term counts, packed by ``exegesis.terms.pack``."""
    imports: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    """What the parser could not make sense of, in words; the file is indexed all the same."""
    bindings: tuple[Binding, ...] = ()
    """Names that come from imports, in the order of the source; a later one of the same name hides an earlier one."""
    fault: str = ""
    """Why the reader of the language gave the file up, a fault of this program: its words are all that is here. Empty where it did not."""


# ----------------------------------------------------------------------------------------------------------- index runs


@dataclass(frozen=True, slots=True)
class Repository:
    id: str
    """Stable name, safe in a file name: derived from the path for a local folder."""
    name: str
    root: str
    """Folder on this machine, or the address that workers fetch it from, which has a scheme."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Truth about an index: ``seen == indexed + skipped + failed``."""

    seen: int
    indexed: int
    skipped: tuple[tuple[str, int], ...] = ()
    """Reason and number of files, most frequent first."""
    failed: tuple[tuple[str, str], ...] = ()
    """Path and reason."""
    dense: float = 0.0
    """Share of chunks that have a vector, in [0, 1]."""
    degraded: tuple[tuple[str, str], ...] = ()
    """Path and reason of those indexed files of which only the words are known, because the reader of their language gave them up."""

    @property
    def gaps(self) -> int:
        return len(self.failed)


@dataclass(frozen=True, slots=True)
class Generation:
    """One finished index of one repository. Immutable; readers pin one for a whole question."""

    id: str
    repository: str
    commit: str
    """Commit, followed by ``+`` and a fingerprint where the working tree differs; fingerprint alone without version control."""
    created: float
    """Seconds since the epoch."""
    symbols: int
    edges: int
    chunks: int
    coverage: Coverage
    embedder: str = ""
    """Fingerprint of the embedding model whose vectors this generation has, for as many of its chunks as ``coverage.dense`` says; empty without."""
    described: str = ""
    """Says that contexts hold descriptions: ``declarations``, or the name of the set that a language model had a part in. Empty where they were not
    made when the generation was, and may be asked for all the same.
    """

    def has_all_vectors_of(self, embedder: str) -> bool:
        return self.embedder == embedder and self.coverage.dense == 1.0

    def covered_for(self, embedder: str) -> Coverage:
        """The coverage as questions find it that are asked with this model: vectors of another one serve nobody."""
        return self.coverage if self.embedder == embedder else replace(self.coverage, dense=0.0)


class RunState(enum.StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    SUPERSEDED = "superseded"


@dataclass(frozen=True, slots=True)
class Batch:
    """A few dozen files that are parsed as one job."""

    run: str
    number: int
    paths: tuple[str, ...]
    state: RunState = RunState.QUEUED
    attempt: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a long operation stands."""

    phase: str
    done: int
    total: int
    detail: str = ""
    seconds_left: float | None = None


class RunStep(enum.StrEnum):
    """What is to be done next for a run that was asked for over the queue."""

    LOOK = "look"
    """See what there is, and cut what is to be parsed into batches."""
    PARSE = "parse"
    """Its batches are being parsed, each on its own."""
    ASSEMBLE = "assemble"
    """Make a generation of what was parsed, and make it the head."""
    EMBED = "embed"
    """See what lacks vectors, and cut it into batches."""
    VECTORS = "vectors"
    """Its batches are being embedded, each on its own."""
    COMPLETE = "complete"
    """Make a generation that has the vectors, and make it the head."""
    DESCRIBE = "describe"
    """Describe what is large in the head, and have a language model put it into words where one may."""
    WIPE = "wipe"
    """Delete what is kept about a repository that was removed."""


@dataclass(frozen=True, slots=True)
class Errand:
    """A run that was asked for over the queue, and where it stands."""

    run: str
    repository: str
    state: RunState
    reason: str
    """Why it failed or was superseded."""
    step: RunStep
    queue: str
    options: str
    """As whoever asked wrote them."""
    trace: str
    """The span that asked, as ``traceparent`` writes it; empty when nothing is traced."""
    attempt: int
    """How often the step was taken without coming to an end that somebody wrote down: how often a process was lost with it, and one for this time."""
    waits: int
    """How often a step of the run was put off."""
    opened: int
    """Batches that may be worked on now; the others come when these are done."""
    batches: int
    progress: Progress
    outcome: str
    """What a finished run found, as whoever finished it wrote it."""
    joined: str = ""
    """The run that was making the same already, and goes on for both."""
    deaths: int = 0
    """Processes that died while they performed the step and whose worker saw it. Of a machine that stops nobody sees anything."""


class Tally(enum.StrEnum):
    """What workers count of their runs, for whoever watches an installation."""

    BATCH_DONE = "batch-done"
    BATCH_LOST = "batch-lost"
    """Worked on by somebody who was taken for dead meanwhile, or whose run was superseded."""
    PUT_OFF = "put-off"
    """Steps and batches that wait for what is away, or for another writer."""
    TAKEN_OVER = "taken-over"
    """Leases of the dead that somebody else took."""
    POISON = "poison"
    """Files that killed who parsed them."""
    EMBED_PAUSE = "embed-pause"
    """Times that an embedding server had to be waited for."""
    DESCRIBED = "described"
    """Descriptions that were made from declarations."""
    TOLD = "told"
    """Descriptions that a language model was asked for and answered."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How the runs of an installation stand. Times in seconds."""

    runs: Mapping[tuple[str, RunState], int]
    """On record, by queue and state; only those that have not ended are all there."""
    waiting: Mapping[str, float]
    """For how long the oldest run has not ended, by queue."""
    overdue: float
    """For how long a run has been due that nobody rang for; more than a lease says that there is no beat."""
    tallies: Mapping[Tally, int]


# ------------------------------------------------------------------------------------------------------------ questions


class Ablation(enum.StrEnum):
    """Pipelines with a part switched off, to measure what each part is worth."""

    FULL = "full"
    PLAIN_TEXT = "plain-text"
    """Windows of 1,000 characters with 200 overlap and BM25: the baseline that every article starts from."""
    BM25F = "bm25f"
    """Lexical score of chunks alone, without ranking rules."""
    LEXICAL = "lexical"
    """The whole recipe without vectors."""
    DENSE = "dense"
    """Vectors alone."""
    NO_GRAPH = "no-graph"
    NO_COMPOSITION = "no-composition"
    """The best chunks in order of rank, until the budget is full."""


@dataclass(frozen=True, slots=True)
class Options:
    """What people tune about an answer. The defaults are the product."""

    limit: int = 10
    """Anchors: best chunks from which the graph is followed; results listed by ``search``."""
    neighbors: int = 2
    """Chunks of the same file that join an anchor when the graph is thin."""
    budget: int = 24_000
    """Tokens of the context."""
    lexical_prefilter: bool = False
    """Only chunks that share a term with the question are considered."""
    oversize_anchors: bool = False
    """Parts of oversize symbols may be anchors."""
    include_dependencies: bool = False
    index_store: str = ""
    whole_files: bool = False
    kind: SymbolKind | None = None
    """Only symbols of this kind are searched first."""
    dense: bool = True
    """Embed the best candidates at question time where an embedder is configured."""
    dense_seconds: float = 3.0
    """Time that embedding may take within one question; past it the answer goes on without vectors and says so."""
    use_model: bool = True
    """Ask the language model, where one is configured."""
    ablation: Ablation = Ablation.FULL
    descriptions: bool = False
    """Search descriptions of types, files and modules instead of code."""


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    repositories: tuple[str, ...]
    """Identifiers of the repositories that are asked, at least one. Whoever calls has checked that they may be read."""
    options: Options = Options()


# ------------------------------------------------------------------------------------------------------------- ranking


@dataclass(frozen=True, slots=True)
class ScorePart:
    """One named part of a score, so that any rank can be explained."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Hit:
    """What a chunk index returns: an identifier and a similarity, best first, ties by identifier."""

    id: int
    score: float


@dataclass(frozen=True, slots=True)
class Result:
    """One line of a result list."""

    repository: str
    path: str
    start: int
    end: int
    symbol: str
    kind: str
    score: float
    why: str
    parts: tuple[ScorePart, ...] = ()


@dataclass(frozen=True, slots=True)
class FileResults:
    """One file of a result list, with the best of what it holds."""

    repository: str
    path: str
    score: float
    """By which files stand in the list, where no kind of declaration that was asked for comes first."""
    results: tuple[Result, ...]
    """Best first; at most three."""
    parts: tuple[ScorePart, ...] = ()
    """Of the score of the file."""


# ------------------------------------------------------------------------------------------------------------- answers


class Place(enum.StrEnum):
    """Why an item is in the context."""

    ANCHOR = "anchor"
    CALLER = "caller"
    CALLEE = "callee"
    RELATED = "related"
    NEIGHBOR = "neighbor"
    WHOLE_FILE = "whole-file"


@dataclass(frozen=True, slots=True)
class ContextItem:
    """A piece of evidence: exact lines of one file at the indexed generation.

    Of the kind ``description`` it is what stands for a type whose text does not fit: its ``text`` is what is said about the type, and its runs
    are the lines of the declarations that it names.
    """

    id: str
    """``E1``, ``E2``, ...: what a citation names."""
    repository: str
    path: str
    runs: tuple[Span, ...]
    text: str
    symbol: str
    kind: str
    score: float
    place: Place
    why: str
    tokens: int
    chunk: int
    symbol_id: int | None = None
    signature: str = ""
    doc: str = ""
    parts: tuple[ScorePart, ...] = ()

    @property
    def start(self) -> int:
        return self.runs[0].start

    @property
    def end(self) -> int:
        return self.runs[-1].end


@dataclass(frozen=True, slots=True)
class Context:
    items: tuple[ContextItem, ...]
    tokens: int
    budget: int
    flow: tuple[Edge, ...] = ()
    """Edges of the graph among the symbols of the items: what an outline and a diagram may draw."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A place that an answer points at, checked against the indexed text."""

    id: str
    repository: str
    path: str
    start: int
    end: int
    symbol: str


@dataclass(frozen=True, slots=True)
class OutlineNode:
    """One step of an outline, in the order in which things happen."""

    id: str
    """``S1``, ``S1.1``, ..."""
    title: str
    path: str
    start: int
    end: int
    symbol: str
    summary: str = ""
    children: tuple[OutlineNode, ...] = ()


class Confidence(enum.StrEnum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class StageReport:
    """What one stage of the pipeline took and did."""

    name: str
    ms: float
    items_in: int
    items_out: int
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a language model was sent and wrote, in tokens; estimated where the endpoint does not say."""

    input_tokens: int = 0
    output_tokens: int = 0
    estimated: bool = True


@dataclass(frozen=True, slots=True)
class Answer:
    question: str
    repositories: tuple[str, ...]
    commit: str
    generation: str
    text: str
    """Markdown; citations appear as ``[E1]``."""
    confidence: Confidence
    citations: tuple[Citation, ...]
    context: Context
    stages: tuple[StageReport, ...]
    coverage: Coverage
    outline: tuple[OutlineNode, ...] = ()
    diagram: str = ""
    """Mermaid."""
    model: str = ""
    """Name of the language model, empty for an extractive answer."""
    usage: Usage = Usage()
    warnings: tuple[str, ...] = ()
    trace_id: str = ""


# --------------------------------------------------------------------------------------------------------------- events


@dataclass(frozen=True, slots=True)
class StageStarted:
    name: str


@dataclass(frozen=True, slots=True)
class StageFinished:
    report: StageReport


@dataclass(frozen=True, slots=True)
class Evidence:
    item: ContextItem


@dataclass(frozen=True, slots=True)
class TextDelta:
    text: str


@dataclass(frozen=True, slots=True)
class Warned:
    message: str


@dataclass(frozen=True, slots=True)
class Finished:
    answer: Answer


Event = StageStarted | StageFinished | Evidence | TextDelta | Warned | Finished


# -------------------------------------------------------------------------------------------------------- descriptions


class Subject(enum.StrEnum):
    """What a description is about."""

    REPOSITORY = "repository"
    MODULE = "module"
    FILE = "file"
    TYPE = "type"


@dataclass(frozen=True, slots=True)
class Spot:
    """A declaration that a description names, and the line where its name stands."""

    name: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Description:
    """What something large is, in a few sentences: for people, for search, and in place of text that does not fit.

    It is made of declarations and is no text of the repository: what is cited for it are the lines of ``spots``.
    """

    id: int
    """Derived from what it is about, not from what it says."""
    subject: Subject
    name: str
    """Of a type its qualified name, of a file its path, of a module its name; empty for the repository."""
    path: str
    """Where a type is declared, or the file itself; empty for what is no one file."""
    digest: str
    """Of all that it was made from: while that stays, so does the description."""
    text: str
    """Markdown, with names of declarations as code."""
    spots: tuple[Spot, ...] = ()
    """What it names, what it is about first."""
    symbol: int | None = None
    """Of a type."""
    weight: int = 0
    """How much else uses it, as an exponent of two: the order in which a language model is asked."""
    model: str = ""
    """Name of the language model that wrote the text; empty where it is made from declarations alone."""
    written: float = 0.0
    """When the model did, in seconds since the epoch."""


# ------------------------------------------------------------------------------------------------------ graph questions


@dataclass(frozen=True, slots=True)
class Relation:
    """An edge with both ends spelled out, as graph questions answer it."""

    source: Symbol
    target: Symbol
    edge: Edge
    depth: int = 1
    confidence: float = 1.0
    """Product of the confidences along the way from the symbol asked about."""


@dataclass(frozen=True, slots=True)
class ModulePart:
    """Files of a module that refer to each other more than to the rest of it."""

    name: str
    """The words that tell its types from those of the other parts."""
    files: int
    symbols: int
    """Types, and what stands outside of types."""
    central: tuple[Symbol, ...] = ()
    """Those that most else uses, most first."""
    folder: str = ""
    """The deepest folder that holds two thirds of its files; empty where there is none."""


@dataclass(frozen=True, slots=True)
class ModuleSummary:
    """One part of the map of a repository."""

    name: str
    files: int
    symbols: int
    depends_on: tuple[tuple[str, int], ...] = ()
    """Other modules and the number of edges into them, most first."""
    entry_points: tuple[Symbol, ...] = ()
    kind: str = ""
    """``tests``, ``examples``, ``documents`` or ``build``; empty for the code of the project itself."""
    layer: int = 0
    """0 for a module that depends on no other; any other lies above all that it depends on."""
    circle: tuple[str, ...] = ()
    """Other modules with which it depends on each other."""
    parts: tuple[ModulePart, ...] = ()
    """Of a large module, largest first."""
    central: tuple[Symbol, ...] = ()
    """Those of its declarations that most else uses, most first."""


@dataclass(frozen=True, slots=True)
class Hub:
    """A symbol that much else refers to."""

    symbol: Symbol
    callers: int
    callees: int


@dataclass(frozen=True, slots=True)
class OnlyThrough:
    """What a program reaches by way of one symbol and in no other way: the symbol dominates it in the call graph."""

    relations: tuple[Relation, ...]
    """The dominated symbols, nearest first, each as the target of the edge by which it is reached."""
    total: int
    """How many there are; ``relations`` may be fewer."""
    entries: int
    """How many symbols the program was taken to start from."""
    uncertain: tuple[str, ...] = ()
    """Names among them that some reference elsewhere bears which could not be resolved: it may be another way."""


@dataclass(frozen=True, slots=True)
class Companion:
    """A symbol that is called wherever another one is."""

    symbol: Symbol
    together: int
    """Callers of the other one that call this too."""
    callers: int
    """All callers of the other one."""
    before: int
    """Of those that call both, how many call this one first."""
    confidence: float
    """Mean over the callers that call both, of the product of the two edges."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """Symbols that all reach each other."""

    size: int
    """How many they are."""
    relations: tuple[Relation, ...]
    """A shortest way round, from a symbol back to itself."""


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """Where control comes into the project."""

    symbol: Symbol
    why: str
    callees: int


def stable_id(*parts: object) -> int:
    """A 63-bit identifier of the parts, the same in every process and build.

    63 bits, because SQLite and PostgreSQL store signed 64-bit integers; a collision among a million symbols has probability 5e-8.
    """
    joined = "\x1f".join(str(part) for part in parts).encode("utf-8", "surrogateescape")
    return int.from_bytes(hashlib.blake2b(joined, digest_size=8).digest(), "big") >> 1


def file_id(path: str) -> int:
    """Identifier of a whole file as a lexical document; shares the number space of chunks."""
    return stable_id("file", path)

from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class FileStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FILE_STATUS_UNSPECIFIED: _ClassVar[FileStatus]
    FILE_STATUS_INDEXED: _ClassVar[FileStatus]
    FILE_STATUS_SKIPPED: _ClassVar[FileStatus]
    FILE_STATUS_FAILED: _ClassVar[FileStatus]

class SymbolKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SYMBOL_KIND_UNSPECIFIED: _ClassVar[SymbolKind]
    SYMBOL_KIND_MODULE: _ClassVar[SymbolKind]
    SYMBOL_KIND_CLASS: _ClassVar[SymbolKind]
    SYMBOL_KIND_STRUCT: _ClassVar[SymbolKind]
    SYMBOL_KIND_ENUM: _ClassVar[SymbolKind]
    SYMBOL_KIND_ACTOR: _ClassVar[SymbolKind]
    SYMBOL_KIND_PROTOCOL: _ClassVar[SymbolKind]
    SYMBOL_KIND_EXTENSION: _ClassVar[SymbolKind]
    SYMBOL_KIND_TYPEALIAS: _ClassVar[SymbolKind]
    SYMBOL_KIND_FUNCTION: _ClassVar[SymbolKind]
    SYMBOL_KIND_METHOD: _ClassVar[SymbolKind]
    SYMBOL_KIND_INITIALIZER: _ClassVar[SymbolKind]
    SYMBOL_KIND_DEINITIALIZER: _ClassVar[SymbolKind]
    SYMBOL_KIND_SUBSCRIPT: _ClassVar[SymbolKind]
    SYMBOL_KIND_OPERATOR: _ClassVar[SymbolKind]
    SYMBOL_KIND_PROPERTY: _ClassVar[SymbolKind]
    SYMBOL_KIND_VARIABLE: _ClassVar[SymbolKind]
    SYMBOL_KIND_CASE: _ClassVar[SymbolKind]
    SYMBOL_KIND_CLOSURE: _ClassVar[SymbolKind]
    SYMBOL_KIND_MACRO: _ClassVar[SymbolKind]
    SYMBOL_KIND_HEADING: _ClassVar[SymbolKind]
    SYMBOL_KIND_PROCEDURE: _ClassVar[SymbolKind]
    SYMBOL_KIND_PROTOTYPE: _ClassVar[SymbolKind]
    SYMBOL_KIND_SUBROUTINE: _ClassVar[SymbolKind]
    SYMBOL_KIND_TABLE: _ClassVar[SymbolKind]

class StepKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STEP_KIND_UNSPECIFIED: _ClassVar[StepKind]
    STEP_KIND_SELF: _ClassVar[StepKind]
    STEP_KIND_SUPER: _ClassVar[StepKind]
    STEP_KIND_TYPE: _ClassVar[StepKind]
    STEP_KIND_METATYPE: _ClassVar[StepKind]
    STEP_KIND_NAME: _ClassVar[StepKind]
    STEP_KIND_CALL: _ClassVar[StepKind]
    STEP_KIND_INDEX: _ClassVar[StepKind]
    STEP_KIND_IMPLICIT: _ClassVar[StepKind]
    STEP_KIND_UNKNOWN: _ClassVar[StepKind]
    STEP_KIND_LITERAL: _ClassVar[StepKind]
    STEP_KIND_ARGUMENT: _ClassVar[StepKind]
    STEP_KIND_PARAMETER: _ClassVar[StepKind]

class ReferenceKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REFERENCE_KIND_UNSPECIFIED: _ClassVar[ReferenceKind]
    REFERENCE_KIND_CALL: _ClassVar[ReferenceKind]
    REFERENCE_KIND_ACCESS: _ClassVar[ReferenceKind]
    REFERENCE_KIND_TYPE: _ClassVar[ReferenceKind]
    REFERENCE_KIND_INHERIT: _ClassVar[ReferenceKind]
    REFERENCE_KIND_MENTION: _ClassVar[ReferenceKind]

class EdgeKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EDGE_KIND_UNSPECIFIED: _ClassVar[EdgeKind]
    EDGE_KIND_CALL: _ClassVar[EdgeKind]
    EDGE_KIND_CONSTRUCT: _ClassVar[EdgeKind]
    EDGE_KIND_ACCESS: _ClassVar[EdgeKind]
    EDGE_KIND_TYPE: _ClassVar[EdgeKind]
    EDGE_KIND_INHERIT: _ClassVar[EdgeKind]
    EDGE_KIND_EXTEND: _ClassVar[EdgeKind]
    EDGE_KIND_OVERRIDE: _ClassVar[EdgeKind]
    EDGE_KIND_WITNESS: _ClassVar[EdgeKind]
    EDGE_KIND_MENTION: _ClassVar[EdgeKind]
    EDGE_KIND_IMPLICIT: _ClassVar[EdgeKind]

class Tier(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TIER_UNSPECIFIED: _ClassVar[Tier]
    TIER_EXACT: _ClassVar[Tier]
    TIER_SCOPED: _ClassVar[Tier]
    TIER_CONSTRUCTOR: _ClassVar[Tier]
    TIER_TYPED: _ClassVar[Tier]
    TIER_CONTEXTUAL: _ClassVar[Tier]
    TIER_MODULE: _ClassVar[Tier]
    TIER_UNIQUE: _ClassVar[Tier]

class ChunkKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CHUNK_KIND_UNSPECIFIED: _ClassVar[ChunkKind]
    CHUNK_KIND_SYMBOL: _ClassVar[ChunkKind]
    CHUNK_KIND_TYPE: _ClassVar[ChunkKind]
    CHUNK_KIND_FILE: _ClassVar[ChunkKind]
    CHUNK_KIND_GAP: _ClassVar[ChunkKind]
    CHUNK_KIND_SECTION: _ClassVar[ChunkKind]
    CHUNK_KIND_WINDOW: _ClassVar[ChunkKind]
    CHUNK_KIND_DESCRIPTION: _ClassVar[ChunkKind]

class RunState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RUN_STATE_UNSPECIFIED: _ClassVar[RunState]
    RUN_STATE_QUEUED: _ClassVar[RunState]
    RUN_STATE_RUNNING: _ClassVar[RunState]
    RUN_STATE_DONE: _ClassVar[RunState]
    RUN_STATE_FAILED: _ClassVar[RunState]
    RUN_STATE_SUPERSEDED: _ClassVar[RunState]

class Ablation(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ABLATION_UNSPECIFIED: _ClassVar[Ablation]
    ABLATION_FULL: _ClassVar[Ablation]
    ABLATION_PLAIN_TEXT: _ClassVar[Ablation]
    ABLATION_BM25F: _ClassVar[Ablation]
    ABLATION_LEXICAL: _ClassVar[Ablation]
    ABLATION_DENSE: _ClassVar[Ablation]
    ABLATION_NO_GRAPH: _ClassVar[Ablation]
    ABLATION_NO_COMPOSITION: _ClassVar[Ablation]

class Place(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PLACE_UNSPECIFIED: _ClassVar[Place]
    PLACE_ANCHOR: _ClassVar[Place]
    PLACE_CALLER: _ClassVar[Place]
    PLACE_CALLEE: _ClassVar[Place]
    PLACE_RELATED: _ClassVar[Place]
    PLACE_NEIGHBOR: _ClassVar[Place]
    PLACE_WHOLE_FILE: _ClassVar[Place]

class Confidence(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CONFIDENCE_UNSPECIFIED: _ClassVar[Confidence]
    CONFIDENCE_HIGH: _ClassVar[Confidence]
    CONFIDENCE_MEDIUM: _ClassVar[Confidence]
    CONFIDENCE_LOW: _ClassVar[Confidence]

class Subject(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SUBJECT_UNSPECIFIED: _ClassVar[Subject]
    SUBJECT_REPOSITORY: _ClassVar[Subject]
    SUBJECT_MODULE: _ClassVar[Subject]
    SUBJECT_FILE: _ClassVar[Subject]
    SUBJECT_TYPE: _ClassVar[Subject]
FILE_STATUS_UNSPECIFIED: FileStatus
FILE_STATUS_INDEXED: FileStatus
FILE_STATUS_SKIPPED: FileStatus
FILE_STATUS_FAILED: FileStatus
SYMBOL_KIND_UNSPECIFIED: SymbolKind
SYMBOL_KIND_MODULE: SymbolKind
SYMBOL_KIND_CLASS: SymbolKind
SYMBOL_KIND_STRUCT: SymbolKind
SYMBOL_KIND_ENUM: SymbolKind
SYMBOL_KIND_ACTOR: SymbolKind
SYMBOL_KIND_PROTOCOL: SymbolKind
SYMBOL_KIND_EXTENSION: SymbolKind
SYMBOL_KIND_TYPEALIAS: SymbolKind
SYMBOL_KIND_FUNCTION: SymbolKind
SYMBOL_KIND_METHOD: SymbolKind
SYMBOL_KIND_INITIALIZER: SymbolKind
SYMBOL_KIND_DEINITIALIZER: SymbolKind
SYMBOL_KIND_SUBSCRIPT: SymbolKind
SYMBOL_KIND_OPERATOR: SymbolKind
SYMBOL_KIND_PROPERTY: SymbolKind
SYMBOL_KIND_VARIABLE: SymbolKind
SYMBOL_KIND_CASE: SymbolKind
SYMBOL_KIND_CLOSURE: SymbolKind
SYMBOL_KIND_MACRO: SymbolKind
SYMBOL_KIND_HEADING: SymbolKind
SYMBOL_KIND_PROCEDURE: SymbolKind
SYMBOL_KIND_PROTOTYPE: SymbolKind
SYMBOL_KIND_SUBROUTINE: SymbolKind
SYMBOL_KIND_TABLE: SymbolKind
STEP_KIND_UNSPECIFIED: StepKind
STEP_KIND_SELF: StepKind
STEP_KIND_SUPER: StepKind
STEP_KIND_TYPE: StepKind
STEP_KIND_METATYPE: StepKind
STEP_KIND_NAME: StepKind
STEP_KIND_CALL: StepKind
STEP_KIND_INDEX: StepKind
STEP_KIND_IMPLICIT: StepKind
STEP_KIND_UNKNOWN: StepKind
STEP_KIND_LITERAL: StepKind
STEP_KIND_ARGUMENT: StepKind
STEP_KIND_PARAMETER: StepKind
REFERENCE_KIND_UNSPECIFIED: ReferenceKind
REFERENCE_KIND_CALL: ReferenceKind
REFERENCE_KIND_ACCESS: ReferenceKind
REFERENCE_KIND_TYPE: ReferenceKind
REFERENCE_KIND_INHERIT: ReferenceKind
REFERENCE_KIND_MENTION: ReferenceKind
EDGE_KIND_UNSPECIFIED: EdgeKind
EDGE_KIND_CALL: EdgeKind
EDGE_KIND_CONSTRUCT: EdgeKind
EDGE_KIND_ACCESS: EdgeKind
EDGE_KIND_TYPE: EdgeKind
EDGE_KIND_INHERIT: EdgeKind
EDGE_KIND_EXTEND: EdgeKind
EDGE_KIND_OVERRIDE: EdgeKind
EDGE_KIND_WITNESS: EdgeKind
EDGE_KIND_MENTION: EdgeKind
EDGE_KIND_IMPLICIT: EdgeKind
TIER_UNSPECIFIED: Tier
TIER_EXACT: Tier
TIER_SCOPED: Tier
TIER_CONSTRUCTOR: Tier
TIER_TYPED: Tier
TIER_CONTEXTUAL: Tier
TIER_MODULE: Tier
TIER_UNIQUE: Tier
CHUNK_KIND_UNSPECIFIED: ChunkKind
CHUNK_KIND_SYMBOL: ChunkKind
CHUNK_KIND_TYPE: ChunkKind
CHUNK_KIND_FILE: ChunkKind
CHUNK_KIND_GAP: ChunkKind
CHUNK_KIND_SECTION: ChunkKind
CHUNK_KIND_WINDOW: ChunkKind
CHUNK_KIND_DESCRIPTION: ChunkKind
RUN_STATE_UNSPECIFIED: RunState
RUN_STATE_QUEUED: RunState
RUN_STATE_RUNNING: RunState
RUN_STATE_DONE: RunState
RUN_STATE_FAILED: RunState
RUN_STATE_SUPERSEDED: RunState
ABLATION_UNSPECIFIED: Ablation
ABLATION_FULL: Ablation
ABLATION_PLAIN_TEXT: Ablation
ABLATION_BM25F: Ablation
ABLATION_LEXICAL: Ablation
ABLATION_DENSE: Ablation
ABLATION_NO_GRAPH: Ablation
ABLATION_NO_COMPOSITION: Ablation
PLACE_UNSPECIFIED: Place
PLACE_ANCHOR: Place
PLACE_CALLER: Place
PLACE_CALLEE: Place
PLACE_RELATED: Place
PLACE_NEIGHBOR: Place
PLACE_WHOLE_FILE: Place
CONFIDENCE_UNSPECIFIED: Confidence
CONFIDENCE_HIGH: Confidence
CONFIDENCE_MEDIUM: Confidence
CONFIDENCE_LOW: Confidence
SUBJECT_UNSPECIFIED: Subject
SUBJECT_REPOSITORY: Subject
SUBJECT_MODULE: Subject
SUBJECT_FILE: Subject
SUBJECT_TYPE: Subject

class SourceFile(_message.Message):
    __slots__ = ("path", "digest", "size", "language", "roles", "status", "reason", "module", "exact")
    PATH_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MODULE_FIELD_NUMBER: _ClassVar[int]
    EXACT_FIELD_NUMBER: _ClassVar[int]
    path: str
    digest: str
    size: int
    language: str
    roles: int
    status: FileStatus
    reason: str
    module: str
    exact: str
    def __init__(self, path: _Optional[str] = ..., digest: _Optional[str] = ..., size: _Optional[int] = ..., language: _Optional[str] = ..., roles: _Optional[int] = ..., status: _Optional[_Union[FileStatus, str]] = ..., reason: _Optional[str] = ..., module: _Optional[str] = ..., exact: _Optional[str] = ...) -> None: ...

class Span(_message.Message):
    __slots__ = ("start", "end")
    START_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    start: int
    end: int
    def __init__(self, start: _Optional[int] = ..., end: _Optional[int] = ...) -> None: ...

class Step(_message.Message):
    __slots__ = ("kind", "name", "labels")
    KIND_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    kind: StepKind
    name: str
    labels: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, kind: _Optional[_Union[StepKind, str]] = ..., name: _Optional[str] = ..., labels: _Optional[_Iterable[str]] = ...) -> None: ...

class Parameter(_message.Message):
    __slots__ = ("label", "name", "type", "has_default", "variadic")
    LABEL_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    HAS_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    VARIADIC_FIELD_NUMBER: _ClassVar[int]
    label: str
    name: str
    type: str
    has_default: bool
    variadic: bool
    def __init__(self, label: _Optional[str] = ..., name: _Optional[str] = ..., type: _Optional[str] = ..., has_default: _Optional[bool] = ..., variadic: _Optional[bool] = ...) -> None: ...

class GenericParameter(_message.Message):
    __slots__ = ("name", "bound")
    NAME_FIELD_NUMBER: _ClassVar[int]
    BOUND_FIELD_NUMBER: _ClassVar[int]
    name: str
    bound: str
    def __init__(self, name: _Optional[str] = ..., bound: _Optional[str] = ...) -> None: ...

class Symbol(_message.Message):
    __slots__ = ("id", "name", "qualified", "kind", "path", "span", "line", "column", "parent", "container", "signature", "doc", "modifiers", "parameters", "type", "inherits", "generics", "initializer")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    QUALIFIED_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    SPAN_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    COLUMN_FIELD_NUMBER: _ClassVar[int]
    PARENT_FIELD_NUMBER: _ClassVar[int]
    CONTAINER_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    DOC_FIELD_NUMBER: _ClassVar[int]
    MODIFIERS_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    INHERITS_FIELD_NUMBER: _ClassVar[int]
    GENERICS_FIELD_NUMBER: _ClassVar[int]
    INITIALIZER_FIELD_NUMBER: _ClassVar[int]
    id: int
    name: str
    qualified: str
    kind: SymbolKind
    path: str
    span: Span
    line: int
    column: int
    parent: int
    container: str
    signature: str
    doc: str
    modifiers: int
    parameters: _containers.RepeatedCompositeFieldContainer[Parameter]
    type: str
    inherits: _containers.RepeatedScalarFieldContainer[str]
    generics: _containers.RepeatedCompositeFieldContainer[GenericParameter]
    initializer: _containers.RepeatedCompositeFieldContainer[Step]
    def __init__(self, id: _Optional[int] = ..., name: _Optional[str] = ..., qualified: _Optional[str] = ..., kind: _Optional[_Union[SymbolKind, str]] = ..., path: _Optional[str] = ..., span: _Optional[_Union[Span, _Mapping]] = ..., line: _Optional[int] = ..., column: _Optional[int] = ..., parent: _Optional[int] = ..., container: _Optional[str] = ..., signature: _Optional[str] = ..., doc: _Optional[str] = ..., modifiers: _Optional[int] = ..., parameters: _Optional[_Iterable[_Union[Parameter, _Mapping]]] = ..., type: _Optional[str] = ..., inherits: _Optional[_Iterable[str]] = ..., generics: _Optional[_Iterable[_Union[GenericParameter, _Mapping]]] = ..., initializer: _Optional[_Iterable[_Union[Step, _Mapping]]] = ...) -> None: ...

class Argument(_message.Message):
    __slots__ = ("value",)
    VALUE_FIELD_NUMBER: _ClassVar[int]
    value: _containers.RepeatedCompositeFieldContainer[Step]
    def __init__(self, value: _Optional[_Iterable[_Union[Step, _Mapping]]] = ...) -> None: ...

class Reference(_message.Message):
    __slots__ = ("kind", "name", "line", "column", "source", "receiver", "labels", "trailing", "expected", "arguments")
    KIND_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    COLUMN_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    RECEIVER_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    TRAILING_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_FIELD_NUMBER: _ClassVar[int]
    kind: ReferenceKind
    name: str
    line: int
    column: int
    source: int
    receiver: _containers.RepeatedCompositeFieldContainer[Step]
    labels: _containers.RepeatedScalarFieldContainer[str]
    trailing: int
    expected: str
    arguments: _containers.RepeatedCompositeFieldContainer[Argument]
    def __init__(self, kind: _Optional[_Union[ReferenceKind, str]] = ..., name: _Optional[str] = ..., line: _Optional[int] = ..., column: _Optional[int] = ..., source: _Optional[int] = ..., receiver: _Optional[_Iterable[_Union[Step, _Mapping]]] = ..., labels: _Optional[_Iterable[str]] = ..., trailing: _Optional[int] = ..., expected: _Optional[str] = ..., arguments: _Optional[_Iterable[_Union[Argument, _Mapping]]] = ...) -> None: ...

class Edge(_message.Message):
    __slots__ = ("source", "target", "kind", "rule", "tier", "confidence", "line", "column")
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    TIER_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    COLUMN_FIELD_NUMBER: _ClassVar[int]
    source: int
    target: int
    kind: EdgeKind
    rule: str
    tier: Tier
    confidence: float
    line: int
    column: int
    def __init__(self, source: _Optional[int] = ..., target: _Optional[int] = ..., kind: _Optional[_Union[EdgeKind, str]] = ..., rule: _Optional[str] = ..., tier: _Optional[_Union[Tier, str]] = ..., confidence: _Optional[float] = ..., line: _Optional[int] = ..., column: _Optional[int] = ...) -> None: ...

class Unresolved(_message.Message):
    __slots__ = ("source", "name", "line", "column", "candidates", "external")
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    COLUMN_FIELD_NUMBER: _ClassVar[int]
    CANDIDATES_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_FIELD_NUMBER: _ClassVar[int]
    source: int
    name: str
    line: int
    column: int
    candidates: int
    external: bool
    def __init__(self, source: _Optional[int] = ..., name: _Optional[str] = ..., line: _Optional[int] = ..., column: _Optional[int] = ..., candidates: _Optional[int] = ..., external: _Optional[bool] = ...) -> None: ...

class Chunk(_message.Message):
    __slots__ = ("id", "path", "kind", "runs", "text", "symbol", "symbol_kind", "name", "qualified", "enclosing", "signature", "doc", "part", "parts")
    ID_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    RUNS_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    SYMBOL_FIELD_NUMBER: _ClassVar[int]
    SYMBOL_KIND_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    QUALIFIED_FIELD_NUMBER: _ClassVar[int]
    ENCLOSING_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    DOC_FIELD_NUMBER: _ClassVar[int]
    PART_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    id: int
    path: str
    kind: ChunkKind
    runs: _containers.RepeatedCompositeFieldContainer[Span]
    text: str
    symbol: int
    symbol_kind: SymbolKind
    name: str
    qualified: str
    enclosing: str
    signature: str
    doc: str
    part: int
    parts: int
    def __init__(self, id: _Optional[int] = ..., path: _Optional[str] = ..., kind: _Optional[_Union[ChunkKind, str]] = ..., runs: _Optional[_Iterable[_Union[Span, _Mapping]]] = ..., text: _Optional[str] = ..., symbol: _Optional[int] = ..., symbol_kind: _Optional[_Union[SymbolKind, str]] = ..., name: _Optional[str] = ..., qualified: _Optional[str] = ..., enclosing: _Optional[str] = ..., signature: _Optional[str] = ..., doc: _Optional[str] = ..., part: _Optional[int] = ..., parts: _Optional[int] = ...) -> None: ...

class Repository(_message.Message):
    __slots__ = ("id", "name", "root")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ROOT_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    root: str
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., root: _Optional[str] = ...) -> None: ...

class SkippedFiles(_message.Message):
    __slots__ = ("reason", "files")
    REASON_FIELD_NUMBER: _ClassVar[int]
    FILES_FIELD_NUMBER: _ClassVar[int]
    reason: str
    files: int
    def __init__(self, reason: _Optional[str] = ..., files: _Optional[int] = ...) -> None: ...

class FailedFile(_message.Message):
    __slots__ = ("path", "reason")
    PATH_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    path: str
    reason: str
    def __init__(self, path: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class Coverage(_message.Message):
    __slots__ = ("seen", "indexed", "skipped", "failed", "dense", "degraded")
    SEEN_FIELD_NUMBER: _ClassVar[int]
    INDEXED_FIELD_NUMBER: _ClassVar[int]
    SKIPPED_FIELD_NUMBER: _ClassVar[int]
    FAILED_FIELD_NUMBER: _ClassVar[int]
    DENSE_FIELD_NUMBER: _ClassVar[int]
    DEGRADED_FIELD_NUMBER: _ClassVar[int]
    seen: int
    indexed: int
    skipped: _containers.RepeatedCompositeFieldContainer[SkippedFiles]
    failed: _containers.RepeatedCompositeFieldContainer[FailedFile]
    dense: float
    degraded: _containers.RepeatedCompositeFieldContainer[FailedFile]
    def __init__(self, seen: _Optional[int] = ..., indexed: _Optional[int] = ..., skipped: _Optional[_Iterable[_Union[SkippedFiles, _Mapping]]] = ..., failed: _Optional[_Iterable[_Union[FailedFile, _Mapping]]] = ..., dense: _Optional[float] = ..., degraded: _Optional[_Iterable[_Union[FailedFile, _Mapping]]] = ...) -> None: ...

class Generation(_message.Message):
    __slots__ = ("id", "repository", "commit", "created", "symbols", "edges", "chunks", "coverage", "embedder", "described")
    ID_FIELD_NUMBER: _ClassVar[int]
    REPOSITORY_FIELD_NUMBER: _ClassVar[int]
    COMMIT_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    SYMBOLS_FIELD_NUMBER: _ClassVar[int]
    EDGES_FIELD_NUMBER: _ClassVar[int]
    CHUNKS_FIELD_NUMBER: _ClassVar[int]
    COVERAGE_FIELD_NUMBER: _ClassVar[int]
    EMBEDDER_FIELD_NUMBER: _ClassVar[int]
    DESCRIBED_FIELD_NUMBER: _ClassVar[int]
    id: str
    repository: str
    commit: str
    created: float
    symbols: int
    edges: int
    chunks: int
    coverage: Coverage
    embedder: str
    described: str
    def __init__(self, id: _Optional[str] = ..., repository: _Optional[str] = ..., commit: _Optional[str] = ..., created: _Optional[float] = ..., symbols: _Optional[int] = ..., edges: _Optional[int] = ..., chunks: _Optional[int] = ..., coverage: _Optional[_Union[Coverage, _Mapping]] = ..., embedder: _Optional[str] = ..., described: _Optional[str] = ...) -> None: ...

class Batch(_message.Message):
    __slots__ = ("run", "number", "paths", "state", "attempt")
    RUN_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    PATHS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    run: str
    number: int
    paths: _containers.RepeatedScalarFieldContainer[str]
    state: RunState
    attempt: int
    def __init__(self, run: _Optional[str] = ..., number: _Optional[int] = ..., paths: _Optional[_Iterable[str]] = ..., state: _Optional[_Union[RunState, str]] = ..., attempt: _Optional[int] = ...) -> None: ...

class Progress(_message.Message):
    __slots__ = ("phase", "done", "total", "detail", "seconds_left")
    PHASE_FIELD_NUMBER: _ClassVar[int]
    DONE_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    SECONDS_LEFT_FIELD_NUMBER: _ClassVar[int]
    phase: str
    done: int
    total: int
    detail: str
    seconds_left: float
    def __init__(self, phase: _Optional[str] = ..., done: _Optional[int] = ..., total: _Optional[int] = ..., detail: _Optional[str] = ..., seconds_left: _Optional[float] = ...) -> None: ...

class Options(_message.Message):
    __slots__ = ("limit", "neighbors", "budget", "lexical_prefilter", "oversize_anchors", "include_dependencies", "index_store", "whole_files", "kind", "dense", "dense_seconds", "use_model", "ablation", "descriptions")
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    NEIGHBORS_FIELD_NUMBER: _ClassVar[int]
    BUDGET_FIELD_NUMBER: _ClassVar[int]
    LEXICAL_PREFILTER_FIELD_NUMBER: _ClassVar[int]
    OVERSIZE_ANCHORS_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_DEPENDENCIES_FIELD_NUMBER: _ClassVar[int]
    INDEX_STORE_FIELD_NUMBER: _ClassVar[int]
    WHOLE_FILES_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    DENSE_FIELD_NUMBER: _ClassVar[int]
    DENSE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    USE_MODEL_FIELD_NUMBER: _ClassVar[int]
    ABLATION_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTIONS_FIELD_NUMBER: _ClassVar[int]
    limit: int
    neighbors: int
    budget: int
    lexical_prefilter: bool
    oversize_anchors: bool
    include_dependencies: bool
    index_store: str
    whole_files: bool
    kind: SymbolKind
    dense: bool
    dense_seconds: float
    use_model: bool
    ablation: Ablation
    descriptions: bool
    def __init__(self, limit: _Optional[int] = ..., neighbors: _Optional[int] = ..., budget: _Optional[int] = ..., lexical_prefilter: _Optional[bool] = ..., oversize_anchors: _Optional[bool] = ..., include_dependencies: _Optional[bool] = ..., index_store: _Optional[str] = ..., whole_files: _Optional[bool] = ..., kind: _Optional[_Union[SymbolKind, str]] = ..., dense: _Optional[bool] = ..., dense_seconds: _Optional[float] = ..., use_model: _Optional[bool] = ..., ablation: _Optional[_Union[Ablation, str]] = ..., descriptions: _Optional[bool] = ...) -> None: ...

class Question(_message.Message):
    __slots__ = ("text", "repositories", "options")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    REPOSITORIES_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    text: str
    repositories: _containers.RepeatedScalarFieldContainer[str]
    options: Options
    def __init__(self, text: _Optional[str] = ..., repositories: _Optional[_Iterable[str]] = ..., options: _Optional[_Union[Options, _Mapping]] = ...) -> None: ...

class ScorePart(_message.Message):
    __slots__ = ("name", "value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: float
    def __init__(self, name: _Optional[str] = ..., value: _Optional[float] = ...) -> None: ...

class Result(_message.Message):
    __slots__ = ("repository", "path", "start", "end", "symbol", "kind", "score", "why", "parts")
    REPOSITORY_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    SYMBOL_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    repository: str
    path: str
    start: int
    end: int
    symbol: str
    kind: str
    score: float
    why: str
    parts: _containers.RepeatedCompositeFieldContainer[ScorePart]
    def __init__(self, repository: _Optional[str] = ..., path: _Optional[str] = ..., start: _Optional[int] = ..., end: _Optional[int] = ..., symbol: _Optional[str] = ..., kind: _Optional[str] = ..., score: _Optional[float] = ..., why: _Optional[str] = ..., parts: _Optional[_Iterable[_Union[ScorePart, _Mapping]]] = ...) -> None: ...

class FileResults(_message.Message):
    __slots__ = ("repository", "path", "score", "results", "parts")
    REPOSITORY_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    repository: str
    path: str
    score: float
    results: _containers.RepeatedCompositeFieldContainer[Result]
    parts: _containers.RepeatedCompositeFieldContainer[ScorePart]
    def __init__(self, repository: _Optional[str] = ..., path: _Optional[str] = ..., score: _Optional[float] = ..., results: _Optional[_Iterable[_Union[Result, _Mapping]]] = ..., parts: _Optional[_Iterable[_Union[ScorePart, _Mapping]]] = ...) -> None: ...

class ContextItem(_message.Message):
    __slots__ = ("id", "repository", "path", "runs", "text", "symbol", "kind", "score", "place", "why", "tokens", "chunk", "symbol_id", "signature", "doc", "parts")
    ID_FIELD_NUMBER: _ClassVar[int]
    REPOSITORY_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    RUNS_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    SYMBOL_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SCORE_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    SYMBOL_ID_FIELD_NUMBER: _ClassVar[int]
    SIGNATURE_FIELD_NUMBER: _ClassVar[int]
    DOC_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    id: str
    repository: str
    path: str
    runs: _containers.RepeatedCompositeFieldContainer[Span]
    text: str
    symbol: str
    kind: str
    score: float
    place: Place
    why: str
    tokens: int
    chunk: int
    symbol_id: int
    signature: str
    doc: str
    parts: _containers.RepeatedCompositeFieldContainer[ScorePart]
    def __init__(self, id: _Optional[str] = ..., repository: _Optional[str] = ..., path: _Optional[str] = ..., runs: _Optional[_Iterable[_Union[Span, _Mapping]]] = ..., text: _Optional[str] = ..., symbol: _Optional[str] = ..., kind: _Optional[str] = ..., score: _Optional[float] = ..., place: _Optional[_Union[Place, str]] = ..., why: _Optional[str] = ..., tokens: _Optional[int] = ..., chunk: _Optional[int] = ..., symbol_id: _Optional[int] = ..., signature: _Optional[str] = ..., doc: _Optional[str] = ..., parts: _Optional[_Iterable[_Union[ScorePart, _Mapping]]] = ...) -> None: ...

class Context(_message.Message):
    __slots__ = ("items", "tokens", "budget", "flow")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    BUDGET_FIELD_NUMBER: _ClassVar[int]
    FLOW_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[ContextItem]
    tokens: int
    budget: int
    flow: _containers.RepeatedCompositeFieldContainer[Edge]
    def __init__(self, items: _Optional[_Iterable[_Union[ContextItem, _Mapping]]] = ..., tokens: _Optional[int] = ..., budget: _Optional[int] = ..., flow: _Optional[_Iterable[_Union[Edge, _Mapping]]] = ...) -> None: ...

class Citation(_message.Message):
    __slots__ = ("id", "repository", "path", "start", "end", "symbol")
    ID_FIELD_NUMBER: _ClassVar[int]
    REPOSITORY_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    SYMBOL_FIELD_NUMBER: _ClassVar[int]
    id: str
    repository: str
    path: str
    start: int
    end: int
    symbol: str
    def __init__(self, id: _Optional[str] = ..., repository: _Optional[str] = ..., path: _Optional[str] = ..., start: _Optional[int] = ..., end: _Optional[int] = ..., symbol: _Optional[str] = ...) -> None: ...

class OutlineNode(_message.Message):
    __slots__ = ("id", "title", "path", "start", "end", "symbol", "summary", "children")
    ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    SYMBOL_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    CHILDREN_FIELD_NUMBER: _ClassVar[int]
    id: str
    title: str
    path: str
    start: int
    end: int
    symbol: str
    summary: str
    children: _containers.RepeatedCompositeFieldContainer[OutlineNode]
    def __init__(self, id: _Optional[str] = ..., title: _Optional[str] = ..., path: _Optional[str] = ..., start: _Optional[int] = ..., end: _Optional[int] = ..., symbol: _Optional[str] = ..., summary: _Optional[str] = ..., children: _Optional[_Iterable[_Union[OutlineNode, _Mapping]]] = ...) -> None: ...

class StageReport(_message.Message):
    __slots__ = ("name", "ms", "items_in", "items_out", "detail")
    NAME_FIELD_NUMBER: _ClassVar[int]
    MS_FIELD_NUMBER: _ClassVar[int]
    ITEMS_IN_FIELD_NUMBER: _ClassVar[int]
    ITEMS_OUT_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    name: str
    ms: float
    items_in: int
    items_out: int
    detail: str
    def __init__(self, name: _Optional[str] = ..., ms: _Optional[float] = ..., items_in: _Optional[int] = ..., items_out: _Optional[int] = ..., detail: _Optional[str] = ...) -> None: ...

class Usage(_message.Message):
    __slots__ = ("input_tokens", "output_tokens", "estimated")
    INPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    ESTIMATED_FIELD_NUMBER: _ClassVar[int]
    input_tokens: int
    output_tokens: int
    estimated: bool
    def __init__(self, input_tokens: _Optional[int] = ..., output_tokens: _Optional[int] = ..., estimated: _Optional[bool] = ...) -> None: ...

class Answer(_message.Message):
    __slots__ = ("question", "repositories", "commit", "generation", "text", "confidence", "citations", "context", "stages", "coverage", "outline", "diagram", "model", "usage", "warnings", "trace_id")
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    REPOSITORIES_FIELD_NUMBER: _ClassVar[int]
    COMMIT_FIELD_NUMBER: _ClassVar[int]
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    CITATIONS_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    STAGES_FIELD_NUMBER: _ClassVar[int]
    COVERAGE_FIELD_NUMBER: _ClassVar[int]
    OUTLINE_FIELD_NUMBER: _ClassVar[int]
    DIAGRAM_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    USAGE_FIELD_NUMBER: _ClassVar[int]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    TRACE_ID_FIELD_NUMBER: _ClassVar[int]
    question: str
    repositories: _containers.RepeatedScalarFieldContainer[str]
    commit: str
    generation: str
    text: str
    confidence: Confidence
    citations: _containers.RepeatedCompositeFieldContainer[Citation]
    context: Context
    stages: _containers.RepeatedCompositeFieldContainer[StageReport]
    coverage: Coverage
    outline: _containers.RepeatedCompositeFieldContainer[OutlineNode]
    diagram: str
    model: str
    usage: Usage
    warnings: _containers.RepeatedScalarFieldContainer[str]
    trace_id: str
    def __init__(self, question: _Optional[str] = ..., repositories: _Optional[_Iterable[str]] = ..., commit: _Optional[str] = ..., generation: _Optional[str] = ..., text: _Optional[str] = ..., confidence: _Optional[_Union[Confidence, str]] = ..., citations: _Optional[_Iterable[_Union[Citation, _Mapping]]] = ..., context: _Optional[_Union[Context, _Mapping]] = ..., stages: _Optional[_Iterable[_Union[StageReport, _Mapping]]] = ..., coverage: _Optional[_Union[Coverage, _Mapping]] = ..., outline: _Optional[_Iterable[_Union[OutlineNode, _Mapping]]] = ..., diagram: _Optional[str] = ..., model: _Optional[str] = ..., usage: _Optional[_Union[Usage, _Mapping]] = ..., warnings: _Optional[_Iterable[str]] = ..., trace_id: _Optional[str] = ...) -> None: ...

class StageStarted(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class StageFinished(_message.Message):
    __slots__ = ("report",)
    REPORT_FIELD_NUMBER: _ClassVar[int]
    report: StageReport
    def __init__(self, report: _Optional[_Union[StageReport, _Mapping]] = ...) -> None: ...

class Evidence(_message.Message):
    __slots__ = ("item",)
    ITEM_FIELD_NUMBER: _ClassVar[int]
    item: ContextItem
    def __init__(self, item: _Optional[_Union[ContextItem, _Mapping]] = ...) -> None: ...

class TextDelta(_message.Message):
    __slots__ = ("text",)
    TEXT_FIELD_NUMBER: _ClassVar[int]
    text: str
    def __init__(self, text: _Optional[str] = ...) -> None: ...

class Warned(_message.Message):
    __slots__ = ("message",)
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    message: str
    def __init__(self, message: _Optional[str] = ...) -> None: ...

class Finished(_message.Message):
    __slots__ = ("answer",)
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    answer: Answer
    def __init__(self, answer: _Optional[_Union[Answer, _Mapping]] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("stage_started", "stage_finished", "evidence", "text_delta", "warned", "finished", "seq", "request_id")
    STAGE_STARTED_FIELD_NUMBER: _ClassVar[int]
    STAGE_FINISHED_FIELD_NUMBER: _ClassVar[int]
    EVIDENCE_FIELD_NUMBER: _ClassVar[int]
    TEXT_DELTA_FIELD_NUMBER: _ClassVar[int]
    WARNED_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    SEQ_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    stage_started: StageStarted
    stage_finished: StageFinished
    evidence: Evidence
    text_delta: TextDelta
    warned: Warned
    finished: Finished
    seq: int
    request_id: str
    def __init__(self, stage_started: _Optional[_Union[StageStarted, _Mapping]] = ..., stage_finished: _Optional[_Union[StageFinished, _Mapping]] = ..., evidence: _Optional[_Union[Evidence, _Mapping]] = ..., text_delta: _Optional[_Union[TextDelta, _Mapping]] = ..., warned: _Optional[_Union[Warned, _Mapping]] = ..., finished: _Optional[_Union[Finished, _Mapping]] = ..., seq: _Optional[int] = ..., request_id: _Optional[str] = ...) -> None: ...

class Relation(_message.Message):
    __slots__ = ("source", "target", "edge", "depth", "confidence")
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    EDGE_FIELD_NUMBER: _ClassVar[int]
    DEPTH_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    source: Symbol
    target: Symbol
    edge: Edge
    depth: int
    confidence: float
    def __init__(self, source: _Optional[_Union[Symbol, _Mapping]] = ..., target: _Optional[_Union[Symbol, _Mapping]] = ..., edge: _Optional[_Union[Edge, _Mapping]] = ..., depth: _Optional[int] = ..., confidence: _Optional[float] = ...) -> None: ...

class ModuleDependency(_message.Message):
    __slots__ = ("module", "edges")
    MODULE_FIELD_NUMBER: _ClassVar[int]
    EDGES_FIELD_NUMBER: _ClassVar[int]
    module: str
    edges: int
    def __init__(self, module: _Optional[str] = ..., edges: _Optional[int] = ...) -> None: ...

class ModuleSummary(_message.Message):
    __slots__ = ("name", "files", "symbols", "depends_on", "entry_points", "kind", "layer", "circle", "parts", "central")
    NAME_FIELD_NUMBER: _ClassVar[int]
    FILES_FIELD_NUMBER: _ClassVar[int]
    SYMBOLS_FIELD_NUMBER: _ClassVar[int]
    DEPENDS_ON_FIELD_NUMBER: _ClassVar[int]
    ENTRY_POINTS_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    LAYER_FIELD_NUMBER: _ClassVar[int]
    CIRCLE_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    CENTRAL_FIELD_NUMBER: _ClassVar[int]
    name: str
    files: int
    symbols: int
    depends_on: _containers.RepeatedCompositeFieldContainer[ModuleDependency]
    entry_points: _containers.RepeatedCompositeFieldContainer[Symbol]
    kind: str
    layer: int
    circle: _containers.RepeatedScalarFieldContainer[str]
    parts: _containers.RepeatedCompositeFieldContainer[ModulePart]
    central: _containers.RepeatedCompositeFieldContainer[Symbol]
    def __init__(self, name: _Optional[str] = ..., files: _Optional[int] = ..., symbols: _Optional[int] = ..., depends_on: _Optional[_Iterable[_Union[ModuleDependency, _Mapping]]] = ..., entry_points: _Optional[_Iterable[_Union[Symbol, _Mapping]]] = ..., kind: _Optional[str] = ..., layer: _Optional[int] = ..., circle: _Optional[_Iterable[str]] = ..., parts: _Optional[_Iterable[_Union[ModulePart, _Mapping]]] = ..., central: _Optional[_Iterable[_Union[Symbol, _Mapping]]] = ...) -> None: ...

class ModulePart(_message.Message):
    __slots__ = ("name", "files", "symbols", "central", "folder")
    NAME_FIELD_NUMBER: _ClassVar[int]
    FILES_FIELD_NUMBER: _ClassVar[int]
    SYMBOLS_FIELD_NUMBER: _ClassVar[int]
    CENTRAL_FIELD_NUMBER: _ClassVar[int]
    FOLDER_FIELD_NUMBER: _ClassVar[int]
    name: str
    files: int
    symbols: int
    central: _containers.RepeatedCompositeFieldContainer[Symbol]
    folder: str
    def __init__(self, name: _Optional[str] = ..., files: _Optional[int] = ..., symbols: _Optional[int] = ..., central: _Optional[_Iterable[_Union[Symbol, _Mapping]]] = ..., folder: _Optional[str] = ...) -> None: ...

class Spot(_message.Message):
    __slots__ = ("name", "path", "line")
    NAME_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    name: str
    path: str
    line: int
    def __init__(self, name: _Optional[str] = ..., path: _Optional[str] = ..., line: _Optional[int] = ...) -> None: ...

class Description(_message.Message):
    __slots__ = ("id", "subject", "name", "path", "digest", "text", "spots", "symbol", "weight", "model", "written")
    ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    SPOTS_FIELD_NUMBER: _ClassVar[int]
    SYMBOL_FIELD_NUMBER: _ClassVar[int]
    WEIGHT_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    WRITTEN_FIELD_NUMBER: _ClassVar[int]
    id: int
    subject: Subject
    name: str
    path: str
    digest: str
    text: str
    spots: _containers.RepeatedCompositeFieldContainer[Spot]
    symbol: int
    weight: int
    model: str
    written: float
    def __init__(self, id: _Optional[int] = ..., subject: _Optional[_Union[Subject, str]] = ..., name: _Optional[str] = ..., path: _Optional[str] = ..., digest: _Optional[str] = ..., text: _Optional[str] = ..., spots: _Optional[_Iterable[_Union[Spot, _Mapping]]] = ..., symbol: _Optional[int] = ..., weight: _Optional[int] = ..., model: _Optional[str] = ..., written: _Optional[float] = ...) -> None: ...

class Hub(_message.Message):
    __slots__ = ("symbol", "callers", "callees")
    SYMBOL_FIELD_NUMBER: _ClassVar[int]
    CALLERS_FIELD_NUMBER: _ClassVar[int]
    CALLEES_FIELD_NUMBER: _ClassVar[int]
    symbol: Symbol
    callers: int
    callees: int
    def __init__(self, symbol: _Optional[_Union[Symbol, _Mapping]] = ..., callers: _Optional[int] = ..., callees: _Optional[int] = ...) -> None: ...

class OnlyThrough(_message.Message):
    __slots__ = ("relations", "total", "entries", "uncertain")
    RELATIONS_FIELD_NUMBER: _ClassVar[int]
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    UNCERTAIN_FIELD_NUMBER: _ClassVar[int]
    relations: _containers.RepeatedCompositeFieldContainer[Relation]
    total: int
    entries: int
    uncertain: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, relations: _Optional[_Iterable[_Union[Relation, _Mapping]]] = ..., total: _Optional[int] = ..., entries: _Optional[int] = ..., uncertain: _Optional[_Iterable[str]] = ...) -> None: ...

class Companion(_message.Message):
    __slots__ = ("symbol", "together", "callers", "before", "confidence")
    SYMBOL_FIELD_NUMBER: _ClassVar[int]
    TOGETHER_FIELD_NUMBER: _ClassVar[int]
    CALLERS_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    symbol: Symbol
    together: int
    callers: int
    before: int
    confidence: float
    def __init__(self, symbol: _Optional[_Union[Symbol, _Mapping]] = ..., together: _Optional[int] = ..., callers: _Optional[int] = ..., before: _Optional[int] = ..., confidence: _Optional[float] = ...) -> None: ...

class Cycle(_message.Message):
    __slots__ = ("size", "relations")
    SIZE_FIELD_NUMBER: _ClassVar[int]
    RELATIONS_FIELD_NUMBER: _ClassVar[int]
    size: int
    relations: _containers.RepeatedCompositeFieldContainer[Relation]
    def __init__(self, size: _Optional[int] = ..., relations: _Optional[_Iterable[_Union[Relation, _Mapping]]] = ...) -> None: ...

class EntryPoint(_message.Message):
    __slots__ = ("symbol", "why", "callees")
    SYMBOL_FIELD_NUMBER: _ClassVar[int]
    WHY_FIELD_NUMBER: _ClassVar[int]
    CALLEES_FIELD_NUMBER: _ClassVar[int]
    symbol: Symbol
    why: str
    callees: int
    def __init__(self, symbol: _Optional[_Union[Symbol, _Mapping]] = ..., why: _Optional[str] = ..., callees: _Optional[int] = ...) -> None: ...

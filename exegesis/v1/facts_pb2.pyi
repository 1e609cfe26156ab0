from exegesis.v1 import model_pb2 as _model_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class FileFacts(_message.Message):
    __slots__ = ("path", "digest", "language", "imports", "problems", "strings", "ids", "string_lists", "steps", "chains", "symbols", "references", "chunks", "terms", "chain_lists", "bindings", "fault")
    PATH_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    IMPORTS_FIELD_NUMBER: _ClassVar[int]
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    STRINGS_FIELD_NUMBER: _ClassVar[int]
    IDS_FIELD_NUMBER: _ClassVar[int]
    STRING_LISTS_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    CHAINS_FIELD_NUMBER: _ClassVar[int]
    SYMBOLS_FIELD_NUMBER: _ClassVar[int]
    REFERENCES_FIELD_NUMBER: _ClassVar[int]
    CHUNKS_FIELD_NUMBER: _ClassVar[int]
    TERMS_FIELD_NUMBER: _ClassVar[int]
    CHAIN_LISTS_FIELD_NUMBER: _ClassVar[int]
    BINDINGS_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    path: str
    digest: str
    language: str
    imports: _containers.RepeatedScalarFieldContainer[str]
    problems: _containers.RepeatedScalarFieldContainer[str]
    strings: _containers.RepeatedScalarFieldContainer[str]
    ids: _containers.RepeatedScalarFieldContainer[int]
    string_lists: Lists
    steps: StepColumns
    chains: Lists
    symbols: SymbolColumns
    references: ReferenceColumns
    chunks: ChunkColumns
    terms: _containers.RepeatedScalarFieldContainer[bytes]
    chain_lists: Lists
    bindings: BindingColumns
    fault: str
    def __init__(self, path: _Optional[str] = ..., digest: _Optional[str] = ..., language: _Optional[str] = ..., imports: _Optional[_Iterable[str]] = ..., problems: _Optional[_Iterable[str]] = ..., strings: _Optional[_Iterable[str]] = ..., ids: _Optional[_Iterable[int]] = ..., string_lists: _Optional[_Union[Lists, _Mapping]] = ..., steps: _Optional[_Union[StepColumns, _Mapping]] = ..., chains: _Optional[_Union[Lists, _Mapping]] = ..., symbols: _Optional[_Union[SymbolColumns, _Mapping]] = ..., references: _Optional[_Union[ReferenceColumns, _Mapping]] = ..., chunks: _Optional[_Union[ChunkColumns, _Mapping]] = ..., terms: _Optional[_Iterable[bytes]] = ..., chain_lists: _Optional[_Union[Lists, _Mapping]] = ..., bindings: _Optional[_Union[BindingColumns, _Mapping]] = ..., fault: _Optional[str] = ...) -> None: ...

class Lists(_message.Message):
    __slots__ = ("lengths", "items")
    LENGTHS_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    lengths: _containers.RepeatedScalarFieldContainer[int]
    items: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, lengths: _Optional[_Iterable[int]] = ..., items: _Optional[_Iterable[int]] = ...) -> None: ...

class BindingColumns(_message.Message):
    __slots__ = ("names", "modules", "members")
    NAMES_FIELD_NUMBER: _ClassVar[int]
    MODULES_FIELD_NUMBER: _ClassVar[int]
    MEMBERS_FIELD_NUMBER: _ClassVar[int]
    names: _containers.RepeatedScalarFieldContainer[int]
    modules: _containers.RepeatedScalarFieldContainer[int]
    members: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, names: _Optional[_Iterable[int]] = ..., modules: _Optional[_Iterable[int]] = ..., members: _Optional[_Iterable[int]] = ...) -> None: ...

class StepColumns(_message.Message):
    __slots__ = ("kinds", "names", "labels")
    KINDS_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    kinds: _containers.RepeatedScalarFieldContainer[_model_pb2.StepKind]
    names: _containers.RepeatedScalarFieldContainer[int]
    labels: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, kinds: _Optional[_Iterable[_Union[_model_pb2.StepKind, str]]] = ..., names: _Optional[_Iterable[int]] = ..., labels: _Optional[_Iterable[int]] = ...) -> None: ...

class SymbolColumns(_message.Message):
    __slots__ = ("ids", "names", "qualified", "kinds", "paths", "starts", "ends", "lines", "columns", "parents", "containers", "signatures", "docs", "modifiers", "types", "inherits", "generics", "initializers", "parameter_counts", "parameters")
    IDS_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    QUALIFIED_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    PATHS_FIELD_NUMBER: _ClassVar[int]
    STARTS_FIELD_NUMBER: _ClassVar[int]
    ENDS_FIELD_NUMBER: _ClassVar[int]
    LINES_FIELD_NUMBER: _ClassVar[int]
    COLUMNS_FIELD_NUMBER: _ClassVar[int]
    PARENTS_FIELD_NUMBER: _ClassVar[int]
    CONTAINERS_FIELD_NUMBER: _ClassVar[int]
    SIGNATURES_FIELD_NUMBER: _ClassVar[int]
    DOCS_FIELD_NUMBER: _ClassVar[int]
    MODIFIERS_FIELD_NUMBER: _ClassVar[int]
    TYPES_FIELD_NUMBER: _ClassVar[int]
    INHERITS_FIELD_NUMBER: _ClassVar[int]
    GENERICS_FIELD_NUMBER: _ClassVar[int]
    INITIALIZERS_FIELD_NUMBER: _ClassVar[int]
    PARAMETER_COUNTS_FIELD_NUMBER: _ClassVar[int]
    PARAMETERS_FIELD_NUMBER: _ClassVar[int]
    ids: _containers.RepeatedScalarFieldContainer[int]
    names: _containers.RepeatedScalarFieldContainer[int]
    qualified: _containers.RepeatedScalarFieldContainer[int]
    kinds: _containers.RepeatedScalarFieldContainer[_model_pb2.SymbolKind]
    paths: _containers.RepeatedScalarFieldContainer[int]
    starts: _containers.RepeatedScalarFieldContainer[int]
    ends: _containers.RepeatedScalarFieldContainer[int]
    lines: _containers.RepeatedScalarFieldContainer[int]
    columns: _containers.RepeatedScalarFieldContainer[int]
    parents: _containers.RepeatedScalarFieldContainer[int]
    containers: _containers.RepeatedScalarFieldContainer[int]
    signatures: _containers.RepeatedScalarFieldContainer[int]
    docs: _containers.RepeatedScalarFieldContainer[int]
    modifiers: _containers.RepeatedScalarFieldContainer[int]
    types: _containers.RepeatedScalarFieldContainer[int]
    inherits: _containers.RepeatedScalarFieldContainer[int]
    generics: _containers.RepeatedScalarFieldContainer[int]
    initializers: _containers.RepeatedScalarFieldContainer[int]
    parameter_counts: _containers.RepeatedScalarFieldContainer[int]
    parameters: ParameterColumns
    def __init__(self, ids: _Optional[_Iterable[int]] = ..., names: _Optional[_Iterable[int]] = ..., qualified: _Optional[_Iterable[int]] = ..., kinds: _Optional[_Iterable[_Union[_model_pb2.SymbolKind, str]]] = ..., paths: _Optional[_Iterable[int]] = ..., starts: _Optional[_Iterable[int]] = ..., ends: _Optional[_Iterable[int]] = ..., lines: _Optional[_Iterable[int]] = ..., columns: _Optional[_Iterable[int]] = ..., parents: _Optional[_Iterable[int]] = ..., containers: _Optional[_Iterable[int]] = ..., signatures: _Optional[_Iterable[int]] = ..., docs: _Optional[_Iterable[int]] = ..., modifiers: _Optional[_Iterable[int]] = ..., types: _Optional[_Iterable[int]] = ..., inherits: _Optional[_Iterable[int]] = ..., generics: _Optional[_Iterable[int]] = ..., initializers: _Optional[_Iterable[int]] = ..., parameter_counts: _Optional[_Iterable[int]] = ..., parameters: _Optional[_Union[ParameterColumns, _Mapping]] = ...) -> None: ...

class ParameterColumns(_message.Message):
    __slots__ = ("labels", "names", "types", "flags")
    LABELS_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    TYPES_FIELD_NUMBER: _ClassVar[int]
    FLAGS_FIELD_NUMBER: _ClassVar[int]
    labels: _containers.RepeatedScalarFieldContainer[int]
    names: _containers.RepeatedScalarFieldContainer[int]
    types: _containers.RepeatedScalarFieldContainer[int]
    flags: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, labels: _Optional[_Iterable[int]] = ..., names: _Optional[_Iterable[int]] = ..., types: _Optional[_Iterable[int]] = ..., flags: _Optional[_Iterable[int]] = ...) -> None: ...

class ReferenceColumns(_message.Message):
    __slots__ = ("kinds", "names", "lines", "columns", "sources", "receivers", "labels", "trailing", "expected", "arguments")
    KINDS_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    LINES_FIELD_NUMBER: _ClassVar[int]
    COLUMNS_FIELD_NUMBER: _ClassVar[int]
    SOURCES_FIELD_NUMBER: _ClassVar[int]
    RECEIVERS_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    TRAILING_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_FIELD_NUMBER: _ClassVar[int]
    kinds: _containers.RepeatedScalarFieldContainer[_model_pb2.ReferenceKind]
    names: _containers.RepeatedScalarFieldContainer[int]
    lines: _containers.RepeatedScalarFieldContainer[int]
    columns: _containers.RepeatedScalarFieldContainer[int]
    sources: _containers.RepeatedScalarFieldContainer[int]
    receivers: _containers.RepeatedScalarFieldContainer[int]
    labels: _containers.RepeatedScalarFieldContainer[int]
    trailing: _containers.RepeatedScalarFieldContainer[int]
    expected: _containers.RepeatedScalarFieldContainer[int]
    arguments: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, kinds: _Optional[_Iterable[_Union[_model_pb2.ReferenceKind, str]]] = ..., names: _Optional[_Iterable[int]] = ..., lines: _Optional[_Iterable[int]] = ..., columns: _Optional[_Iterable[int]] = ..., sources: _Optional[_Iterable[int]] = ..., receivers: _Optional[_Iterable[int]] = ..., labels: _Optional[_Iterable[int]] = ..., trailing: _Optional[_Iterable[int]] = ..., expected: _Optional[_Iterable[int]] = ..., arguments: _Optional[_Iterable[int]] = ...) -> None: ...

class ChunkColumns(_message.Message):
    __slots__ = ("ids", "paths", "kinds", "run_counts", "run_starts", "run_ends", "texts", "symbols", "symbol_kinds", "names", "qualified", "enclosing", "signatures", "docs", "part", "parts")
    IDS_FIELD_NUMBER: _ClassVar[int]
    PATHS_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    RUN_COUNTS_FIELD_NUMBER: _ClassVar[int]
    RUN_STARTS_FIELD_NUMBER: _ClassVar[int]
    RUN_ENDS_FIELD_NUMBER: _ClassVar[int]
    TEXTS_FIELD_NUMBER: _ClassVar[int]
    SYMBOLS_FIELD_NUMBER: _ClassVar[int]
    SYMBOL_KINDS_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    QUALIFIED_FIELD_NUMBER: _ClassVar[int]
    ENCLOSING_FIELD_NUMBER: _ClassVar[int]
    SIGNATURES_FIELD_NUMBER: _ClassVar[int]
    DOCS_FIELD_NUMBER: _ClassVar[int]
    PART_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    ids: _containers.RepeatedScalarFieldContainer[int]
    paths: _containers.RepeatedScalarFieldContainer[int]
    kinds: _containers.RepeatedScalarFieldContainer[_model_pb2.ChunkKind]
    run_counts: _containers.RepeatedScalarFieldContainer[int]
    run_starts: _containers.RepeatedScalarFieldContainer[int]
    run_ends: _containers.RepeatedScalarFieldContainer[int]
    texts: _containers.RepeatedScalarFieldContainer[int]
    symbols: _containers.RepeatedScalarFieldContainer[int]
    symbol_kinds: _containers.RepeatedScalarFieldContainer[_model_pb2.SymbolKind]
    names: _containers.RepeatedScalarFieldContainer[int]
    qualified: _containers.RepeatedScalarFieldContainer[int]
    enclosing: _containers.RepeatedScalarFieldContainer[int]
    signatures: _containers.RepeatedScalarFieldContainer[int]
    docs: _containers.RepeatedScalarFieldContainer[int]
    part: _containers.RepeatedScalarFieldContainer[int]
    parts: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, ids: _Optional[_Iterable[int]] = ..., paths: _Optional[_Iterable[int]] = ..., kinds: _Optional[_Iterable[_Union[_model_pb2.ChunkKind, str]]] = ..., run_counts: _Optional[_Iterable[int]] = ..., run_starts: _Optional[_Iterable[int]] = ..., run_ends: _Optional[_Iterable[int]] = ..., texts: _Optional[_Iterable[int]] = ..., symbols: _Optional[_Iterable[int]] = ..., symbol_kinds: _Optional[_Iterable[_Union[_model_pb2.SymbolKind, str]]] = ..., names: _Optional[_Iterable[int]] = ..., qualified: _Optional[_Iterable[int]] = ..., enclosing: _Optional[_Iterable[int]] = ..., signatures: _Optional[_Iterable[int]] = ..., docs: _Optional[_Iterable[int]] = ..., part: _Optional[_Iterable[int]] = ..., parts: _Optional[_Iterable[int]] = ...) -> None: ...

class ExactFacts(_message.Message):
    __slots__ = ("path", "is_fresh", "strings", "symbols", "uses", "ties")
    PATH_FIELD_NUMBER: _ClassVar[int]
    IS_FRESH_FIELD_NUMBER: _ClassVar[int]
    STRINGS_FIELD_NUMBER: _ClassVar[int]
    SYMBOLS_FIELD_NUMBER: _ClassVar[int]
    USES_FIELD_NUMBER: _ClassVar[int]
    TIES_FIELD_NUMBER: _ClassVar[int]
    path: str
    is_fresh: bool
    strings: _containers.RepeatedScalarFieldContainer[str]
    symbols: ExactSymbolColumns
    uses: ExactUseColumns
    ties: ExactTieColumns
    def __init__(self, path: _Optional[str] = ..., is_fresh: _Optional[bool] = ..., strings: _Optional[_Iterable[str]] = ..., symbols: _Optional[_Union[ExactSymbolColumns, _Mapping]] = ..., uses: _Optional[_Union[ExactUseColumns, _Mapping]] = ..., ties: _Optional[_Union[ExactTieColumns, _Mapping]] = ...) -> None: ...

class ExactSymbolColumns(_message.Message):
    __slots__ = ("usrs", "names", "lines", "columns", "owners", "stands_for_owner")
    USRS_FIELD_NUMBER: _ClassVar[int]
    NAMES_FIELD_NUMBER: _ClassVar[int]
    LINES_FIELD_NUMBER: _ClassVar[int]
    COLUMNS_FIELD_NUMBER: _ClassVar[int]
    OWNERS_FIELD_NUMBER: _ClassVar[int]
    STANDS_FOR_OWNER_FIELD_NUMBER: _ClassVar[int]
    usrs: _containers.RepeatedScalarFieldContainer[int]
    names: _containers.RepeatedScalarFieldContainer[int]
    lines: _containers.RepeatedScalarFieldContainer[int]
    columns: _containers.RepeatedScalarFieldContainer[int]
    owners: _containers.RepeatedScalarFieldContainer[int]
    stands_for_owner: _containers.RepeatedScalarFieldContainer[bool]
    def __init__(self, usrs: _Optional[_Iterable[int]] = ..., names: _Optional[_Iterable[int]] = ..., lines: _Optional[_Iterable[int]] = ..., columns: _Optional[_Iterable[int]] = ..., owners: _Optional[_Iterable[int]] = ..., stands_for_owner: _Optional[_Iterable[bool]] = ...) -> None: ...

class ExactUseColumns(_message.Message):
    __slots__ = ("usrs", "lines", "columns", "roles", "users")
    USRS_FIELD_NUMBER: _ClassVar[int]
    LINES_FIELD_NUMBER: _ClassVar[int]
    COLUMNS_FIELD_NUMBER: _ClassVar[int]
    ROLES_FIELD_NUMBER: _ClassVar[int]
    USERS_FIELD_NUMBER: _ClassVar[int]
    usrs: _containers.RepeatedScalarFieldContainer[int]
    lines: _containers.RepeatedScalarFieldContainer[int]
    columns: _containers.RepeatedScalarFieldContainer[int]
    roles: _containers.RepeatedScalarFieldContainer[int]
    users: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, usrs: _Optional[_Iterable[int]] = ..., lines: _Optional[_Iterable[int]] = ..., columns: _Optional[_Iterable[int]] = ..., roles: _Optional[_Iterable[int]] = ..., users: _Optional[_Iterable[int]] = ...) -> None: ...

class ExactTieColumns(_message.Message):
    __slots__ = ("kinds", "sources", "targets", "lines", "columns")
    KINDS_FIELD_NUMBER: _ClassVar[int]
    SOURCES_FIELD_NUMBER: _ClassVar[int]
    TARGETS_FIELD_NUMBER: _ClassVar[int]
    LINES_FIELD_NUMBER: _ClassVar[int]
    COLUMNS_FIELD_NUMBER: _ClassVar[int]
    kinds: _containers.RepeatedScalarFieldContainer[_model_pb2.EdgeKind]
    sources: _containers.RepeatedScalarFieldContainer[int]
    targets: _containers.RepeatedScalarFieldContainer[int]
    lines: _containers.RepeatedScalarFieldContainer[int]
    columns: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, kinds: _Optional[_Iterable[_Union[_model_pb2.EdgeKind, str]]] = ..., sources: _Optional[_Iterable[int]] = ..., targets: _Optional[_Iterable[int]] = ..., lines: _Optional[_Iterable[int]] = ..., columns: _Optional[_Iterable[int]] = ...) -> None: ...

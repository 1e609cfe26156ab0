from exegesis.v1 import model_pb2 as _model_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class IndexOptions(_message.Message):
    __slots__ = ("include_dependencies", "embed", "index_store", "describe")
    INCLUDE_DEPENDENCIES_FIELD_NUMBER: _ClassVar[int]
    EMBED_FIELD_NUMBER: _ClassVar[int]
    INDEX_STORE_FIELD_NUMBER: _ClassVar[int]
    DESCRIBE_FIELD_NUMBER: _ClassVar[int]
    include_dependencies: bool
    embed: bool
    index_store: str
    describe: bool
    def __init__(self, include_dependencies: _Optional[bool] = ..., embed: _Optional[bool] = ..., index_store: _Optional[str] = ..., describe: _Optional[bool] = ...) -> None: ...

class IndexRequest(_message.Message):
    __slots__ = ("root", "options")
    ROOT_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    root: str
    options: IndexOptions
    def __init__(self, root: _Optional[str] = ..., options: _Optional[_Union[IndexOptions, _Mapping]] = ...) -> None: ...

class IndexReport(_message.Message):
    __slots__ = ("repository", "generation", "changed", "removed", "resumed", "unchanged", "seconds", "described", "descriptions_kept", "told")
    REPOSITORY_FIELD_NUMBER: _ClassVar[int]
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    RESUMED_FIELD_NUMBER: _ClassVar[int]
    UNCHANGED_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    DESCRIBED_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTIONS_KEPT_FIELD_NUMBER: _ClassVar[int]
    TOLD_FIELD_NUMBER: _ClassVar[int]
    repository: _model_pb2.Repository
    generation: _model_pb2.Generation
    changed: int
    removed: int
    resumed: bool
    unchanged: bool
    seconds: float
    described: int
    descriptions_kept: int
    told: int
    def __init__(self, repository: _Optional[_Union[_model_pb2.Repository, _Mapping]] = ..., generation: _Optional[_Union[_model_pb2.Generation, _Mapping]] = ..., changed: _Optional[int] = ..., removed: _Optional[int] = ..., resumed: _Optional[bool] = ..., unchanged: _Optional[bool] = ..., seconds: _Optional[float] = ..., described: _Optional[int] = ..., descriptions_kept: _Optional[int] = ..., told: _Optional[int] = ...) -> None: ...

class IndexEvent(_message.Message):
    __slots__ = ("progress", "report")
    PROGRESS_FIELD_NUMBER: _ClassVar[int]
    REPORT_FIELD_NUMBER: _ClassVar[int]
    progress: _model_pb2.Progress
    report: IndexReport
    def __init__(self, progress: _Optional[_Union[_model_pb2.Progress, _Mapping]] = ..., report: _Optional[_Union[IndexReport, _Mapping]] = ...) -> None: ...

class LocateRequest(_message.Message):
    __slots__ = ("root",)
    ROOT_FIELD_NUMBER: _ClassVar[int]
    root: str
    def __init__(self, root: _Optional[str] = ...) -> None: ...

class RepositoryRequest(_message.Message):
    __slots__ = ("repository",)
    REPOSITORY_FIELD_NUMBER: _ClassVar[int]
    repository: str
    def __init__(self, repository: _Optional[str] = ...) -> None: ...

class IsStaleResponse(_message.Message):
    __slots__ = ("stale",)
    STALE_FIELD_NUMBER: _ClassVar[int]
    stale: bool
    def __init__(self, stale: _Optional[bool] = ...) -> None: ...

class SourceFilePage(_message.Message):
    __slots__ = ("files",)
    FILES_FIELD_NUMBER: _ClassVar[int]
    files: _containers.RepeatedCompositeFieldContainer[_model_pb2.SourceFile]
    def __init__(self, files: _Optional[_Iterable[_Union[_model_pb2.SourceFile, _Mapping]]] = ...) -> None: ...

class StatusRequest(_message.Message):
    __slots__ = ("repository",)
    REPOSITORY_FIELD_NUMBER: _ClassVar[int]
    repository: str
    def __init__(self, repository: _Optional[str] = ...) -> None: ...

class Status(_message.Message):
    __slots__ = ("repository", "head", "coverage", "stale", "disk_bytes", "exact", "problem")
    REPOSITORY_FIELD_NUMBER: _ClassVar[int]
    HEAD_FIELD_NUMBER: _ClassVar[int]
    COVERAGE_FIELD_NUMBER: _ClassVar[int]
    STALE_FIELD_NUMBER: _ClassVar[int]
    DISK_BYTES_FIELD_NUMBER: _ClassVar[int]
    EXACT_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    repository: _model_pb2.Repository
    head: _model_pb2.Generation
    coverage: _model_pb2.Coverage
    stale: bool
    disk_bytes: int
    exact: ExactStatus
    problem: str
    def __init__(self, repository: _Optional[_Union[_model_pb2.Repository, _Mapping]] = ..., head: _Optional[_Union[_model_pb2.Generation, _Mapping]] = ..., coverage: _Optional[_Union[_model_pb2.Coverage, _Mapping]] = ..., stale: _Optional[bool] = ..., disk_bytes: _Optional[int] = ..., exact: _Optional[_Union[ExactStatus, _Mapping]] = ..., problem: _Optional[str] = ...) -> None: ...

class ExactStatus(_message.Message):
    __slots__ = ("stores", "files", "stale", "unknown", "problems")
    STORES_FIELD_NUMBER: _ClassVar[int]
    FILES_FIELD_NUMBER: _ClassVar[int]
    STALE_FIELD_NUMBER: _ClassVar[int]
    UNKNOWN_FIELD_NUMBER: _ClassVar[int]
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    stores: _containers.RepeatedScalarFieldContainer[str]
    files: int
    stale: _containers.RepeatedScalarFieldContainer[str]
    unknown: int
    problems: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, stores: _Optional[_Iterable[str]] = ..., files: _Optional[int] = ..., stale: _Optional[_Iterable[str]] = ..., unknown: _Optional[int] = ..., problems: _Optional[_Iterable[str]] = ...) -> None: ...

class StatusResponse(_message.Message):
    __slots__ = ("repositories",)
    REPOSITORIES_FIELD_NUMBER: _ClassVar[int]
    repositories: _containers.RepeatedCompositeFieldContainer[Status]
    def __init__(self, repositories: _Optional[_Iterable[_Union[Status, _Mapping]]] = ...) -> None: ...

class RemoveResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

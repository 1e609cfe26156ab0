from exegesis.v1 import indexer_pb2 as _indexer_pb2
from exegesis.v1 import model_pb2 as _model_pb2
from exegesis.v1 import query_pb2 as _query_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Asked(_message.Message):
    __slots__ = ("text", "projects", "options")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    PROJECTS_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    text: str
    projects: _containers.RepeatedScalarFieldContainer[str]
    options: _model_pb2.Options
    def __init__(self, text: _Optional[str] = ..., projects: _Optional[_Iterable[str]] = ..., options: _Optional[_Union[_model_pb2.Options, _Mapping]] = ...) -> None: ...

class SymbolRequest(_message.Message):
    __slots__ = ("project", "symbol")
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    SYMBOL_FIELD_NUMBER: _ClassVar[int]
    project: str
    symbol: str
    def __init__(self, project: _Optional[str] = ..., symbol: _Optional[str] = ...) -> None: ...

class RelationsResponse(_message.Message):
    __slots__ = ("relations",)
    RELATIONS_FIELD_NUMBER: _ClassVar[int]
    relations: _containers.RepeatedCompositeFieldContainer[_model_pb2.Relation]
    def __init__(self, relations: _Optional[_Iterable[_Union[_model_pb2.Relation, _Mapping]]] = ...) -> None: ...

class FindPathsRequest(_message.Message):
    __slots__ = ("project", "source", "target")
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    project: str
    source: str
    target: str
    def __init__(self, project: _Optional[str] = ..., source: _Optional[str] = ..., target: _Optional[str] = ...) -> None: ...

class GraphPath(_message.Message):
    __slots__ = ("relations",)
    RELATIONS_FIELD_NUMBER: _ClassVar[int]
    relations: _containers.RepeatedCompositeFieldContainer[_model_pb2.Relation]
    def __init__(self, relations: _Optional[_Iterable[_Union[_model_pb2.Relation, _Mapping]]] = ...) -> None: ...

class FindPathsResponse(_message.Message):
    __slots__ = ("paths",)
    PATHS_FIELD_NUMBER: _ClassVar[int]
    paths: _containers.RepeatedCompositeFieldContainer[GraphPath]
    def __init__(self, paths: _Optional[_Iterable[_Union[GraphPath, _Mapping]]] = ...) -> None: ...

class ProjectRequest(_message.Message):
    __slots__ = ("project",)
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    project: str
    def __init__(self, project: _Optional[str] = ...) -> None: ...

class DescribeRequest(_message.Message):
    __slots__ = ("project", "about")
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    ABOUT_FIELD_NUMBER: _ClassVar[int]
    project: str
    about: str
    def __init__(self, project: _Optional[str] = ..., about: _Optional[str] = ...) -> None: ...

class ListHubsResponse(_message.Message):
    __slots__ = ("hubs",)
    HUBS_FIELD_NUMBER: _ClassVar[int]
    hubs: _containers.RepeatedCompositeFieldContainer[_model_pb2.Hub]
    def __init__(self, hubs: _Optional[_Iterable[_Union[_model_pb2.Hub, _Mapping]]] = ...) -> None: ...

class DescribeModulesResponse(_message.Message):
    __slots__ = ("modules",)
    MODULES_FIELD_NUMBER: _ClassVar[int]
    modules: _containers.RepeatedCompositeFieldContainer[_model_pb2.ModuleSummary]
    def __init__(self, modules: _Optional[_Iterable[_Union[_model_pb2.ModuleSummary, _Mapping]]] = ...) -> None: ...

class AlwaysWithResponse(_message.Message):
    __slots__ = ("companions",)
    COMPANIONS_FIELD_NUMBER: _ClassVar[int]
    companions: _containers.RepeatedCompositeFieldContainer[_model_pb2.Companion]
    def __init__(self, companions: _Optional[_Iterable[_Union[_model_pb2.Companion, _Mapping]]] = ...) -> None: ...

class ListCyclesResponse(_message.Message):
    __slots__ = ("cycles",)
    CYCLES_FIELD_NUMBER: _ClassVar[int]
    cycles: _containers.RepeatedCompositeFieldContainer[_model_pb2.Cycle]
    def __init__(self, cycles: _Optional[_Iterable[_Union[_model_pb2.Cycle, _Mapping]]] = ...) -> None: ...

class ListDeadEndsResponse(_message.Message):
    __slots__ = ("symbols",)
    SYMBOLS_FIELD_NUMBER: _ClassVar[int]
    symbols: _containers.RepeatedCompositeFieldContainer[_model_pb2.Symbol]
    def __init__(self, symbols: _Optional[_Iterable[_Union[_model_pb2.Symbol, _Mapping]]] = ...) -> None: ...

class ListEntryPointsResponse(_message.Message):
    __slots__ = ("entry_points",)
    ENTRY_POINTS_FIELD_NUMBER: _ClassVar[int]
    entry_points: _containers.RepeatedCompositeFieldContainer[_model_pb2.EntryPoint]
    def __init__(self, entry_points: _Optional[_Iterable[_Union[_model_pb2.EntryPoint, _Mapping]]] = ...) -> None: ...

class ListRepositoriesRequest(_message.Message):
    __slots__ = ("projects",)
    PROJECTS_FIELD_NUMBER: _ClassVar[int]
    projects: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, projects: _Optional[_Iterable[str]] = ...) -> None: ...

class ListRepositoriesResponse(_message.Message):
    __slots__ = ("repositories",)
    REPOSITORIES_FIELD_NUMBER: _ClassVar[int]
    repositories: _containers.RepeatedCompositeFieldContainer[_indexer_pb2.Status]
    def __init__(self, repositories: _Optional[_Iterable[_Union[_indexer_pb2.Status, _Mapping]]] = ...) -> None: ...

class ListFilesRequest(_message.Message):
    __slots__ = ("project", "after")
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    project: str
    after: str
    def __init__(self, project: _Optional[str] = ..., after: _Optional[str] = ...) -> None: ...

class ListFilesResponse(_message.Message):
    __slots__ = ("files", "more")
    FILES_FIELD_NUMBER: _ClassVar[int]
    MORE_FIELD_NUMBER: _ClassVar[int]
    files: _containers.RepeatedCompositeFieldContainer[_model_pb2.SourceFile]
    more: bool
    def __init__(self, files: _Optional[_Iterable[_Union[_model_pb2.SourceFile, _Mapping]]] = ..., more: _Optional[bool] = ...) -> None: ...

class IndexRepositoryRequest(_message.Message):
    __slots__ = ("project", "options")
    PROJECT_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    project: str
    options: _indexer_pb2.IndexOptions
    def __init__(self, project: _Optional[str] = ..., options: _Optional[_Union[_indexer_pb2.IndexOptions, _Mapping]] = ...) -> None: ...

class RemoveRepositoriesRequest(_message.Message):
    __slots__ = ("projects",)
    PROJECTS_FIELD_NUMBER: _ClassVar[int]
    projects: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, projects: _Optional[_Iterable[str]] = ...) -> None: ...

class RemoveRepositoriesResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetEvidenceRequest(_message.Message):
    __slots__ = ("repository", "generation", "path", "start", "end")
    REPOSITORY_FIELD_NUMBER: _ClassVar[int]
    GENERATION_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    repository: str
    generation: str
    path: str
    start: int
    end: int
    def __init__(self, repository: _Optional[str] = ..., generation: _Optional[str] = ..., path: _Optional[str] = ..., start: _Optional[int] = ..., end: _Optional[int] = ...) -> None: ...

class GetEvidenceResponse(_message.Message):
    __slots__ = ("lines",)
    LINES_FIELD_NUMBER: _ClassVar[int]
    lines: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, lines: _Optional[_Iterable[str]] = ...) -> None: ...

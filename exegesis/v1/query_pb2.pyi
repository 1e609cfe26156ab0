from exegesis.v1 import model_pb2 as _model_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class EventPage(_message.Message):
    __slots__ = ("events",)
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[_model_pb2.Event]
    def __init__(self, events: _Optional[_Iterable[_Union[_model_pb2.Event, _Mapping]]] = ...) -> None: ...

class SearchAnswer(_message.Message):
    __slots__ = ("results", "stages", "warnings", "files")
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    STAGES_FIELD_NUMBER: _ClassVar[int]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    FILES_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[_model_pb2.Result]
    stages: _containers.RepeatedCompositeFieldContainer[_model_pb2.StageReport]
    warnings: _containers.RepeatedScalarFieldContainer[str]
    files: _containers.RepeatedCompositeFieldContainer[_model_pb2.FileResults]
    def __init__(self, results: _Optional[_Iterable[_Union[_model_pb2.Result, _Mapping]]] = ..., stages: _Optional[_Iterable[_Union[_model_pb2.StageReport, _Mapping]]] = ..., warnings: _Optional[_Iterable[str]] = ..., files: _Optional[_Iterable[_Union[_model_pb2.FileResults, _Mapping]]] = ...) -> None: ...

class Composition(_message.Message):
    __slots__ = ("results", "context", "stages", "warnings")
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    STAGES_FIELD_NUMBER: _ClassVar[int]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[_model_pb2.Result]
    context: _model_pb2.Context
    stages: _containers.RepeatedCompositeFieldContainer[_model_pb2.StageReport]
    warnings: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, results: _Optional[_Iterable[_Union[_model_pb2.Result, _Mapping]]] = ..., context: _Optional[_Union[_model_pb2.Context, _Mapping]] = ..., stages: _Optional[_Iterable[_Union[_model_pb2.StageReport, _Mapping]]] = ..., warnings: _Optional[_Iterable[str]] = ...) -> None: ...

class OutlineAnswer(_message.Message):
    __slots__ = ("nodes", "context", "stages", "model", "warnings")
    NODES_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    STAGES_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    nodes: _containers.RepeatedCompositeFieldContainer[_model_pb2.OutlineNode]
    context: _model_pb2.Context
    stages: _containers.RepeatedCompositeFieldContainer[_model_pb2.StageReport]
    model: str
    warnings: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, nodes: _Optional[_Iterable[_Union[_model_pb2.OutlineNode, _Mapping]]] = ..., context: _Optional[_Union[_model_pb2.Context, _Mapping]] = ..., stages: _Optional[_Iterable[_Union[_model_pb2.StageReport, _Mapping]]] = ..., model: _Optional[str] = ..., warnings: _Optional[_Iterable[str]] = ...) -> None: ...

class AboutRequest(_message.Message):
    __slots__ = ("repository", "about")
    REPOSITORY_FIELD_NUMBER: _ClassVar[int]
    ABOUT_FIELD_NUMBER: _ClassVar[int]
    repository: str
    about: str
    def __init__(self, repository: _Optional[str] = ..., about: _Optional[str] = ...) -> None: ...

class DescribeResponse(_message.Message):
    __slots__ = ("descriptions",)
    DESCRIPTIONS_FIELD_NUMBER: _ClassVar[int]
    descriptions: _containers.RepeatedCompositeFieldContainer[_model_pb2.Description]
    def __init__(self, descriptions: _Optional[_Iterable[_Union[_model_pb2.Description, _Mapping]]] = ...) -> None: ...

class EvidenceRequest(_message.Message):
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

class EvidenceResponse(_message.Message):
    __slots__ = ("lines",)
    LINES_FIELD_NUMBER: _ClassVar[int]
    lines: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, lines: _Optional[_Iterable[str]] = ...) -> None: ...

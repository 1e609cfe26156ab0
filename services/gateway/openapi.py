"""The OpenAPI document, made from the contract itself: every operation is a row of the table, every schema a message."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor

import exegesis
from services.gateway.operations import Operation

Document = dict[str, Any]
Descriptor = Any
"""Of a message; protobuf has two classes of them."""

_ERROR: Final[Document] = {
    "type": "object",
    "properties": {
        "error": {
            "type": "object",
            "required": ["status", "message"],
            "properties": {
                "status": {"type": "string", "description": "Name of the gRPC status, such as NOT_FOUND."},
                "message": {"type": "string", "description": "Written for people."},
                "hint": {"type": "string", "description": "What to do about it."},
                "request_id": {"type": "string", "description": "Finds the call in the logs of the gateway."},
            },
        }
    },
}

_SCALARS: Final[dict[int, Document]] = {
    FieldDescriptor.CPPTYPE_STRING: {"type": "string"},
    FieldDescriptor.CPPTYPE_BOOL: {"type": "boolean"},
    FieldDescriptor.CPPTYPE_DOUBLE: {"type": "number"},
    FieldDescriptor.CPPTYPE_FLOAT: {"type": "number"},
    FieldDescriptor.CPPTYPE_INT32: {"type": "integer"},
    FieldDescriptor.CPPTYPE_UINT32: {"type": "integer", "minimum": 0},
    FieldDescriptor.CPPTYPE_INT64: {"type": "string", "format": "int64"},
    FieldDescriptor.CPPTYPE_UINT64: {"type": "string", "format": "uint64"},
}
"""As the standard mapping to JSON writes them; 64-bit numbers are strings there."""


def describe(operations: Sequence[Operation]) -> Document:
    roots = [operation.request.DESCRIPTOR for operation in operations] + [operation.answer.DESCRIPTOR for operation in operations]
    schemas = {descriptor.name: _schema(descriptor) for descriptor in _reachable(roots)}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Exegesis", "version": exegesis.__version__, "description": "Explains codebases. The same calls as exegesis.v1.Gateway."},
        "paths": {operation.route: {"post": _operation(operation)} for operation in operations},
        "components": {
            "schemas": {**schemas, "Problem": _ERROR},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": "`exegesis token create` prints one."}},
        },
        "security": [{"token": []}],
    }


def _operation(operation: Operation) -> Document:
    whole: Descriptor = operation.answer.DESCRIPTOR
    for name in operation.whole:
        whole = whole.fields_by_name[name].message_type
    content: Document = {"application/json": {"schema": _reference(whole)}}
    if operation.streams:
        content["text/event-stream"] = {"schema": _reference(operation.answer.DESCRIPTOR)}
    return {
        "operationId": operation.name,
        "summary": operation.summary,
        "requestBody": {"required": True, "content": {"application/json": {"schema": _reference(operation.request.DESCRIPTOR)}}},
        "responses": {
            "200": {"description": "The answer.", "content": content},
            "default": {"description": "What went wrong.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}},
        },
    }


def _reachable(roots: Sequence[Descriptor]) -> Iterator[Descriptor]:
    """Messages that these consist of, each once."""
    seen: set[str] = set()
    waiting = list(roots)
    while waiting:
        descriptor = waiting.pop()
        if descriptor.name not in seen:
            seen.add(descriptor.name)
            yield descriptor
            waiting += [field.message_type for field in descriptor.fields if field.message_type is not None]


def _schema(descriptor: Descriptor) -> Document:
    return {"type": "object", "properties": {field.name: _field(field) for field in descriptor.fields}}


def _field(field: Any) -> Document:
    if field.message_type is not None:
        one = _reference(field.message_type)
    elif field.enum_type is not None:
        one = {"type": "string", "enum": [value.name for value in field.enum_type.values]}
    else:
        one = _SCALARS[field.cpp_type]
    return {"type": "array", "items": one} if field.is_repeated else one


def _reference(descriptor: Descriptor) -> Document:
    return {"$ref": f"#/components/schemas/{descriptor.name}"}

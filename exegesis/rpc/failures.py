"""Errors as ``google.rpc.Status`` and back, by one table: what is raised on one side is raised on the other, with its message and its hint.

A status carries an ``ErrorInfo`` (reason, and the hint among its metadata), a ``BadRequest`` where the request is at fault, and a ``RetryInfo`` where
trying again helps. What is no error of the tree becomes INTERNAL with an identifier and without text: its words might be anybody's code or key.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import grpc
from google.protobuf import any_pb2, duration_pb2
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from exegesis import errors
from exegesis.errors import ExegesisError

if TYPE_CHECKING:
    from google.protobuf.message import Message

DOMAIN: Final = "exegesis"

KINDS: Final[tuple[type[ExegesisError], ...]] = (
    errors.ExegesisError,
    errors.UsageError,
    errors.UnknownSymbol,
    errors.NothingRelevant,
    errors.NotFound,
    errors.Unauthenticated,
    errors.Forbidden,
    errors.NotIndexed,
    errors.Conflict,
    errors.Cancelled,
    errors.CorruptIndex,
    errors.WireError,
    errors.Unavailable,
    errors.QuotaExceeded,
    errors.ChunksUnavailable,
    errors.EmbedderUnavailable,
    errors.EmbedderMismatch,
    errors.RerankerUnavailable,
    errors.ModelUnavailable,
    errors.ModelRefused,
)
"""Every error that crosses. Its status is its own; its reason is its name, ``NOT_INDEXED`` for ``NotIndexed``."""

RETRY_SECONDS: Final[Mapping[type[ExegesisError], float]] = {
    errors.Conflict: 5.0,  # an index run that is under way takes seconds to minutes
    errors.Unavailable: 1.0,  # a process that restarts is back within seconds
    errors.QuotaExceeded: 1.0,  # unless the error itself knows better
    errors.ChunksUnavailable: 1.0,
    errors.EmbedderUnavailable: 1.0,
    errors.RerankerUnavailable: 1.0,
    errors.ModelUnavailable: 5.0,  # endpoints say so for half a minute and longer
}
"""When trying again may help, and after how long. Not listed: never."""

GENERAL: Final[Mapping[str, type[ExegesisError]]] = {
    "INVALID_ARGUMENT": errors.UsageError,
    "OUT_OF_RANGE": errors.UsageError,
    "NOT_FOUND": errors.NotFound,
    "UNAUTHENTICATED": errors.Unauthenticated,
    "PERMISSION_DENIED": errors.NotFound,  # the two are never told apart
    "FAILED_PRECONDITION": errors.NotIndexed,
    "ABORTED": errors.Conflict,
    "CANCELLED": errors.Cancelled,
    "DATA_LOSS": errors.CorruptIndex,
    "UNAVAILABLE": errors.Unavailable,
    "RESOURCE_EXHAUSTED": errors.Unavailable,
    "DEADLINE_EXCEEDED": errors.Unavailable,
    "UNIMPLEMENTED": errors.Unavailable,
}
"""What to make of a status whose reason this version does not know, or that gRPC itself gave. Not listed: the root of the tree."""

SAID_BY_GRPC: Final[Mapping[str, tuple[str, str]]] = {
    "UNAVAILABLE": ("does not answer", "Check that it runs there, or unset its address to do without it."),
    "DEADLINE_EXCEEDED": ("took too long to answer", "Try again, or ask for less."),
    "RESOURCE_EXHAUSTED": ("has too much to do", "Try again in a moment, or run another replica."),
    "UNIMPLEMENTED": ("does not know this call", "Run the same version on both sides."),
    "CANCELLED": ("was told to stop", ""),
}
"""What happened, after the name of the service, and what to do, where gRPC and not the service gave the status."""

MESSAGE_BYTES: Final = 1_200
HINT_BYTES: Final = 500
"""gRPC refuses trailers over 8 KiB. A message crosses twice, once escaped (three bytes for one at worst), once in base64 with the hint."""

BY_REASON: Final[Mapping[str, type[ExegesisError]]] = {re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__).upper(): kind for kind in KINDS}
REASONS: Final[Mapping[type[ExegesisError], str]] = {kind: reason for reason, kind in BY_REASON.items()}


def status_of(error: Exception, *, request_id: str = "") -> status_pb2.Status:
    """The status for whatever a call raised. For an unknown failure the identifier in it is ``request_id``, or a new one."""
    if isinstance(error, TimeoutError):
        hint = "Try again, or ask for less."
        return _status("DEADLINE_EXCEEDED", "The call took longer than it may.", errors.Unavailable, hint, request_id, retry=1.0)
    if not isinstance(error, ExegesisError):
        return _status("INTERNAL", f"Something went wrong inside ({request_id or new_id()}).", ExegesisError, _LOOK, request_id)
    kind = next(known for known in type(error).__mro__ if known in REASONS)  # the tree has a root
    return _status(error.status, error.message, kind, error.hint, request_id, retry=retry_seconds(error))


def retry_seconds(error: ExegesisError) -> float | None:
    """After how long trying again may help; None where it does not."""
    if isinstance(error, errors.QuotaExceeded):
        return error.seconds
    return RETRY_SECONDS.get(next(known for known in type(error).__mro__ if known in REASONS))


class Broken(errors.Unavailable):
    """The connection failed rather than what was asked: nobody knows how much of a stream arrived."""


def error_of(failure: grpc.RpcError, *, service: str) -> ExegesisError:
    """The error that the other side raised, or the nearest one for a failure of the connection, ``Broken`` where there is none any more.
    ``service`` says who was asked.
    """
    code = failure.code()
    name = code.name if isinstance(code, grpc.StatusCode) else "UNKNOWN"
    info = _info(failure)
    if info is not None:
        kind = BY_REASON.get(info.reason) or GENERAL.get(name, ExegesisError)
        return kind(failure.details() or name, hint=info.metadata.get("hint", ""))
    what, hint = SAID_BY_GRPC.get(name, (f"failed ({name})", _LOOK))
    kind = Broken if code is grpc.StatusCode.UNAVAILABLE else GENERAL.get(name, ExegesisError)
    return kind(f"The {service} {what}.", hint=hint)


def new_id() -> str:
    return secrets.token_hex(8)


_LOOK: Final = "The log of the service tells more under that identifier."


def _status(code: str, message: str, kind: type[ExegesisError], hint: str, request_id: str, *, retry: float | None = None) -> status_pb2.Status:
    message = _cut(message, MESSAGE_BYTES)
    metadata = {name: value for name, value in (("hint", _cut(hint, HINT_BYTES)), ("request_id", request_id)) if value}
    details: list[Message] = [error_details_pb2.ErrorInfo(reason=REASONS[kind], domain=DOMAIN, metadata=metadata)]
    if code == "INVALID_ARGUMENT":
        details.append(error_details_pb2.BadRequest(field_violations=[error_details_pb2.BadRequest.FieldViolation(description=message)]))
    if retry is not None:
        pause = duration_pb2.Duration()
        pause.FromMilliseconds(round(retry * 1000))
        details.append(error_details_pb2.RetryInfo(retry_delay=pause))
    return status_pb2.Status(code=code_pb2.Code.Value(code), message=message, details=[_packed(detail) for detail in details])


def _packed(detail: Message) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(detail)
    return packed


def _info(failure: grpc.RpcError) -> Any:
    """Our own ``ErrorInfo`` in a failure; None where gRPC, or something between, made it."""
    try:
        status = rpc_status.from_call(failure)
    except (ValueError, AttributeError):  # details that do not agree with the status, or no call at all
        return None
    for detail in status.details if status is not None else ():
        info = error_details_pb2.ErrorInfo()
        if detail.Is(info.DESCRIPTOR) and detail.Unpack(info) and info.domain == DOMAIN:
            return info
    return None


def _cut(text: str, most: int) -> str:
    """At most so many bytes of a text, never half a character; what cannot be encoded is replaced."""
    encoded = text.encode("utf-8", "replace")
    return encoded.decode() if len(encoded) <= most else encoded[: most - 3].decode("utf-8", "ignore") + "\u2026"

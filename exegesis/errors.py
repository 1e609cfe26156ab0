"""Everything that can go wrong, as one tree. A person sees message and hint, never a traceback.

    ExegesisError
    ├── UsageError                 the caller asked for something that cannot be: fix the call (exit 2)
    │   └── UnknownSymbol          no symbol of that name; the message lists the nearest ones
    ├── NothingRelevant            the question has no answer in what was searched (exit 3)
    ├── NotFound                   no such repository or generation, or not for this caller: the two are never told apart
    ├── Unauthenticated            nobody knows who calls: no token, or none that is accepted
    ├── Forbidden                  the caller may see the repository, and may not do this with it
    ├── NotIndexed                 the repository is known, and nothing of it can be asked yet
    ├── Conflict                   somebody else is writing what this call wants to write
    ├── Cancelled                  the caller asked to stop (exit 130)
    ├── CorruptIndex               stored data does not read as what was written; rebuilding helps
    ├── WireError                  bytes of a message do not decode
    └── Unavailable                something outside this process does not answer; trying again may help
        ├── QuotaExceeded          the caller asks more often than it may
        ├── ChunksUnavailable      the server of the chunk index; questions are answered without it
        ├── EmbedderUnavailable
        │   └── EmbedderMismatch   it answers, and is not the model that the vectors are of, or that the settings name
        ├── RerankerUnavailable    lists are ordered without it
        └── ModelUnavailable
            └── ModelRefused       the endpoint answered, and its answer is no (key, model name, request)

Each error knows its gRPC status name, its process exit code and a hint: one sentence saying what to do next.
"""

from __future__ import annotations

from typing import ClassVar


class ExegesisError(Exception):
    """Root of the tree. ``message`` says what happened, ``hint`` what to do about it; neither ever holds a secret."""

    status: ClassVar[str] = "INTERNAL"
    exit_code: ClassVar[int] = 1
    default_hint: ClassVar[str] = ""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint or self.default_hint


class UsageError(ExegesisError):
    status = "INVALID_ARGUMENT"
    exit_code = 2


class UnknownSymbol(UsageError):
    status = "NOT_FOUND"


class NothingRelevant(ExegesisError):
    """Raised when nothing that was searched bears on the question; the message says what was searched."""

    status = "NOT_FOUND"
    exit_code = 3
    default_hint = "Ask with words that the code or its documentation uses, or check what is indexed with `exegesis status`."


class NotFound(ExegesisError):
    status = "NOT_FOUND"


class Unauthenticated(ExegesisError):
    status = "UNAUTHENTICATED"
    default_hint = "Send a token that `exegesis token create` printed, as `authorization: Bearer exg_...`."


class Forbidden(ExegesisError):
    status = "PERMISSION_DENIED"
    default_hint = "Whoever runs the gateway can make a token that may: `exegesis token create --help`."


class NotIndexed(ExegesisError):
    status = "FAILED_PRECONDITION"
    default_hint = "Run `exegesis index PATH` first."


class Conflict(ExegesisError):
    status = "ABORTED"
    default_hint = "Wait until the other run has finished, or stop it."


class Cancelled(ExegesisError):
    status = "CANCELLED"
    exit_code = 130
    default_hint = "Call it again: it goes on where it stopped."


class CorruptIndex(ExegesisError):
    status = "DATA_LOSS"
    default_hint = "Run `exegesis remove` and `exegesis index` for this project."


class WireError(ExegesisError):
    status = "INVALID_ARGUMENT"


class Unavailable(ExegesisError):
    status = "UNAVAILABLE"


class QuotaExceeded(Unavailable):
    """``seconds`` from now on it may ask again."""

    status = "RESOURCE_EXHAUSTED"

    def __init__(self, message: str, *, hint: str = "", seconds: float = 1.0) -> None:
        super().__init__(message, hint=hint)
        self.seconds = seconds


class ChunksUnavailable(Unavailable):
    default_hint = "Check that the server of the chunk index runs at EXEGESIS_CHUNKS_ADDRESS."


class EmbedderUnavailable(Unavailable):
    default_hint = "Set EXEGESIS_EMBEDDER=none to answer without vectors."


class EmbedderMismatch(EmbedderUnavailable):
    status = "FAILED_PRECONDITION"
    default_hint = "Serve the model that EXEGESIS_EMBEDDER_MODEL names, or name the one that is served and index again."


class RerankerUnavailable(Unavailable):
    default_hint = "Check that the server of the reranker runs at EXEGESIS_RERANKER_ADDRESS, or leave the setting empty."


class ModelUnavailable(Unavailable):
    default_hint = "Check EXEGESIS_MODEL_URL, or pass --no-llm for an extractive answer."


class ModelRefused(ModelUnavailable):
    status = "FAILED_PRECONDITION"

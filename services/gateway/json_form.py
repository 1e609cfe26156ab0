"""Messages as JSON and back: the standard mapping of Protocol Buffers, with the names of the contract.

64-bit numbers are strings, because JavaScript rounds them, and enum values stand under their full names.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

from google.protobuf import json_format

from exegesis.errors import WireError

if TYPE_CHECKING:
    from google.protobuf.message import Message

M = TypeVar("M", bound="Message")


def to_json(message: Message) -> bytes:
    """On one line. What is not set is written as its zero value, so that readers need not know defaults."""
    fields = json_format.MessageToDict(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def from_json(body: bytes, kind: type[M]) -> M:
    """Raises ``WireError`` for what is no such message; an unknown field is one, since most often it is a slip of the pen."""
    try:
        fields: Any = json.loads(body or b"{}")
        if not isinstance(fields, dict):
            raise WireError("The body must be a JSON object.")
        return json_format.ParseDict(fields, kind())
    except (json_format.Error, ValueError, TypeError, RecursionError) as error:
        words = str(error).partition("\n")[0][:300]
        raise WireError(f"The body is not the JSON of {kind.DESCRIPTOR.name}: {words}.") from None

"""The vocabulary to protocol buffers and back, total both ways: what can be said in one can be said in the other.

Two forms, because two things are wanted of them. A *message* mirrors its dataclass field by field (:mod:`exegesis.wire.messages`); it is what
the services say to each other and to people. *Facts* travel in bulk, as columns (:mod:`exegesis.wire.facts`).

Bytes that do not decode, messages that lack a part and enum values from a later version raise ``WireError`` and nothing else.
"""

from exegesis.wire.exact import exact_from_message, exact_to_message
from exegesis.wire.facts import decode_facts, encode_facts, facts_from_message, facts_to_message
from exegesis.wire.messages import decode, encode, event_from_message, event_to_message, from_message, to_message

__all__ = [
    "decode",
    "decode_facts",
    "encode",
    "encode_facts",
    "event_from_message",
    "event_to_message",
    "exact_from_message",
    "exact_to_message",
    "facts_from_message",
    "facts_to_message",
    "from_message",
    "to_message",
]

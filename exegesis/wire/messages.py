"""A value of the vocabulary as a message of the same shape, and back.

The shape is written twice only, in the dataclass and in the ``.proto`` file; this module reads both and joins them by name, once per pair of types:

    dataclass                        message
    --------------------------------+----------------------------------------------------------------------
    str, int, float, bool, bytes     the scalar
    X | None                         a field with presence; absent is None, or the default of the dataclass
    tuple[X, ...]                    repeated X
    tuple[X, Y]                      a message of as many fields, taken in the order of their numbers
    StrEnum                          the enum value of the same name behind its prefix
    IntFlag                          its bits
    dataclass                        the message of the same fields

A service uses it for its own value classes as well, since the message type is an argument: ``to_message(report, indexer_pb2.IndexReport)``.
"""

from __future__ import annotations

import functools
import re
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import IntFlag, StrEnum
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_origin, get_type_hints

from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from exegesis import model
from exegesis.errors import WireError
from exegesis.v1 import model_pb2
from exegesis.wire.enums import members, numbers

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor

T = TypeVar("T")
M = TypeVar("M", bound=Message)

Convert = Callable[[Any], Any]

_SCALARS = frozenset({str, int, float, bool, bytes})


@dataclass(frozen=True, slots=True)
class _Field:
    """How one field crosses."""

    name: str
    pack: Convert
    unpack: Convert
    has_presence: bool
    default: Callable[[], Any] | None
    """Makes the value of an absent field; None where it may not be absent."""


def to_message(value: Any, message: type[M]) -> M:
    """``value`` as a message of that type. Raises ``WireError`` when something in it does not fit: a negative line, a string that is not text."""
    try:
        return _packer(type(value), message.DESCRIPTOR)(value)  # type: ignore[no-any-return, arg-type]  # classes are hashable
    except (TypeError, ValueError, OverflowError) as error:
        raise WireError(f"a {type(value).__name__} does not fit on the wire: {error}") from None


def from_message(message: Message, kind: type[T]) -> T:
    """The value that ``to_message`` was given. Raises ``WireError`` when a part without a default is absent or an enum value is unknown."""
    return _unpacker(kind, message.DESCRIPTOR)(message)  # type: ignore[no-any-return, arg-type]  # classes are hashable


def encode(value: Any, message: type[Message]) -> bytes:
    return to_message(value, message).SerializeToString()


def decode(data: bytes, message: type[Message], kind: type[T]) -> T:
    """The value that ``encode`` was given. Raises ``WireError`` for bytes that are no such message."""
    parsed = message()
    try:
        parsed.ParseFromString(data)
    except DecodeError as error:
        raise WireError(f"these bytes are no {message.DESCRIPTOR.name}: {error}") from None
    return from_message(parsed, kind)


# -------------------------------------------------------------------------------------------------------------- events

_EVENTS: Mapping[str, type[model.Event]] = {re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__).lower(): kind for kind in get_args(model.Event)}
"""Field of the oneof, and the class it carries."""

_EVENT_FIELDS = {kind: name for name, kind in _EVENTS.items()}


def event_to_message(event: model.Event) -> model_pb2.Event:
    name = _EVENT_FIELDS[type(event)]
    message = model_pb2.Event()
    getattr(message, name).CopyFrom(to_message(event, type(getattr(message, name))))
    return message


def event_from_message(message: model_pb2.Event) -> model.Event:
    """Raises ``WireError`` for an event of a kind that this version does not know."""
    name = message.WhichOneof("event")
    if name is None:
        raise WireError("an event of an unknown kind")
    return from_message(getattr(message, name), _EVENTS[name])


# ------------------------------------------------------------------------------------------------------ plans by type


@functools.cache
def _fields(kind: type, descriptor: Descriptor) -> tuple[_Field, ...]:
    hints = get_type_hints(kind)
    plan = []
    for field in fields(kind):
        wire = descriptor.fields_by_name.get(field.name)
        if wire is None:
            raise AssertionError(f"{descriptor.full_name} has no field for {kind.__name__}.{field.name}")
        hint, optional = _without_none(hints[field.name])
        pack, unpack = _conversions(hint, wire)
        default: Callable[[], Any] | None = None
        if field.default is not MISSING:
            default = functools.partial(_same, field.default)
        elif field.default_factory is not MISSING:
            default = field.default_factory
        elif optional:
            default = functools.partial(_same, None)
        plan.append(_Field(field.name, pack, unpack, wire.has_presence, default))
    return tuple(plan)


@functools.cache
def _packer(kind: type, descriptor: Descriptor) -> Convert:
    plan = _fields(kind, descriptor)
    plain = [field.name for field in plan if field.pack is _same]
    converted = [(field.name, field.pack) for field in plan if field.pack is not _same]
    message = GetMessageClass(descriptor)

    def pack(value: object) -> Message:
        parts = {name: getattr(value, name) for name in plain}
        for name, convert in converted:
            if (part := getattr(value, name)) is not None:
                parts[name] = convert(part)
        return message(**parts)

    return pack


@functools.cache
def _unpacker(kind: type, descriptor: Descriptor) -> Convert:
    plan = _fields(kind, descriptor)

    def unpack(message: Message) -> object:
        parts = []
        for field in plan:
            if not field.has_presence or message.HasField(field.name):
                parts.append(field.unpack(getattr(message, field.name)))
            elif field.default is not None:
                parts.append(field.default())
            else:
                raise WireError(f"a {descriptor.name} without its {field.name}")
        return kind(*parts)

    return unpack


def _conversions(hint: Any, wire: Any) -> tuple[Convert, Convert]:
    """How a value of this type is packed into that field, and unpacked."""
    arguments = get_args(hint)
    if get_origin(hint) is tuple and arguments[-1] is Ellipsis:
        pack, unpack = _conversions(arguments[0], wire)
        if pack is _same:
            return _same, tuple
        return lambda items: [pack(item) for item in items], lambda items: tuple([unpack(item) for item in items])
    if get_origin(hint) is tuple:
        return _pair_conversions(arguments, wire.message_type)
    if hint in _SCALARS:
        return _same, _same
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        known = members(hint, wire.enum_type)
        return numbers(hint, wire.enum_type).__getitem__, functools.partial(_member, known, wire.enum_type.name)
    if isinstance(hint, type) and issubclass(hint, IntFlag):
        return int, hint
    if is_dataclass(hint) and isinstance(hint, type):
        # Looked up at each call and not here, because an outline node contains outline nodes.
        return (
            lambda value: _packer(hint, wire.message_type)(value),  # noqa: PLW0108
            lambda message: _unpacker(hint, wire.message_type)(message),  # noqa: PLW0108
        )
    raise AssertionError(f"no wire form for {hint} in {wire.full_name}")


def _pair_conversions(arguments: tuple[Any, ...], descriptor: Descriptor) -> tuple[Convert, Convert]:
    parts = sorted(descriptor.fields, key=lambda field: field.number)
    if len(parts) != len(arguments):
        raise AssertionError(f"{descriptor.full_name} does not have {len(arguments)} fields")
    names = [part.name for part in parts]
    conversions = [_conversions(hint, part) for hint, part in zip(arguments, parts, strict=True)]
    message = GetMessageClass(descriptor)
    return (
        lambda pair: message(**{name: pack(part) for name, (pack, _), part in zip(names, conversions, pair, strict=True)}),
        lambda found: tuple([unpack(getattr(found, name)) for name, (_, unpack) in zip(names, conversions, strict=True)]),
    )


def _without_none(hint: Any) -> tuple[Any, bool]:
    if get_origin(hint) is types.UnionType:
        (inner,) = [part for part in get_args(hint) if part is not types.NoneType]
        return inner, True
    return hint, False


def _same(value: T) -> T:
    return value


def _member(known: Mapping[int, StrEnum], name: str, number: int) -> StrEnum:
    try:
        return known[number]
    except KeyError:
        raise WireError(f"{name} {number} is not known to this version") from None
